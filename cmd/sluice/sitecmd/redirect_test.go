package sitecmd

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The links of a page are relative to where redirects led.
func TestRedirectedPage(t *testing.T) {
	var items strings.Builder
	for i := range 12 {
		fmt.Fprintf(&items, "<li><a href=%d.html>Pear %d of the northern orchards</a></li>", i, i)
	}
	mux := http.NewServeMux()
	mux.Handle("/old", http.RedirectHandler("/news/", http.StatusMovedPermanently))
	mux.HandleFunc("/news/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<ul>%s</ul><p><a href="?page=2">Next page</a></p>`, &items)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	var got struct {
		Page       string
		Pagination struct{ Next string }
	}
	analyze(t, &got, "--browser", "none", "--delay", "0", "--sites", t.TempDir(), s.URL+"/old")
	if want := s.URL + "/news/?page=2"; got.Page != s.URL+"/old" || got.Pagination.Next != want {
		t.Errorf("page %s, next %s, want %s", got.Page, got.Pagination.Next, want)
	}
}
