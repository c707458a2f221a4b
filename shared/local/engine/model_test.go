package engine_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/fixture"
	"sluice/shared/local/engine"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/rank"
	"sluice/shared/rank/urlshape"
	"sluice/shared/short"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
	"sluice/shared/web/urlnorm"
)

const crawlID = "model"

// clock runs a thousand times as fast as the world's, so that nothing has to
// be waited for, and can jump.
type clock struct {
	start time.Time
	ahead atomic.Int64
}

func newClock() *clock { return &clock{start: time.Now()} }

func (c *clock) now() time.Time {
	return c.start.Add(1000*time.Since(c.start) + time.Duration(c.ahead.Load()))
}

func (c *clock) jump(d time.Duration) { c.ahead.Add(int64(d)) }

// leaseTime is long enough for a page on a slow machine by that clock.
const leaseTime = 12 * time.Hour

// world is a crawl's folder and the web around it; processes come and go.
type world struct {
	dir   string
	web   *web
	plan  *step.Plan
	clock *clock
	chaos chaos
}

// segmenter is loaded once for all worlds.
var segmenter = sync.OnceValues(func() (*segment.Segmenter, error) {
	return segment.New([]string{"股市", "银行"})
})

func newWorld(t *testing.T) *world {
	t.Helper()
	seg, err := segmenter()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := urlnorm.Parse(pageURL(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	scope, err := urlnorm.NewScope(urlnorm.ModeAny, []urlnorm.URL{seed}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]float64{"股市": 1, "银行": 1}
	return &world{
		dir: t.TempDir(), web: newWeb(), clock: newClock(),
		chaos: chaos{rng: rand.New(rand.NewPCG(1, 2))},
		plan: &step.Plan{
			Reader: &reading.Reader{
				Topic: "model", Language: "zh", Segmenter: seg,
				Lexicon:              topic.Compile(words, words, 1, topic.SameWord, []string{"股市", "银行"}),
				DescriptionThreshold: 0.1,
			},
			PriorityThreshold: 0.45, Strategy: rank.Semantic{Weights: rank.Weights{Alpha: 0.1, Beta: 1, Lambda: 0.01}, Threshold: 0.45},
			Structure: urlshape.DefaultParams(urlshape.FormPath), SampleSize: 5,
			Scope: scope, MaxDepth: 100, PagesPerHost: 1000, Seed: 7,
		},
	}
}

// live runs one process until its crawl ends or its effects are used up.
// It returns the number of effects.
func (w *world) live(t *testing.T, dies int64, workers int) (int64, error) {
	t.Helper()
	ctx := t.Context()
	p := &process{dies: dies}
	st, err := sqlitestore.Open(filepath.Join(w.dir, "state.db"), sqlitestore.Options{
		Poll: time.Millisecond, Visibility: leaseTime, MaxReceives: 50, Now: w.clock.now,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer closeOf(t, st)
	files, err := filecorpus.Open(w.dir, filecorpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeOf(t, files)
	if err := st.Recover(ctx, 0); err != nil {
		t.Fatal(err)
	}
	guard, err := fetch.NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	runner := step.New(w.plan, step.Ports{
		Fetch: w.web, Guard: guard,
		Robots: &hosts.Robots{Client: w.web, Cache: st.Robots(), Now: w.clock.now},
		Leases: leases{st.Leases(), p}, Ledger: states{st.Ledger(), p}, History: st.Ledger(), Decisions: decisions{st.Ledger(), p},
		Backlog: backlog{st.Backlog(), p}, Raiser: st.Backlog(), Dead: dead{st.Queue(), p}, Corpus: store{files, p},
	}, step.Options{Now: w.clock.now, MaxAttempts: 20, LeaseTime: leaseTime, TaskTime: leaseTime})
	q := &queue{st.Queue(), p, w.chaos}
	seed := frontier.Link{URL: pageURL(0, 1), Seed: pageURL(0, 1), IsSeed: true, Priority: 1e6, Round: 1}
	if err := plant(ctx, st, seed); err != nil {
		t.Fatal(err)
	}
	eng := engine.New(engine.Ports{
		Step: runner, Queue: q, Gauge: st.Queue(), Dead: dead{st.Queue(), p}, Rounds: st,
		Feeder: &frontier.Feeder{
			Crawl: crawlID, Backlog: backlog{st.Backlog(), p}, Hosts: st.Backlog(), Queue: q, Gauge: st.Queue(),
			TaskLinks: 3, Now: w.clock.now,
		},
	}, engine.Options{Crawl: crawlID, Workers: workers, MaxPages: 1000})
	_, err = eng.Run(ctx, ctx)
	return p.effects.Load(), err
}

// closeOf closes c, which must not fail.
func closeOf(t *testing.T, c io.Closer) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func plant(ctx context.Context, st *sqlitestore.Store, seed frontier.Link) error {
	s, err := st.Ledger().States(ctx, crawlID, []string{seed.URL})
	if err != nil || s[0] != ledger.Absent {
		return err
	}
	if err := st.Backlog().Add(ctx, crawlID, []frontier.Link{seed}); err != nil {
		return err
	}
	return st.Ledger().MarkQueued(ctx, crawlID, []string{seed.URL})
}

// check compares what is in the folder with the model. Pages may have been
// asked for again up to so many times.
func (w *world) check(t *testing.T, inFlight int) {
	t.Helper()
	fetched, kept := expected()
	got := map[string]int{}
	for _, d := range fixture.Lines[corpus.Document](t, w.dir, "corpus", "*.jsonl") {
		got[d.FinalURL]++
	}
	want := map[string]int{}
	for u := range kept {
		want[u] = 1
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	w.web.mu.Lock()
	defer w.web.mu.Unlock()
	if diff := cmp.Diff(slices.Sorted(maps.Keys(fetched)), slices.Sorted(maps.Keys(w.web.asked))); diff != "" {
		t.Errorf("pages asked for (-want +got):\n%s", diff)
	}
	again := 0
	for _, n := range w.web.asked {
		again += n - 1
	}
	if again > inFlight {
		t.Errorf("%d pages were asked for again, at most %d may have been in flight", again, inFlight)
	}
	if w.web.worst > 1 && !w.chaos.jumps {
		t.Errorf("%d requests in flight on one host", w.web.worst)
	}
	w.checkTotals(t, len(fetched), len(kept))
}

// checkTotals checks that the state adds up and nothing is left over.
func (w *world) checkTotals(t *testing.T, fetched, kept int) {
	t.Helper()
	st, err := sqlitestore.OpenReader(filepath.Join(w.dir, "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer closeOf(t, st)
	totals, err := st.Ledger().Totals(t.Context(), crawlID)
	if err != nil {
		t.Fatal(err)
	}
	if totals.Fetched != int64(fetched) || totals.Verdicts[ledger.Kept] != int64(kept) {
		t.Errorf("totals say %d fetched, %d kept, want %d and %d", totals.Fetched, totals.Verdicts[ledger.Kept], fetched, kept)
	}
	if n, err := st.Queue().Queued(t.Context(), crawlID, ""); err != nil || n != 0 {
		t.Errorf("%d links are left in the queue (%v)", n, err)
	}
	if n, err := st.Backlog().Len(t.Context(), crawlID); err != nil || n != 0 {
		t.Errorf("%d links are left in the backlog (%v)", n, err)
	}
}

// TestCrashAfterEveryEffect kills the process after its first effect, after
// its second, and so on to the last, and lets another finish the crawl: by
// the model, nothing may be lost and nothing may be there twice.
func TestCrashAfterEveryEffect(t *testing.T) {
	total, err := newWorld(t).live(t, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a crawl has %d effects", total)
	step := int64(short.Every(t, 7))
	for dies := int64(1); dies < total; dies += step {
		t.Run(fmt.Sprint(dies), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if _, err := w.live(t, dies, 1); err == nil {
				t.Fatal("the process did not die")
			}
			if _, err := w.live(t, 0, 1); err != nil {
				t.Fatal(err)
			}
			w.check(t, 1)
		})
	}
}

// TestCrashAgainAndAgain kills one process after another, with several tasks
// in progress, duplicates, reordering and leases that run out meanwhile.
func TestCrashAgainAndAgain(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			const workers = 3
			w := newWorld(t)
			rng := rand.New(rand.NewPCG(seed, 99))
			w.chaos = chaos{rng: rand.New(rand.NewPCG(seed, 1)), duplicates: seed%2 == 0, shuffle: true}
			crashes := 0
			for crashes < 40 {
				_, err := w.live(t, 5+rng.Int64N(60), workers)
				if err == nil {
					break
				}
				crashes++
				w.clock.jump(time.Duration(rng.IntN(600)) * time.Second)
			}
			if _, err := w.live(t, 0, workers); err != nil {
				t.Fatal(err)
			}
			w.check(t, crashes*workers)
		})
	}
}

// TestLeasesRunOut lets all leases and visibility timeouts end in the middle
// of everything, again and again, so that several workers believe a page is
// theirs. Pages may be asked for twice then; the corpus has them once.
func TestLeasesRunOut(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.chaos = chaos{rng: rand.New(rand.NewPCG(seed, 1)), shuffle: true, jumps: true}
			w.web.slow = func() { w.clock.jump(2 * leaseTime) }
			if _, err := w.live(t, 0, 4); err != nil {
				t.Fatal(err)
			}
			w.check(t, math.MaxInt)
		})
	}
}

// TestNoCrash is the model against a crawl that nothing disturbs, exactly
// once, with one worker and with many.
func TestNoCrash(t *testing.T) {
	for _, workers := range []int{1, 8} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			w := newWorld(t)
			if _, err := w.live(t, 0, workers); err != nil {
				t.Fatal(err)
			}
			w.check(t, 0)
		})
	}
}

// TestServerFails lets every third request fail at first: each page still
// comes in once.
func TestServerFails(t *testing.T) {
	w := newWorld(t)
	w.web.fail = func(url string, asked int) bool { return asked == 1 && (url[len(url)-1]-48)%2 == 0 }
	if _, err := w.live(t, 0, 4); err != nil {
		t.Fatal(err)
	}
	fetched, _ := expected()
	w.check(t, len(fetched))
}
