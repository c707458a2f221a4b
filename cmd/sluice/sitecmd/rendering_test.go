package sitecmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/cmd/sluice/cli"
	"sluice/shared/web/fetch"
	"sluice/shared/web/render"
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
		cmd.SetArgs([]string{"analyze", "--json", "--delay", "0", "--browser", path, "--sites", t.TempDir(), s.URL + "/" + want})
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

// A view marks the list, its records and their fields, and runs no script of the page.
func TestView(t *testing.T) {
	browser := os.Getenv("SLUICE_BROWSER")
	if browser == "" {
		t.Skip("SLUICE_BROWSER names no browser: run make test-browser")
	}
	var markup strings.Builder
	markup.WriteString("<title>t</title><script>document.title = 'changed'</script><body onload=\"document.title = 'changed'\"><ul id=goods>")
	for i := range 12 {
		fmt.Fprintf(&markup, "<li class=product><h3 class=name>Pear %d of the northern orchards</h3><b class=price>￥%d.50</b></li>", i, i+1)
	}
	dir := t.TempDir()
	page, view := filepath.Join(dir, "page.html"), filepath.Join(dir, "view.html")
	if err := os.WriteFile(page, []byte(markup.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, logs bytes.Buffer
	cmd := New(cli.Streams{Out: &out, Err: &logs}, func(string) string { return "" })
	cmd.SetArgs([]string{"analyze", "--template", "shop", "--view", view, page})
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v; %s", err, &logs)
	}
	data, err := os.ReadFile(view)
	if err != nil {
		t.Fatal(err)
	}
	// What the browser makes of it is put into its text.
	const look = `<p id=seen></p><script>
const seen = s => [...document.querySelectorAll('[data-sluice' + s + ']')].filter(e => getComputedStyle(e).outlineStyle != 'none').length;
document.getElementById('seen').textContent = ['^="list"', '^="record"', '="field price"', '="field name"'].map(seen).join(' ') + ' ' + document.title + ' ' +
 document.getElementById('sluice-legend').getBoundingClientRect().width.toFixed().replace(/[1-9][0-9]*/, 'wide')</script>`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, string(data), look)
	}))
	defer s.Close()
	guard, err := fetch.NewGuard(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	b, err := render.New(render.Options{Path: browser, Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	shown, err := b.Render(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if want := `<p id="seen">1 12 12 12 t wide</p>`; !strings.Contains(string(shown.HTML), want) {
		t.Errorf("the browser shows %s, want %s", shown.HTML, want)
	}
}
