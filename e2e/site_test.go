package e2e_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"sluice/shared/demo"
)

// A structured crawl that is killed time and again, and resumed, has every product
// once.
func TestKilledStructuredCrawl(t *testing.T) {
	t.Parallel()
	web := demo.New()
	server := httptest.NewServer(web)
	t.Cleanup(server.Close)
	shop := web.Shops()[1]
	out, sites := t.TempDir(), t.TempDir()
	args := []string{
		"crawl", "--site", shop.Lists()[0], "--template", "shop", "--out", out, "--sites", sites,
		"--proxy", server.URL, "--delay", "0s", "--contact", "tests@example.org", "--json", "--resume", "--browser", "none",
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("kills drawn with seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range kills {
		p := start(t, args...)
		select {
		case <-p.ended:
		case <-time.After(time.Duration(50+rng.IntN(500)) * time.Millisecond):
			_ = p.cmd.Process.Kill() // it may have ended
		}
		p.wait(t)
	}
	sluice(t, args...).summary(t, exitDone)
	for _, layer := range []string{"list", "detail"} {
		names := map[string]int{}
		eachRecord(t, filepath.Join(out, "records", shop.Host, layer), func(line []byte) error {
			var r struct{ Fields struct{ Name string } }
			err := json.Unmarshal(line, &r)
			names[r.Fields.Name]++
			return err
		})
		for _, p := range shop.Products {
			if names[p.Name] != 1 {
				t.Errorf("%q stands %d times in the layer %s", p.Name, names[p.Name], layer)
			}
		}
	}
}
