package cloud_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/demo"
	"sluice/shared/demo/shop"
	"sluice/shared/fixture"
	"sluice/shared/local"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
	"sluice/shared/structure/template"
	"sluice/shared/topic"
)

// A structured crawl of a shop, from the URL of one category: every product once. The site
// is learned from the first pages: the crawl is paused until it is.
func TestStructured(t *testing.T) {
	t.Parallel()
	needEmulator(t)
	web := demo.New()
	var requests atomic.Int64
	pause := func() {}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 80 {
			pause()
		}
		web.ServeHTTP(w, r)
	}))
	defer srv.Close()
	o := cloudOptions{proxy: srv.URL, delayMS: 0, guarded: true}
	c := newCloud(t, o)
	pause = func() { c.change(t, "shop", (*job.Job).Pause) }
	one := web.Shops()[0]
	c.start(t, shopTopic(t, one, ""), &job.Message{Crawl: "shop", Limits: limits.Limits{MaxPages: 2000}})
	ended, resumed := c.ended(t, 8*time.Minute, "shop"), false
	c.run(t, o, func() bool {
		if resumed {
			return ended()
		}
		j, err := c.Jobs.Get(t.Context(), "shop")
		if err != nil || j.State != job.Paused {
			return t.Failed() || ended()
		}
		if known, err := c.Sites.Site(t.Context(), one.Host); err == nil {
			if len(known.Layers) != 2 {
				t.Errorf("of the site is known %+v, want two layers", known)
			}
			if made, err := c.Objects.Keys(t.Context(), "records/"); err != nil || len(made) > 0 {
				t.Errorf("of a crawl that is paused there are the records %v, error %v", made, err)
			}
			c.change(t, "shop", (*job.Job).Resume)
			resumed = true
		}
		return t.Failed()
	})
	c.wantRecords(t, "shop", one)

	// They are the same as those made of a copy of the crawl.
	dir := c.copy(t, "shop")
	shopTemplate, err := template.Load("shop")
	if err != nil {
		t.Fatal(err)
	}
	counts, err := local.GatherRecords(t.Context(), dir, shopTemplate, c.Sites)
	if err != nil {
		t.Fatal(err)
	}
	j, err := c.Jobs.Get(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(counts, j.Records.Counts()); diff != "" || !j.Records.Whole() {
		t.Errorf("records of a copy (-) and of the stack (+), which are whole: %t\n%s", j.Records.Whole(), diff)
	}
	for layer := range counts {
		here, err := os.ReadFile(filepath.Join(dir, local.RecordsFolder, filepath.FromSlash(layer), "00001.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		there := c.object(t, "records/shop/"+layer+"/00001.jsonl")
		there = bytes.ReplaceAll(there, []byte(`"warc":{"file":"raw/shop/`), []byte(`"warc":{"file":"warc/`))
		if diff := cmp.Diff(string(here), string(there)); diff != "" {
			t.Errorf("records of %s of a copy (-) and of the stack (+):\n%s", layer, diff)
		}
	}
}

// shopTopic writes the topic file of a structured crawl of a shop, with more lines.
func shopTopic(t *testing.T, s *shop.Shop, more string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, append(topic.ForSite("shop", s.Lists()[0], "shop"), more...), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// record is one of a shop.
type record struct {
	URL, Layer string
	Fields     json.RawMessage
	SourceURL  string `json:"source_url"`
	WARC       struct{ File string }
}

// A structured crawl whose services fail now and then, and whose functions are killed,
// makes the records of one on one machine.
func TestFaultsStructured(t *testing.T) {
	needEmulator(t)
	needNightly(t)
	t.Parallel()
	here := demo.New()
	one := here.Shops()[2]
	file := shopTopic(t, one, "")
	m := job.Message{Crawl: "bad-shop", Limits: limits.Limits{MaxPages: 2000}}
	want := map[string]string{}
	for _, r := range fixture.Lines[record](t, folderHere(t, watch(t, here, 0).URL, file, &m), local.RecordsFolder, "*", "*", "*.jsonl") {
		want[r.Layer+" "+r.URL] = string(r.Fields)
	}
	web := watch(t, demo.New(), 0)
	c := crawlBadly(t, 0, web, web.URL, file, m, killOften)
	for name, least := range map[string]int{"crawl": 3, "structure": 2} {
		if n := c.fns[name].Usage().Errors; n < least {
			t.Errorf("%s was killed %d times, want %d at least", name, n, least)
		}
	}
	got := map[string]string{}
	for _, r := range c.wantRecords(t, m.Crawl, one) {
		got[r.Layer+" "+r.URL] = string(r.Fields)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields of the records (-local +cloud):\n%s", diff)
	}
}

// A shop whose scripts add the prices has all of them, and the pages that were rendered
// count as such, once, also if the render function is killed. Speeds are logged.
func TestRenderedSite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name             string
		nightly          bool
		rendered, killed bool
		shop             func(*demo.Web) *shop.Shop
	}{
		{name: "plain", nightly: true, shop: func(w *demo.Web) *shop.Shop { return w.Shops()[0] }},
		{name: "rendered", rendered: true, shop: func(w *demo.Web) *shop.Shop { return w.Layered()[1] }},
		{name: "killed", nightly: true, rendered: true, killed: true, shop: func(w *demo.Web) *shop.Shop { return w.Layered()[0] }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.nightly {
				needNightly(t)
			}
			site := demo.New()
			one, web, o, more := tt.shop(site), watch(t, site, 0), cloudOptions{}, ""
			if o.proxy = web.URL; tt.rendered {
				if o.browser = os.Getenv("SLUICE_BROWSER"); o.browser == "" {
					t.Skip("SLUICE_BROWSER names no browser")
				}
				more = "render: auto\n"
			}
			if tt.killed {
				o.visibility, o.lease = 15*time.Second, 24*time.Second
			}
			c := newCloud(t, o)
			c.kill["render"] = func(n int, _ []byte) time.Duration {
				switch {
				case !tt.killed:
					return 0
				case n > 1 && c.fns["render"].Usage().Errors < 3:
					return 1 + rand.N(time.Second) // before it can end
				case n%6 == 2:
					return 1 + rand.N(5*time.Second)
				}
				return 0
			}
			c.start(t, shopTopic(t, one, more), &job.Message{Crawl: "shop", Limits: limits.Limits{MaxPages: 2000}})
			c.run(t, o, c.ended(t, 8*time.Minute, "shop"))
			prices := map[string]float64{}
			for _, p := range one.Products {
				prices[one.ProductURL(p)] = float64(p.Price) / 100
			}
			for _, r := range c.wantRecords(t, "shop", one) {
				var fields struct{ Price struct{ Amount float64 } }
				if err := json.Unmarshal(r.Fields, &fields); err != nil {
					t.Fatal(err)
				}
				if tt.rendered && fields.Price.Amount != prices[r.URL] {
					t.Errorf("%s has the price %v, want %v", r.URL, fields.Price.Amount, prices[r.URL])
				}
			}
			totals, err := c.Store.Ledger().Totals(t.Context(), "shop")
			if err != nil {
				t.Fatal(err)
			}
			if tt.rendered != (totals.Rendered >= int64(len(one.Products))) {
				t.Errorf("%d pages count as rendered", totals.Rendered)
			}
			if n := c.fns["render"]; tt.killed && n.Usage().Errors < 3 {
				t.Errorf("render was killed %d times", n.Usage().Errors)
			}
			hits := web.log(t)
			seconds := hits[len(hits)-1].End - hits[0].Start
			t.Logf("%d pages in %.1f s, %.1f a second; %d rendered", totals.Fetched, seconds, float64(totals.Fetched)/seconds, totals.Rendered)
			for name, fn := range c.fns {
				t.Logf("%s: %+v", name, fn.Usage())
			}
		})
	}
}

// killOften kills every sixth invocation of crawl, and every other until it has hit four
// times, and the first ones of structure that learn the site or make its records.
func killOften(c *cloud) {
	moment := func() time.Duration { return 1 + rand.N(2*time.Second) }
	c.kill["crawl"] = func(n int, _ []byte) time.Duration {
		if n%6 == 0 || n%2 == 0 && c.fns["crawl"].Usage().Errors < 4 {
			return moment()
		}
		return 0
	}
	c.kill["structure"] = func(_ int, message []byte) time.Duration {
		most := 2
		if bytes.Contains(message, []byte(`\"kept\"`)) {
			most = 3
		}
		if c.fns["structure"].Usage().Errors < most {
			return moment()
		}
		return 0
	}
}

// wantRecords checks that the bucket has every product of a shop once in each layer, and
// returns the records.
func (c *cloud) wantRecords(t *testing.T, id string, s *shop.Shop) (all []record) {
	t.Helper()
	for _, layer := range []string{"list", "detail"} {
		folder := "records/" + id + "/" + s.Host + "/" + layer + "/"
		if schema := c.object(t, folder+"schema.json"); !json.Valid(schema) {
			t.Errorf("the schema of the layer %s is %s", layer, schema)
		}
		times := map[string]int{}
		for line := range bytes.Lines(c.object(t, folder+"00001.jsonl")) {
			var one record
			if err := json.Unmarshal(line, &one); err != nil {
				t.Fatal(err)
			}
			if one.Layer != layer || one.SourceURL == "" || !strings.HasPrefix(one.WARC.File, "raw/"+id+"/") {
				t.Errorf("a record of the layer %s lacks its page or its place: %s", layer, line)
			}
			times[one.URL]++
			all = append(all, one)
		}
		for _, p := range s.Products {
			if n := times[s.ProductURL(p)]; n != 1 {
				t.Errorf("%s has %d records in the layer %s", s.ProductURL(p), n, layer)
			}
		}
		if len(times) != len(s.Products) {
			t.Errorf("%d records of the layer %s, want %d", len(times), layer, len(s.Products))
		}
	}
	return all
}

// object reads an object.
func (c *cloud) object(t *testing.T, key string) []byte {
	t.Helper()
	data, err := c.Objects.Get(t.Context(), key, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// copy copies the archive and the corpus of a crawl into a folder.
func (c *cloud) copy(t *testing.T, id string) string {
	t.Helper()
	dir := t.TempDir()
	for from, to := range map[string]string{"raw/" + id + "/": "warc", "corpus/" + id + "/": "corpus"} {
		if err := os.MkdirAll(filepath.Join(dir, to), 0o755); err != nil {
			t.Fatal(err)
		}
		keys, err := c.Objects.Keys(t.Context(), from)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			data := bytes.ReplaceAll(c.object(t, key), []byte(`"warc":{"file":"raw/`+id+`/`), []byte(`"warc":{"file":"warc/`))
			if err := os.WriteFile(filepath.Join(dir, to, path.Base(key)), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}
