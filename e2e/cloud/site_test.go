package cloud_test

import (
	"bytes"
	"encoding/json"
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
	o := cloudOptions{proxy: srv.URL, delayMS: 0}
	c := newCloud(t, o)
	pause = func() { c.change(t, "shop", (*job.Job).Pause) }
	one := web.Shops()[0]
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, topic.ForSite("shop", one.Lists()[0], "shop"), 0o600); err != nil {
		t.Fatal(err)
	}
	body, err := (&job.Message{Crawl: "shop", Topic: c.putTopic(t, file), Limits: limits.Limits{MaxPages: 2000}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, string(body))
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

// wantRecords checks that the bucket has every product of a shop once in each layer.
func (c *cloud) wantRecords(t *testing.T, id string, s *shop.Shop) {
	t.Helper()
	for _, layer := range []string{"list", "detail"} {
		folder := "records/" + id + "/" + s.Host + "/" + layer + "/"
		if schema := c.object(t, folder+"schema.json"); !json.Valid(schema) {
			t.Errorf("the schema of the layer %s is %s", layer, schema)
		}
		times := map[string]int{}
		for line := range bytes.Lines(c.object(t, folder+"00001.jsonl")) {
			var one struct {
				URL, Layer string
				SourceURL  string `json:"source_url"`
				WARC       struct{ File string }
			}
			if err := json.Unmarshal(line, &one); err != nil {
				t.Fatal(err)
			}
			if one.Layer != layer || one.SourceURL == "" || !strings.HasPrefix(one.WARC.File, "raw/"+id+"/") {
				t.Errorf("a record of the layer %s lacks its page or its place: %s", layer, line)
			}
			times[one.URL]++
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
