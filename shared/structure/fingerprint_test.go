package structure_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/web/fetch"
	"sluice/shared/web/render"
)

// layers are those of a site whose pages are made in different places: by path, the
// mark-up of page n and whether a browser is needed to see it.
var layers = map[string]struct {
	page    func(n int) string
	dynamic bool
}{
	// Only mark-up.
	"/static/": {func(n int) string { return frame(articles(n)) }, false},
	// The server sends all; scripts add a clock, a count and a class to what is there.
	"/server/": {func(n int) string {
		return frame(articles(n) + `<p id=clock></p><script>
document.getElementById('clock').textContent = new Date(); document.querySelectorAll('article').forEach(a => a.className = 'seen')
fetch('/data/count').then(r => r.text()).then(t => { const p = document.createElement('p'); p.textContent = t; document.body.append(p) })</script>`)
	}, false},
	// The server sends an empty page; scripts fetch and build the content.
	"/client/": {func(n int) string {
		return `<title>t</title><div id=app>Loading</div><script>fetch('/data/` + fmt.Sprint(n) + `').then(r => r.text()).then(t => { document.getElementById('app').innerHTML = t })</script>`
	}, true},
	// Menus, head and foot are sent, the content is not.
	"/half/": {func(n int) string {
		return frame(`<div id=app></div><script>setTimeout(() => fetch('/data/` + fmt.Sprint(n) + `').then(r => r.text()).then(t => { document.getElementById('app').innerHTML = t }), 800)</script>`)
	}, true},
	// The first article is sent, the others are not.
	"/part/": {func(n int) string {
		return frame(article(n, 0) + `<div id=app></div><script>fetch('/data/` + fmt.Sprint(n) + `').then(r => r.text()).then(t => { document.getElementById('app').innerHTML = t })</script>`)
	}, true},
}

func frame(content string) string {
	menu := strings.Repeat(`<li><a href="/a">关于我们和联系方式</a></li>`, 30)
	return "<title>t</title><nav><ul>" + menu + "</ul></nav><main>" + content + "</main><footer><ul>" + menu + "</ul></footer>"
}

func articles(n int) string {
	var s strings.Builder
	for i := range 8 {
		s.WriteString(article(n, i))
	}
	return s.String()
}

func article(n, i int) string {
	return fmt.Sprintf("<article><h2><a href=/p/%[1]d-%[2]d>第%[1]d页第%[2]d条新闻的标题</a></h2><p>这是第%[1]d页第%[2]d条新闻的摘要，说了些什么。</p><span>2026-01-%02[2]d</span></article>", n, i)
}

func newSite(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		at := strings.LastIndex(r.URL.Path, "/") + 1
		n, _ := strconv.Atoi(r.URL.Path[at:])
		switch l, ok := layers[r.URL.Path[:at]]; {
		case ok:
			fmt.Fprint(w, l.page(n))
		case r.URL.Path == "/data/count":
			fmt.Fprint(w, "12345 readers")
		case r.URL.Path[:at] == "/data/":
			fmt.Fprint(w, articles(n))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// TestRendering compares pages as they are fetched and as a browser shows them.
func TestRendering(t *testing.T) {
	path := os.Getenv("SLUICE_BROWSER")
	if path == "" {
		t.Skip("SLUICE_BROWSER names no browser: run make test-browser")
	}
	s := newSite(t)
	guard, err := fetch.NewGuard(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	browser, err := render.New(render.Options{Path: path, Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	defer browser.Close()
	for prefix, l := range layers {
		for n := range 2 {
			shown, err := browser.Render(t.Context(), fmt.Sprint(s.URL, prefix, n))
			if err != nil {
				t.Fatal(err)
			}
			like := fingerprint(t, l.page(n)).Similarity(fingerprint(t, string(shown.HTML)))
			t.Logf("%s%d: %.3f", prefix, n, like)
			if dynamic := like < structure.StaticSimilarity; dynamic != l.dynamic {
				t.Errorf("%s%d: similarity %.3f, want dynamic %t", prefix, n, like, l.dynamic)
			}
		}
	}
}

func TestSimilarity(t *testing.T) {
	for name, tt := range map[string]struct {
		fetched, shown string
		low, high      float64
	}{
		"the same":              {frame(articles(1)), frame(articles(1)), 1, 1},
		"nothing":               {"", "", 1, 1},
		"only menus differ":     {frame(articles(1)), "<main>" + articles(1) + "</main>", .9, 1},
		"other texts":           {frame(articles(1)), frame(articles(2)), 0, .5},
		"from nothing":          {"<div id=app></div>", frame(articles(1)), 0, .2},
		"a line more":           {frame(articles(1)), frame(articles(1) + "<p>12345 readers</p>"), .9, 1},
		"an empty place filled": {frame(articles(1) + "<p></p>"), frame(articles(1) + "<p>12345 readers</p>"), .9, 1},
		"text that disappears":  {frame(articles(1) + "<p>Please wait</p>"), frame(articles(1)), .9, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fingerprint(t, tt.fetched).Similarity(fingerprint(t, tt.shown)); got < tt.low || got > tt.high {
				t.Errorf("similarity %.3f, want %v to %v", got, tt.low, tt.high)
			}
		})
	}
}

func fingerprint(t *testing.T, markup string) *structure.Fingerprint {
	t.Helper()
	root, err := html.Parse(bytes.NewReader([]byte(markup)))
	if err != nil {
		t.Fatal(err)
	}
	return structure.NewFingerprint(root)
}
