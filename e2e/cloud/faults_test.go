//go:build linux

package cloud_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/e2e/lambdahost"
	"sluice/shared/demo"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// needEmulator skips a test that does something before it makes a stack.
func needEmulator(t *testing.T) {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("no emulator: AWS_ENDPOINT_URL is not set (make test-aws sets it up)")
	}
}

// needNightly skips a test that takes minutes.
func needNightly(t *testing.T) {
	t.Helper()
	if os.Getenv("SLUICE_NIGHTLY") == "" {
		t.Skip("takes minutes: make nightly runs it")
	}
}

// logged is a web that logs its requests.
type logged interface{ log(t *testing.T) []hit }

// crawlBadly runs a crawl on a stack whose services fail now and then, whose
// invocations are killed, and whose messages come twice and in any order. It
// checks the invariants and returns the stack. Leases of killed workers end
// within seconds.
func crawlBadly(t *testing.T, seed uint64, web logged, proxy, topic string, m job.Message, prepare ...func(*cloud)) *cloud {
	t.Helper()
	p := newFaultProxy(t, seed)
	o := cloudOptions{
		proxy: proxy, contact: m.Contact, endpoint: p.URL, lease: 24 * time.Second, visibility: 15 * time.Second,
		faults: lambdahost.Faults{
			Duplicate: 0.1, Shuffle: 0.3, Drop: 0.05, Kill: 0.06, KillWithin: 2 * time.Second, Seed: seed,
		},
	}
	c := newCloud(t, o)
	for _, do := range prepare {
		do(c)
	}
	c.start(t, topic, &m)
	began := time.Now()
	pumps := c.run(t, o, c.ended(t, 15*time.Minute, m.Crawl))
	took := time.Since(began)
	for name, pump := range pumps {
		t.Logf("%s: %+v", name, pump.Account())
	}
	p.account(t)
	hits := web.log(t)
	if len(hits) == 0 {
		t.Fatal("the web was not asked for anything")
	}
	t.Logf("ended after %.0f s, with %d pages between %.0f and %.0f s", took.Seconds(), len(hits), hits[0].Start, hits[len(hits)-1].End)
	wantAlone(t, hits, 0)
	c.wantWhole(t, m.Crawl, canonical(t, hits))
	return c
}

// A crawl with faults finds the same as one without.
func TestFaults(t *testing.T) {
	needEmulator(t)
	t.Parallel()
	const topic = "../../topics/finance.topic"
	web := demo.New()
	m := job.Message{Crawl: "bad-day", Topic: "topics/finance.topic", Seeds: web.Seeds(), Limits: limits.Limits{MaxPages: 2000}}
	want := crawlHere(t, watch(t, web, 0).URL, topic, &m)
	for seed := range uint64(2) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			if seed > 0 {
				needNightly(t)
			}
			t.Parallel()
			web := watch(t, demo.New(), 10*time.Millisecond)
			got := crawlBadly(t, seed, web, web.URL, topic, m)
			wantSame(t, withoutMirrors(want), withoutMirrors(got.documents(t, m.Crawl)))
		})
	}
}

// withoutMirrors leaves out the page with a dozen addresses. A crawl keeps
// eight of them; which ones depends on their order, and a worker's counts die
// with it.
func withoutMirrors(docs map[string]corpus.Document) map[string]corpus.Document {
	docs = maps.Clone(docs)
	maps.DeleteFunc(docs, func(url string, _ corpus.Document) bool {
		return strings.HasPrefix(url, "http://zhuanti.demo.test/yilan/")
	})
	return docs
}

// The same on a frozen web, of which every page is relevant.
func TestFaultsFrozen(t *testing.T) {
	needEmulator(t)
	needNightly(t)
	t.Parallel()
	seeds := newsPages(t, 40, "fashion.portal.test", "home.portal.test")
	m := job.Message{Crawl: "bad-news", Topic: "topics/all.yaml", Seeds: seeds, Limits: limits.Limits{MaxPages: 2000}, Contact: "mailto:ops@example.com"}
	topic := everything(t)
	here := replayNews(t)
	want := crawlHere(t, here.URL, topic, &m)
	web := replayNews(t, "-latency", "5ms")
	wantSame(t, want, crawlBadly(t, 7, web, web.URL, topic, m).documents(t, m.Crawl))
}

// everything writes a topic that finds every page of the frozen web relevant
// and stays on the hosts of its seeds.
func everything(t *testing.T) string {
	t.Helper()
	all, err := os.ReadFile("../testdata/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "all.yaml")
	if err := os.WriteFile(path, append(all, "scope: {mode: host}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
