package visit

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sluice/shared/crawl/plan"
	"sluice/shared/web/urlnorm"
)

// A page that cannot be fetched has its reason; without a contact no redirect
// leads to a stranger's server.
func TestVisitRefuses(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("User-agent: *\nDisallow: /private/\n"))
	})
	mux.Handle("/away", http.RedirectHandler("http://www.example.com/a", http.StatusFound))
	mux.Handle("/circle", http.RedirectHandler("/circle", http.StatusFound))
	mux.Handle("/secret", http.RedirectHandler("/private/a", http.StatusFound))
	mux.Handle("/passwd", http.RedirectHandler("file:///etc/passwd", http.StatusFound))
	mux.HandleFunc("/data", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("one, two"))
	})
	mux.HandleFunc("/blank", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	home, err := urlnorm.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	v, err := New(plan.Manners{Version: plan.Version}, []urlnorm.URL{home}, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	for _, tt := range []struct{ path, want string }{
		{"/away", "follow redirect to http://www.example.com/a: no contact"},
		{"/circle", "more than 5 redirects"},
		{"/secret", "robots.txt forbids it"},
		{"/passwd", "scheme is not http or https"},
		{"/data", "it is no page"},
		{"/blank", "no main text"},
		{"/none", "status 404"},
	} {
		u, err := urlnorm.Parse(server.URL + tt.path)
		if err != nil {
			t.Fatal(err)
		}
		if doc, err := v.Visit(t.Context(), u); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %+v, %v; want an error with %q", tt.path, doc, err, tt.want)
		}
	}
}
