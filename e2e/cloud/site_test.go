package cloud_test

import (
	"io"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"sluice/shared/demo"
	"sluice/shared/local"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
	"sluice/shared/structure/template"
	"sluice/shared/topic"
)

// A structured crawl of a shop, from the URL of one category: every product once.
func TestStructured(t *testing.T) {
	t.Parallel()
	web := demo.New()
	srv := httptest.NewServer(web)
	defer srv.Close()
	o := cloudOptions{proxy: srv.URL, delayMS: 0}
	c := newCloud(t, o)
	shop := web.Shops()[0]
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, topic.ForSite("shop", shop.Lists()[0], "shop"), 0o600); err != nil {
		t.Fatal(err)
	}
	body, err := (&job.Message{Crawl: "shop", Topic: c.putTopic(t, file), Limits: limits.Limits{MaxPages: 2000}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, string(body))
	c.run(t, o, c.ended(t, 8*time.Minute, "shop"))

	dir := t.TempDir()
	for prefix, folder := range map[string]string{"raw/shop/": "raw/shop", "corpus/shop/": "corpus"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		for object, err := range c.Objects.List(t.Context(), prefix) {
			if err != nil {
				t.Fatal(err)
			}
			in, err := c.Objects.Open(t.Context(), object.Key)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, folder, path.Base(object.Key)), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	shopTemplate, err := template.Load("shop")
	if err != nil {
		t.Fatal(err)
	}
	counts, err := local.GatherRecords(t.Context(), dir, shopTemplate, c.Sites)
	if err != nil {
		t.Fatal(err)
	}
	for _, layer := range []string{"list", "detail"} {
		if got := counts[shop.Host+"/"+layer]; got != len(shop.Products) {
			t.Errorf("%d records of the layer %s, want %d", got, layer, len(shop.Products))
		}
	}
	if known, err := c.Sites.Site(t.Context(), shop.Host); err != nil || len(known.Layers) != 2 {
		t.Errorf("of the site is known %+v, error %v, want two layers", known, err)
	}
}
