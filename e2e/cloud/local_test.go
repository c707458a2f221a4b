//go:build linux

package cloud_test

import (
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/demo"
	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// crawlHere runs the crawl of a message on this machine and returns its
// documents, by final URL.
func crawlHere(t *testing.T, proxy, topic string, m *job.Message) map[string]corpus.Document {
	t.Helper()
	docs := map[string]corpus.Document{}
	for _, d := range fixture.Lines[corpus.Document](t, folderHere(t, proxy, topic, m), "corpus", "*.jsonl") {
		docs[d.FinalURL] = d
	}
	return docs
}

// folderHere runs the crawl and returns its folder.
func folderHere(t *testing.T, proxy, topic string, m *job.Message) string {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	args := []string{
		"crawl", "--topic", topic, "--out", out, "--sites", filepath.Join(dir, "sites"), "--proxy", proxy, "--delay", "0s", "--max-pages", strconv.Itoa(m.MaxPages),
	}
	if m.RandomSeed != 0 {
		args = append(args, "--random-seed", strconv.FormatUint(m.RandomSeed, 10))
	}
	for _, s := range m.Seeds {
		args = append(args, "--seed", s)
	}
	if m.Contact != "" {
		args = append(args, "--contact", m.Contact)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(functions, "sluice"), args...)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("sluice crawl: %v\n%s", err, said)
	}
	return out
}

// crawlCloud runs it on a stack.
func crawlCloud(t *testing.T, proxy, topic string, m *job.Message, within time.Duration) map[string]corpus.Document {
	t.Helper()
	o := cloudOptions{proxy: proxy, contact: m.Contact}
	c := newCloud(t, o)
	c.start(t, topic, m)
	c.run(t, o, c.ended(t, within, m.Crawl))
	return c.documents(t, m.Crawl)
}

// start starts a crawl with a topic.
func (c *cloud) start(t *testing.T, topic string, m *job.Message) {
	t.Helper()
	m.Topic = c.putTopic(t, topic)
	body, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, string(body))
}

// wantSame compares the documents of two crawls of one web. The way to a page
// may differ: with a faster worker, another link to it is the first.
func wantSame(t *testing.T, here, there map[string]corpus.Document) {
	t.Helper()
	if diff := gocmp.Diff(slices.Sorted(maps.Keys(here)), slices.Sorted(maps.Keys(there))); diff != "" {
		t.Errorf("documents (-here +there):\n%s", diff)
	}
	for url, d := range here {
		// Duplicates are marked at the end of a local crawl, and in both places
		// by an export.
		if diff := gocmp.Diff(d, there[url], cmpopts.IgnoreFields(corpus.Document{}, "WARC", "Path", "DateFetched", "URL", "DuplicateOf")); diff != "" {
			t.Errorf("document %s (-here +there):\n%s", url, diff)
		}
	}
	t.Logf("%d documents here, %d there", len(here), len(there))
}

// The same web, topic and parameters lead to the same corpus in both places to
// run.
func TestSameAsLocal(t *testing.T) {
	t.Parallel()
	const topic = "../../topics/finance.topic"
	serve := func() (*demo.Web, string) {
		web := demo.New()
		srv := httptest.NewServer(web)
		t.Cleanup(srv.Close)
		return web, srv.URL
	}
	for _, tt := range []struct {
		name string
		seed uint64
	}{{"as it comes", 0}, {"round by round", 7}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			web, proxy := serve()
			m := &job.Message{Crawl: "same", Topic: "topics/finance.topic", Seeds: web.Seeds(), Limits: limits.Limits{MaxPages: 2000}, RandomSeed: tt.seed}
			there := crawlCloud(t, proxy, topic, m, 8*time.Minute)
			_, proxy = serve()
			wantSame(t, withoutMirrors(crawlHere(t, proxy, topic, m)), withoutMirrors(there))
		})
	}
}

// The same holds on the frozen news, by a strategy that ends before the budget: what is
// left of one goes to other links than here. The priority of a page's links depends on
// the pages before it (METHOD A10): only crawls in rounds agree on that.
func TestSameAsLocalFrozen(t *testing.T) {
	needEmulator(t)
	needNightly(t)
	t.Parallel()
	words, err := os.ReadFile("../../topics/finance.yaml")
	if err != nil {
		t.Fatal(err)
	}
	topic := filepath.Join(t.TempDir(), "finance.yaml")
	if err := os.WriteFile(topic, append(words, "strategy: semantic\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	m := &job.Message{
		Crawl: "same-news", Topic: "topics/finance.yaml", Seeds: []string{"http://www.portal.test/"},
		Limits: limits.Limits{MaxPages: 2000}, RandomSeed: 7, Contact: "mailto:ops@example.com",
	}
	there := crawlCloud(t, replayNews(t).URL, topic, m, 8*time.Minute)
	wantSame(t, crawlHere(t, replayNews(t).URL, topic, m), there)
}
