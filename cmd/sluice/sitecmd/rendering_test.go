package sitecmd

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/cmd/sluice/cli"
	"sluice/shared/demo"
	"sluice/shared/web/fetch"
	"sluice/shared/web/render"
)

// How each layer of the demo's shops is rendered is told from a page of it, and a page that
// scripts build is analysed as the browser shows it.
func TestRendering(t *testing.T) {
	path := os.Getenv("SLUICE_BROWSER")
	if path == "" {
		t.Skip("SLUICE_BROWSER names no browser: run make test-browser")
	}
	web := demo.New()
	s := httptest.NewServer(web)
	defer s.Close()
	for _, shop := range web.Layered() {
		layers := []string{"category", "list", "detail"}
		urls := []string{shop.URL("/"), shop.Lists()[1], shop.ProductURL(shop.Products[2])}
		products := []int{0, 24, 2} // whose price is the first of the page
		type fields struct{ Price struct{ Amount float64 } }
		var found struct {
			Pages []struct {
				Rendering string
				Fields    fields
				Lists     []struct{ Fields fields }
			}
		}
		analyze(t, &found, append([]string{"--delay", "0", "--proxy", s.URL, "--template", "shop", "--browser", path, "--sites", t.TempDir()}, urls...)...)
		if len(found.Pages) != len(urls) {
			t.Fatalf("%d pages, want %d", len(found.Pages), len(urls))
		}
		for i, p := range found.Pages {
			got := p.Fields.Price.Amount
			if len(p.Lists) > 0 {
				got = p.Lists[0].Fields.Price.Amount
			}
			price := float64(shop.Products[products[i]].Price) / 100
			if want := shop.Rendering(layers[i]); p.Rendering != want || got != price {
				t.Errorf("%s: %s with the price %v, want %s and %v", urls[i], p.Rendering, got, want, price)
			}
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
