package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sluice/shared/demo"
	"sluice/shared/fixture"
	"sluice/shared/state/corpus/corpustest"
)

// A structured crawl of a shop whose prices scripts add has all of them: the layers that need
// a browser are rendered, each page once, and no other is read as a browser shows it.
func TestRenderedShop(t *testing.T) {
	browser := browserFlags(t)
	web := demo.New()
	for _, shop := range web.Layered() {
		t.Run(shop.Name, func(t *testing.T) {
			var mu sync.Mutex
			asked := map[string]map[string]bool{} // by layer, and of the scripts of list and detail
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				kind := ""
				switch path := r.URL.Path; {
				case strings.HasPrefix(path, "/item/"):
					kind = "detail"
				case strings.HasPrefix(path, "/c/"):
					kind = "list"
				case strings.HasPrefix(path, "/api/"):
					kind = path
				}
				mu.Lock()
				if asked[kind] == nil {
					asked[kind] = map[string]bool{}
				}
				if u := r.URL.String(); asked[kind][u] && strings.HasPrefix(kind, "/api/") {
					t.Errorf("%s was asked for twice", u)
				}
				asked[kind][r.URL.String()] = true
				mu.Unlock()
				web.ServeHTTP(w, r)
			}))
			defer s.Close()
			out := t.TempDir()
			args := append([]string{ // rendering is its default
				"crawl", "--json", "--site", shop.Lists()[0], "--template", "shop", "--proxy", s.URL,
				"--sites", t.TempDir(), "--out", out, "--delay", "0", "--max-pages", "14",
			}, browser...)
			sum := sluice(t, args...).summary(t, exitDone)

			shown := 0
			if len(asked["/api/item"]) != len(asked["detail"]) || len(asked["detail"]) < 10 {
				t.Errorf("%d products were fetched, the scripts of %d asked for them", len(asked["detail"]), len(asked["/api/item"]))
			}
			if dynamic := shop.Rendering("list") == "dynamic"; dynamic && len(asked["/api/prices"]) != len(asked["list"]) {
				t.Errorf("%d lists were fetched, the scripts of %d asked for prices", len(asked["list"]), len(asked["/api/prices"]))
			}
			for _, rec := range corpustest.Archived(t, out, "warc", "*.warc.gz") {
				layer := "list"
				if strings.Contains(rec.TargetURI, "/item/") {
					layer = "detail"
				}
				if rec.Shows() != "" {
					shown++
				}
				if rec.Shows() != "" && shop.Rendering(layer) != "dynamic" {
					t.Errorf("%s is static, and was read as a browser shows it", rec.TargetURI)
				}
			}
			if shown == 0 || sum.Rendered < shown {
				t.Errorf("the summary counts %d rendered pages, the archive has %d", sum.Rendered, shown)
			}
			prices := map[string]float64{}
			for _, p := range shop.Products {
				prices[shop.ProductURL(p)] = float64(p.Price) / 100
			}
			type record struct {
				URL    string
				Fields struct{ Price struct{ Amount float64 } }
			}
			n := 0
			for _, r := range fixture.Lines[record](t, filepath.Join(out, "records", "*", "*", "*.jsonl")) {
				if n++; prices[r.URL] == 0 || r.Fields.Price.Amount != prices[r.URL] {
					t.Errorf("%s has the price %v, want %v", r.URL, r.Fields.Price.Amount, prices[r.URL])
				}
			}
			if n < 20 {
				t.Errorf("%d records", n)
			}
		})
	}
}
