package step_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/rank"
	"sluice/shared/state/corpus/corpustest"
	"sluice/shared/state/forget"
	"sluice/shared/web/urlnorm"
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

// readsGraph notes the links that it is shown.
type readsGraph struct {
	rank.BreadthFirst
	links map[string][]string
}

func (s readsGraph) ReadLinks(page urlnorm.URL, links []urlnorm.URL) {
	for _, l := range links {
		s.links[page.String()] = append(s.links[page.String()], l.String())
	}
}

// A strategy that reads the graph is shown the links that may be followed, unless the
// crawl must not depend on the order of pages.
func TestReadLinks(t *testing.T) {
	t.Parallel()
	for seed, want := range map[uint64]map[string][]string{
		0: {"http://a.test/": {"http://a.test/one", "http://a.test/two"}},
		7: {},
	} {
		w := newWorld(t, `
-- http://a.test/ --
<title>天气</title><a href=/one>天气</a><a href=/no rel=nofollow>股市</a><a href=/two>天气</a>
-- http://a.test/closed --
<title>股市</title><meta name=robots content=nofollow><a href=/one>天气</a>`)
		s := readsGraph{links: map[string][]string{}}
		w.plan.Strategy, w.plan.Seed = s, seed
		w.run(t, link("http://a.test/"), link("http://a.test/closed"))
		if diff := cmp.Diff(want, s.links); diff != "" {
			t.Errorf("random seed %d: links (-want +got):\n%s", seed, diff)
		}
	}
}
