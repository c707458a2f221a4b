package sitecmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sluice/cmd/sluice/cli"
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
	var out, logs bytes.Buffer
	cmd := New(cli.Streams{Out: &out, Err: &logs}, func(string) string { return "" })
	cmd.SetArgs([]string{"analyze", "--json", "--browser", "none", "--delay", "0", "--sites", t.TempDir(), s.URL + "/old"})
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v; %s", err, &logs)
	}
	var got struct {
		Page       string
		Pagination struct{ Next string }
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if want := s.URL + "/news/?page=2"; got.Page != s.URL+"/old" || got.Pagination.Next != want {
		t.Errorf("page %s, next %s, want %s", got.Page, got.Pagination.Next, want)
	}
}
