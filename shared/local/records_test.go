package local_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	structured "sluice/shared/crawl/records"
	"sluice/shared/demo"
	"sluice/shared/local"
	"sluice/shared/state/forget"
	"sluice/shared/topic"
)

// siteSpec is a structured crawl of a shop.
func siteSpec(t *testing.T, seed string, proxies ...*url.URL) local.Spec {
	t.Helper()
	source := topic.ForSite("demo-shop", seed, "shop")
	compiled, err := topic.Read("site", source)
	if err != nil {
		t.Fatal(err)
	}
	return local.Spec{
		Dir: t.TempDir(), Topic: compiled, Source: source, Contact: "tests@example.org", Version: "test",
		Proxies: proxies, Sites: t.TempDir(),
	}
}

func crawlSite(t *testing.T, spec local.Spec) *local.Summary {
	t.Helper()
	c, err := local.Open(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := c.Run(t.Context(), t.Context())
	if cerr := c.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	return sum
}

// item is what the tests read of a record.
type item struct {
	URL       string `json:"url"`
	SourceURL string `json:"source_url"`
	Learned   int    `json:"learned"`
	Fields    struct {
		Name  *string `json:"name"`
		SKU   *string `json:"sku"`
		Price *struct{ Amount *float64 }
	} `json:"fields"`
	WARC struct{ File string } `json:"warc"`
}

func itemsOf(t *testing.T, dir, layer string) []item {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, local.RecordsFolder, "*", layer, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []item
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var one item
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
	}
	return all
}

// From the URL of one category every product of a shop is found once: on its own page,
// and in the lists.
func TestStructuredCrawl(t *testing.T) {
	t.Parallel()
	web := demo.New()
	server := httptest.NewServer(web)
	t.Cleanup(server.Close)
	proxy, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, shop := range web.Shops() {
		t.Run(shop.Theme, func(t *testing.T) {
			t.Parallel()
			spec := siteSpec(t, shop.Lists()[0], proxy)
			sum := crawlSite(t, spec)
			for _, layer := range []string{"list", "detail"} {
				urls, names := map[string]int{}, map[string]int{}
				for _, one := range itemsOf(t, spec.Dir, layer) {
					if one.Fields.Name == nil || one.URL == "" || one.SourceURL == "" || one.WARC.File == "" {
						t.Fatalf("a record of the layer %s lacks its name, URL, page or place: %+v", layer, one)
					}
					urls[one.URL]++
					names[*one.Fields.Name]++
				}
				for _, p := range shop.Products {
					if n := urls[shop.ProductURL(p)]; n != 1 {
						t.Errorf("%s: %s stands %d times in the layer %s", shop.Host, shop.ProductURL(p), n, layer)
					}
					if layer == "detail" && names[p.Name] != 1 { // lists shorten names, or add to them
						t.Errorf("%s: %q stands %d times", shop.Host, p.Name, names[p.Name])
					}
				}
				if got := sum.Records[shop.Host+"/"+layer]; got != len(shop.Products) {
					t.Errorf("the summary counts %d records of the layer %s, want %d", got, layer, len(shop.Products))
				}
			}

			// What was learned serves the next crawl; a page that is forgotten takes its records with it.
			again := siteSpec(t, shop.Lists()[0], proxy)
			again.Sites, again.MaxPages = spec.Sites, 30
			cut := crawlSite(t, again)
			next := itemsOf(t, again.Dir, "detail")
			read, missing := map[string]bool{}, 0
			for _, one := range next {
				read[one.SourceURL] = true
			}
			for _, one := range itemsOf(t, again.Dir, "list") {
				if !read[one.URL] {
					missing++
				}
			}
			if got := cut.Records[structured.NotFetched]; got != missing || sum.Records[structured.NotFetched] > 0 {
				t.Errorf("after 30 pages %d products of lists are counted as not fetched, want %d; after all %d, want none", got, missing, sum.Records[structured.NotFetched])
			}
			if len(next) == 0 || next[0].Learned != 1 {
				t.Fatalf("%d products in the next crawl, of version %+v of the site, want some of version 1", len(next), next)
			}
			target, err := forget.Parse(next[0].SourceURL)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := local.Forget(t.Context(), again.Dir, []forget.Target{target}, forget.Options{}); err != nil {
				t.Fatal(err)
			}
			for _, layer := range []string{"list", "detail"} {
				for _, one := range itemsOf(t, again.Dir, layer) {
					if one.URL == next[0].URL || one.SourceURL == next[0].SourceURL {
						t.Errorf("a forgotten product has a record in the layer %s", layer)
					}
				}
			}
		})
	}
}

// Pages that are too large to be parsed have no records. The summary counts them.
func TestTooLargePages(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/large" {
			_, _ = io.WriteString(w, "<ul>"+strings.Repeat("<li>One more", 50_000))
			return
		}
		_, _ = io.WriteString(w, "<h1>Shop</h1><a href=/large>All</a>")
	}))
	t.Cleanup(server.Close)
	spec := siteSpec(t, server.URL+"/")
	var log bytes.Buffer
	spec.Log = slog.New(slog.NewTextHandler(&log, nil))
	sum := crawlSite(t, spec)
	if got := sum.Records[structured.TooLarge]; got != 1 || !strings.Contains(log.String(), server.URL+"/large") {
		t.Errorf("%d pages are counted as too large, want 1; the log has\n%s", got, &log)
	}
}

// A correction of what is known of a site makes a version of it, which the records name;
// the log warns of one that selects nothing.
func TestCorrection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if id, ok := strings.CutPrefix(r.URL.Path, "/p/"); ok {
			_, _ = fmt.Fprintf(w, "<h1>Pear %s</h1><b class=price>$%s.50</b><i class=brand>Orchard</i><p>A pear that has the number %s, and is sweet.", id, id, id)
			return
		}
		for i := range 9 {
			_, _ = fmt.Fprintf(w, "<div class=card><a href=/p/%d>Pear %d</a> <b class=price>$%d.50</b></div>", i, i, i)
		}
	}))
	t.Cleanup(server.Close)
	spec := siteSpec(t, server.URL+"/")
	crawlSite(t, spec)
	files, err := filepath.Glob(filepath.Join(spec.Sites, "*.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, error %v, want one", files, err)
	}
	for i, correct := range [][2]string{{"xpath: //h1", "xpath: //h1[1]"}, {"", ""}, {"xpath: //h1[1]", "xpath: //h6"}} {
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[0], []byte(strings.Replace(string(data), correct[0], correct[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		spec.Resume, spec.Log = true, slog.New(slog.NewTextHandler(&log, nil))
		crawlSite(t, spec)
		want := []int{2, 2, 3}[i]
		for _, one := range itemsOf(t, spec.Dir, "list") {
			if one.Learned != want {
				t.Fatalf("after %q a record is of version %d of the site, want %d", correct[1], one.Learned, want)
			}
		}
		if idle := strings.Contains(log.String(), "layers.detail.fields.name: //h6"); idle != (i == 2) {
			t.Errorf("after %q the log has\n%s", correct[1], &log)
		}
	}
}
