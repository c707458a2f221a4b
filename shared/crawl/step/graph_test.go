package step_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/corpus/corpustest"
	"sluice/shared/state/forget"
)

// If its plan wants the graph, a crawl records the links of every page that it
// reads, kept or not, followed or dropped.
func TestGraph(t *testing.T) {
	t.Parallel()
	for name, graph := range map[string]bool{"wanted": true, "not wanted": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, `
-- http://a.test/kept --
<title>股市</title>$TEXT<a href=/strong>银行</a><a href=/weak>天气</a><a href=/ad rel=nofollow>股市</a><a href=http://forgotten.test/>银行</a>
-- http://a.test/passed --
<title>天气</title>$TEXT<a href=/weak>天气</a>
-- http://a.test/closed --
<title>股市</title><meta name=robots content=nofollow>$TEXT<a href=/strong>银行</a>
`)
			w.plan.Graph = graph
			target, err := forget.Parse("http://forgotten.test/")
			if err != nil {
				t.Fatal(err)
			}
			w.plan.Forgotten = forget.NewSet([]forget.Target{target}).List()
			w.run(t, link("http://a.test/kept"), link("http://a.test/passed"), link("http://a.test/closed"))
			want := map[string][]string{}
			if graph {
				want["http://a.test/kept"] = []string{"http://a.test/strong", "http://a.test/weak"}
				want["http://a.test/passed"] = []string{"http://a.test/weak"}
			}
			if diff := cmp.Diff(want, w.edges(t)); diff != "" {
				t.Errorf("edges (-want +got):\n%s", diff)
			}
		})
	}
}

// edges reads the graph from the WARC files.
func (w *world) edges(t *testing.T) map[string][]string {
	t.Helper()
	got := map[string][]string{}
	for _, rec := range corpustest.Archived(t, w.dir, "warc", "*") {
		if links := rec.Outlinks(); links != nil {
			got[rec.TargetURI] = links
		}
	}
	return got
}
