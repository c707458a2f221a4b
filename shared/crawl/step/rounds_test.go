package step_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/crawl/step"
	"sluice/shared/local/engine"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// Pages of one round must not see each other in the history: which of them
// was faster would decide. Only those of earlier rounds vote.
func TestVoteUsesEarlierRounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- http://a.test/news/1001.html --
<title>股市</title>$TEXT
-- http://a.test/news/1003.html --
<title>股市</title>$TEXT<a href=/news/1004.html>股市</a>
-- http://a.test/news/1005.html --
<title>股市</title>$TEXT<a href=/news/1006.html>股市</a>
`)
	w.plan.Seed = 1
	in := func(round int, url string) frontier.Link { l := link(url); l.Round = round; return l }
	w.run(t, in(2, "http://a.test/news/1001.html"))
	w.run(t, in(2, "http://a.test/news/1003.html"))
	w.run(t, in(3, "http://a.test/news/1005.html"))
	for url, want := range map[string]frontier.Link{
		"http://a.test/news/1004.html": {Round: 3, Parts: frontier.Parts{Structure: 0}},
		"http://a.test/news/1006.html": {Round: 4, Parts: frontier.Parts{Structure: 1}},
	} {
		l := w.trail(t, url).Waiting
		if l.Round != want.Round || l.Parts.Structure != want.Parts.Structure {
			t.Errorf("%s waits for round %d with structure %v, want %d and %v", url, l.Round, l.Parts.Structure, want.Round, want.Parts.Structure)
		}
	}
}

// Without a random seed there are no rounds, and the whole history votes.
func TestNoRoundsWithoutSeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flow)
	w.run(t, link("http://a.test/on"))
	if l := w.trail(t, "http://a.test/both").Waiting; l.Round != 0 {
		t.Errorf("the link waits for round %d", l.Round)
	}
}

const (
	bigHosts = 4
	bigPages = 40 // on each host
)

// bigWeb is a web in which much depends on who was faster, if anything may:
// each page is linked from many, under anchors that are often as good as each
// other, pages redirect, and hosts are of different size.
func bigWeb() string {
	var b strings.Builder
	rng := newRand()
	place := func(host, n int) string {
		return fmt.Sprintf("http://h%d.test/%s/%d", host, []string{"news", "blog/post"}[n%2], n)
	}
	titles := []string{"股市", "银行", "股市新闻", "晴朗的天气预报", "多云"}
	anchors := []string{"股市", "银行", "股市新闻", "晴朗的天气预报和股市", "天气预报"}
	for h := range bigHosts {
		for n := range bigPages {
			fmt.Fprintf(&b, "-- %s --\n", place(h, n))
			if n%11 == 10 {
				fmt.Fprintf(&b, "302 %s\n", place(rng.IntN(bigHosts), rng.IntN(bigPages)))
				continue
			}
			fmt.Fprintf(&b, "<title>%s %d</title>$TEXT", titles[rng.IntN(len(titles))], n)
			for range 6 {
				fmt.Fprintf(&b, "<a href=%s>%s</a>", place(rng.IntN(bigHosts), rng.IntN(bigPages)), anchors[rng.IntN(len(anchors))])
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// result is all that a crawl leaves, as far as it must not depend on time.
type result struct {
	Documents map[string]corpus.Document
	Rejects   map[string]string // URL → rule
	Fetched   int64
	Verdicts  map[ledger.Verdict]int64
	Asked     []string
}

// reproduce crawls the big web by a strategy with the local engine.
func reproduce(t *testing.T, strategy string, workers int, maxPages int64, randomSeed uint64) result {
	t.Helper()
	w := newWorldAt(t, bigWeb(), &clock{begun: time.Now()})
	w.plan.Seed = randomSeed
	w.plan.PagesPerHost = 30
	w.plan.JudgeText = !rank.DropsWeak(strategy)
	// The vote decides about links.
	var err error
	settings := rank.Settings{Weights: rank.Weights{Alpha: 0.1, Beta: 1, Lambda: 0.2}, Threshold: 0.45}
	if w.plan.Strategy, err = rank.New(strategy, settings); err != nil {
		t.Fatal(err)
	}
	w.plan.SampleSize = 1
	w.engine(t, workers, maxPages, seed("http://h0.test/news/0"), seed("http://h1.test/blog/post/1"))
	totals, err := w.store.Ledger().Totals(t.Context(), crawlID)
	if err != nil {
		t.Fatal(err)
	}
	r := result{
		Documents: w.documents(t), Rejects: map[string]string{},
		Fetched: totals.Fetched, Verdicts: totals.Verdicts, Asked: slices.Sorted(maps.Keys(w.web.requests())),
	}
	for url, reject := range w.rejects(t) {
		r.Rejects[url] = reject.Rule
	}
	return r
}

// engine crawls from seeds with the local engine.
func (w *world) engine(t *testing.T, workers int, maxPages int64, seeds ...frontier.Link) {
	t.Helper()
	w.opts.TaskTime, w.opts.LeaseTime = 10*time.Hour, 12*time.Hour
	st := w.store
	for i := range seeds {
		seeds[i].Round = 1
	}
	if err := st.Backlog().Add(t.Context(), crawlID, seeds); err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Ports{
		Step: step.New(w.plan, w.ports, w.opts), Queue: st.Queue(), Gauge: st.Queue(), Dead: st.Queue(), Rounds: st,
		Feeder: &frontier.Feeder{
			Crawl: crawlID, Backlog: st.Backlog(), Hosts: st.Backlog(), Queue: st.Queue(), Gauge: st.Queue(),
			TaskLinks: 4, Now: w.opts.Now,
		},
	}, engine.Options{Crawl: crawlID, Workers: workers, MaxPages: maxPages})
	if _, err := e.Run(t.Context(), t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestReproducible crawls the same web with the same random seed under one
// worker and under eight: the same pages, found the same way, also where the
// budget ends in the middle of a round.
func TestReproducible(t *testing.T) {
	t.Parallel()
	ignore := cmp.Options{
		cmpopts.IgnoreFields(corpus.Document{}, "DateFetched", "WARC", "DatePublished"),
	}
	for _, strategy := range []string{rank.NameSemantic, rank.NameHybrid} {
		for _, maxPages := range []int64{1000, 37} {
			t.Run(fmt.Sprint(strategy, maxPages), func(t *testing.T) {
				t.Parallel()
				one := reproduce(t, strategy, 1, maxPages, 42)
				if one.Fetched > maxPages || len(one.Documents) < 10 {
					t.Fatalf("%d pages fetched, %d kept: not the crawl this test is about", one.Fetched, len(one.Documents))
				}
				for range 3 {
					eight := reproduce(t, strategy, 8, maxPages, 42)
					if diff := cmp.Diff(one, eight, ignore); diff != "" {
						t.Fatalf("one worker (-), eight (+):\n%s", diff)
					}
				}
			})
		}
	}
}

// Another random seed draws another sample: the seed is really used.
func TestSeedMatters(t *testing.T) {
	t.Parallel()
	a, b := reproduce(t, rank.NameSemantic, 4, 1000, 42), reproduce(t, rank.NameSemantic, 4, 1000, 43)
	if cmp.Equal(a.Asked, b.Asked) {
		t.Error("two random seeds lead to the same pages")
	}
}
