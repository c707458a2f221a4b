package sitecmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"sluice/cmd/sluice/cli"
)

// A page that scripts build is analysed as the browser shows it.
func TestRendering(t *testing.T) {
	path := os.Getenv("SLUICE_BROWSER")
	if path == "" {
		t.Skip("SLUICE_BROWSER names no browser: run make test-browser")
	}
	var items strings.Builder
	for i := range 12 {
		fmt.Fprintf(&items, "<li><a href=/%d>Harvest %d of the northern orchards begins early</a><span>2024-05-%02d</span></li>", i, i, i+1)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/static":
			fmt.Fprint(w, "<title>t</title><ul id=news>", items.String(), "</ul>")
		case "/dynamic":
			fmt.Fprint(w, "<title>t</title><ul id=news></ul><script>fetch('/items').then(r => r.text()).then(t => { document.getElementById('news').innerHTML = t })</script>")
		case "/items":
			fmt.Fprint(w, items.String())
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	for _, want := range []string{static, dynamic} {
		var out, logs bytes.Buffer
		cmd := New(cli.Streams{Out: &out, Err: &logs}, func(string) string { return "" })
		cmd.SetArgs([]string{"analyze", "--json", "--delay", "0", "--browser", path, s.URL + "/" + want})
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatalf("%v; %s", err, &logs)
		}
		var p struct {
			Rendering string
			Lists     []struct{ Count int }
		}
		if err := json.Unmarshal(out.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if p.Rendering != want || len(p.Lists) != 1 || p.Lists[0].Count != 12 {
			t.Errorf("%s: %s, want the list of 12", want, &out)
		}
	}
}
