package sitecmd

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/structure"
)

// Which list is a category shows beside the pages that it leads to.
func TestCategories(t *testing.T) {
	tiles := func(of string, names ...string) string {
		var b strings.Builder
		for _, name := range names {
			fmt.Fprintf(&b, `<div class=tile><a href=/%s/%s><img src=/i/%s.jpg><h3>%s</h3></a></div>`, of, name, name, name)
		}
		return "<h1>All of them</h1><div class=tiles>" + b.String() + "</div>"
	}
	pages := map[string]string{
		"/all":    tiles("c", "saws", "planes", "chisels", "hammers", "clamps"),
		"/c/saws": tiles("p", "saw-1", "saw-2", "saw-3", "saw-4", "saw-5"),
		"/p/saw-1": "<h1>Saw 1</h1><p>A saw of steel and wood, made by hand, which cuts through boards and beams and lasts for many years of work.</p>" +
			"<p>It comes with a cover of leather and a book that tells how to sharpen it at home.</p>",
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Tools</title>"+pages[r.URL.Path])
	}))
	defer s.Close()
	var all struct{ Pages []struct{ Layer string } }
	analyze(t, &all, "--browser", "none", "--delay", "0", "--sites", t.TempDir(), s.URL+"/all", s.URL+"/c/saws", s.URL+"/p/saw-1")
	var got []string
	for _, p := range all.Pages {
		got = append(got, p.Layer)
	}
	if diff := cmp.Diff([]string{structure.CategoryLayer, structure.ListLayer, structure.DetailLayer}, got); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
}
