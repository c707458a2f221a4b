package replay

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/demo"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
	"sluice/topics"
)

// crawl crawls the demo web for finance by a strategy, reproducibly with a random
// seed, and archives the pages that the topic key "archive" names.
func crawl(t *testing.T, strategy, archive string, randomSeed uint64) string {
	t.Helper()
	source := append([]byte("strategy: "+strategy+"\narchive: "+archive+"\n"), topics.Finance...)
	compiled, err := topic.Read("finance.yaml", source)
	if err != nil {
		t.Fatal(err)
	}
	dir, web := filepath.Join(t.TempDir(), "crawl"), demo.New()
	c, err := local.Open(t.Context(), local.Spec{
		Dir: dir, Topic: compiled, Source: source, Seeds: web.Seeds(), Contact: "https://eval.invalid/", Version: "test",
		Transport: frozenweb.Transport{Handler: web}, RandomSeed: randomSeed, Limits: limits.Limits{MaxPages: 150},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context(), t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func run(t *testing.T, dir string, other *topic.Compiled, variants ...wholecrawl.Variant) *Result {
	t.Helper()
	r, err := Run(t.Context(), dir, other, variants...)
	if err != nil {
		t.Fatal(err)
	}
	l, p := &r.Links, &r.Pages
	if l.Followed != l.Still+l.NowDropped+l.Unreached || p.Kept != p.Still+p.Refused+p.Unreached || l.Judged < l.Followed+l.NowFollowed {
		t.Errorf("the sums differ: %+v", r)
	}
	return r
}

func TestReplay(t *testing.T) {
	t.Parallel()
	dir := crawl(t, rank.NameSemantic, corpus.ArchiveKept, 1)
	same := run(t, dir, nil)
	if l := &same.Links; l.NowDropped+l.Unreached+l.NowFollowed != 0 || l.Followed < 100 || l.Judged <= l.Followed || math.Abs(float64(l.Order)-1) > 1e-9 {
		t.Errorf("under its own rules the links of the crawl change: %+v", l)
	}
	if p := &same.Pages; p.Refused+p.Unreached+p.NowKept+p.Undecided != 0 || p.Still < 50 {
		t.Errorf("under its own rules the pages of the crawl change: %+v", p)
	}

	breadth := run(t, dir, nil, wholecrawl.Strategy(rank.NameBreadthFirst))
	if l := &breadth.Links; l.NowDropped != 0 || l.NowFollowed != l.Judged-l.Followed || len(l.MostFollowed) != examples || breadth.Pages.Undecided == 0 {
		t.Errorf("breadth-first does not follow all links: %+v", l)
	}
	if breadth.Before.Strategy != rank.NameSemantic || breadth.After.Strategy != rank.NameBreadthFirst {
		t.Errorf("strategies: %+v, %+v", breadth.Before, breadth.After)
	}

	dropped := 0
	for _, factor := range []float64{2, 20, 200} {
		r := run(t, dir, nil, wholecrawl.Priority(factor*same.Before.Threshold))
		l := &r.Links
		if l.NowDropped < dropped || l.Drops[rank.DropPriority] != l.NowDropped || l.NowFollowed != 0 {
			t.Errorf("threshold × %v: %+v", factor, l)
		}
		if dropped = l.NowDropped; factor == 200 && (dropped == 0 || r.Pages.Unreached == 0 || l.MostDropped[0].Rule != rank.DropPriority) {
			t.Errorf("threshold × %v: %+v, %+v", factor, l, r.Pages)
		}
	}

	source := []byte("name: teams\nstrategy: semantic\nlanguage: zh\nwords: [球队, 比赛, 联赛]\nthresholds: {description: 0.1, priority: 0.1}\n")
	teams, err := topic.Read("teams.yaml", source)
	if err != nil {
		t.Fatal(err)
	}
	other := run(t, dir, teams)
	if l, p := &other.Links, &other.Pages; l.NowDropped < l.Followed/2 || l.ByTitle == 0 || p.Still > p.Kept/10 || other.After.Topic != "teams" {
		t.Errorf("another topic: %+v, %+v", l, p)
	}
	nan := cmp.Comparer(func(a, b metric.Number) bool { return a == b || a != a && b != b })
	if diff := cmp.Diff(other, run(t, dir, teams), nan); diff != "" {
		t.Errorf("the second time (-first +second):\n%s", diff)
	}
}

// A crawl that follows weak links is decided again by a strategy that drops them.
func TestReplayOfWeakLinks(t *testing.T) {
	t.Parallel()
	dir := crawl(t, rank.NameBestFirst, corpus.ArchiveAll, 1)
	same := run(t, dir, nil)
	if l, p := &same.Links, &same.Pages; l.NowDropped+l.Unreached+l.NowFollowed != 0 || p.Refused+p.NowKept+p.Undecided != 0 || math.Abs(float64(l.Order)-1) > 1e-9 {
		t.Errorf("under its own rules the crawl changes: %+v, %+v", l, p)
	}
	semantic := run(t, dir, nil, wholecrawl.Strategy(rank.NameSemantic))
	if l := &semantic.Links; l.NowDropped == 0 || l.Drops[rank.DropAnchor] == 0 || l.Drops[rank.DropPriority] == 0 || l.NowFollowed != 0 {
		t.Errorf("semantic: %+v", l)
	}
	hybrid := run(t, dir, nil, wholecrawl.Strategy(rank.NameHybrid))
	if l, p := &hybrid.Links, &hybrid.Pages; l.NowDropped+l.Unreached+l.NowFollowed != 0 || p.Still != p.Kept {
		t.Errorf("hybrid: %+v, %+v", l, p)
	}
	// Without what the pages have taught it, its order is that of eq. 5 alone.
	if l := &hybrid.Links; l.Order > 0.9 {
		t.Errorf("hybrid has learned nothing: its order correlates by %v", l.Order)
	}
	if _, err := Run(t.Context(), t.TempDir(), nil); err == nil {
		t.Error("a folder without a crawl was replayed")
	}
}

// Pages that were not kept are decided by another topic where their text is known: of
// all of them with the whole archive, else of those that the crawl held for a while.
func TestReplayOfRejects(t *testing.T) {
	t.Parallel()
	for _, archive := range []string{corpus.ArchiveKept, corpus.ArchiveAll} {
		t.Run(archive, func(t *testing.T) {
			t.Parallel()
			bubble.Test(t, func(t *testing.T) { replayRejects(t, archive) })
		})
	}
}

func replayRejects(t *testing.T, archive string) {
	t.Helper()
	dir := crawl(t, rank.NameBestFirst, archive, 0)
	same := run(t, dir, nil)
	if l, p := &same.Links, &same.Pages; l.NowDropped+l.Unreached+l.NowFollowed != 0 || p.NowKept+p.Undecided != 0 {
		t.Errorf("under its own rules the crawl changes: %+v, %+v", l, p)
	}
	folder, err := local.OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	status, err := folder.Status(t.Context())
	if err = errors.Join(err, folder.Close()); err != nil {
		t.Fatal(err)
	}
	source := append([]byte("strategy: best-first\n"), bytes.Replace(topics.Finance, []byte("name: finance"), []byte("name: money"), 1)...)
	lower, err := topic.Read("money.yaml", source)
	if err != nil {
		t.Fatal(err)
	}
	lower.File.Thresholds.Body /= 20
	other := run(t, dir, lower)
	if p := &other.Pages; p.NowKept == 0 || (p.Undecided == 0) != (archive == corpus.ArchiveAll) || p.NowKept+p.Undecided > int(status.Passed+status.Rejected) {
		t.Errorf("of %d and %d pages by a lower threshold: %+v", status.Passed, status.Rejected, p)
	}
}
