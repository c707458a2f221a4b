package step_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/fixture"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/rank"
	"sluice/shared/rank/urlshape"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
	"sluice/shared/web/urlnorm"
)

const crawlID = "test"

// clock stands still unless it is moved or begun; then it runs a thousand
// times as fast as the world's, so that nothing has to be waited for.
type clock struct {
	ahead atomic.Int64
	begun time.Time
}

func (c *clock) now() time.Time {
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC).Add(time.Duration(c.ahead.Load()))
	if !c.begun.IsZero() {
		at = at.Add(1000 * time.Since(c.begun))
	}
	return at
}

func (c *clock) advance(d time.Duration) { c.ahead.Add(int64(d)) }

// segmenter is loaded once for all tests.
var segmenter = sync.OnceValues(func() (*segment.Segmenter, error) {
	return segment.New([]string{"股市", "银行"})
})

// world is a step over the local stores, with a web in memory around it.
// Tests change plan, ports and opts before the first run.
type world struct {
	id     string // of the crawl
	dir    string
	clock  *clock
	web    *web
	store  *sqlitestore.Store
	corpus *filecorpus.Corpus

	plan  *step.Plan
	ports step.Ports
	opts  step.Options

	step  *step.Step
	tasks int
}

// newWorld makes a crawl of archive (see web) about 股市 and 银行. A title of
// these two words alone has relevance 1, and so has such an anchor.
func newWorld(t testing.TB, archive string) *world {
	t.Helper()
	return newWorldAt(t, archive, &clock{})
}

func newWorldAt(t testing.TB, archive string, c *clock) *world {
	t.Helper()
	w := &world{id: crawlID, dir: t.TempDir(), clock: c, plan: newPlan(t)}
	w.web = newWeb(t, c, archive)
	w.opts = step.Options{Now: c.now, Patience: time.Nanosecond}
	w.open(t, sqlitestore.Options{Now: c.now, Poll: time.Millisecond, Visibility: 24 * time.Hour})
	return w
}

func newPlan(t testing.TB) *step.Plan {
	t.Helper()
	seg, err := segmenter()
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]float64{"股市": 1, "银行": 1}
	return &step.Plan{
		Reader: &reading.Reader{
			Topic: "money", TopicVersion: "v1", Language: "zh", Segmenter: seg,
			Lexicon:              topic.Compile(words, words, 1, topic.SameWord, []string{"股市", "银行"}),
			DescriptionThreshold: 0.3,
			Cover:                true,
		},
		PriorityThreshold: 0.45,
		Strategy:          rank.Semantic{Weights: rank.Weights{Alpha: 0.1, Beta: 1, Lambda: 0.01}, Threshold: 0.45},
		Structure:         urlshape.DefaultParams(urlshape.FormPath), SampleSize: 25,
		Scope: scope(t, urlnorm.ModeAny), MaxDepth: 50, PagesPerHost: 1000,
	}
}

func scope(t testing.TB, mode urlnorm.Mode, seeds ...string) *urlnorm.Scope {
	t.Helper()
	var urls []urlnorm.URL
	for _, s := range seeds {
		u, err := urlnorm.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, u)
	}
	sc, err := urlnorm.NewScope(mode, urls, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// open opens the stores and puts the ports on them.
func (w *world) open(t testing.TB, opts sqlitestore.Options) {
	t.Helper()
	var err error
	if w.store, err = sqlitestore.Open(filepath.Join(w.dir, "state.db"), opts); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.store.Close(); err != nil {
			t.Error(err)
		}
	})
	if w.corpus, err = filecorpus.Open(w.dir, filecorpus.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.corpus.Close(); err != nil {
			t.Error(err)
		}
	})
	guard, err := fetch.NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	st := w.store
	w.ports = step.Ports{
		Fetch: w.web, Guard: guard,
		Robots: &hosts.Robots{Client: w.web, Cache: st.Robots(), Now: opts.Now},
		Leases: st.Leases(), Ledger: st.Ledger(), History: st.Ledger(), Decisions: st.Ledger(),
		Backlog: st.Backlog(), Raiser: st.Backlog(), Dead: st.Queue(), Corpus: w.corpus, Coverages: st.Coverages(),
	}
}

// link is a link as a page would have brought it; seed is one the user named.
func link(url string) frontier.Link { return frontier.Link{URL: url, Seed: url, Priority: 1} }
func seed(url string) frontier.Link {
	return frontier.Link{URL: url, Seed: url, IsSeed: true, Priority: 1e6}
}

func authority(t testing.TB, url string) string {
	t.Helper()
	u, err := urlnorm.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	return u.Authority()
}

// task makes a task of links, which are all of one host.
func (w *world) task(t testing.TB, links ...frontier.Link) *frontier.Task {
	t.Helper()
	w.tasks++
	return &frontier.Task{
		ID: fmt.Sprint("task", w.tasks), Crawl: w.id, Host: authority(t, links[0].URL), Links: links, FirstEnqueued: w.clock.now(),
	}
}

// try runs the step on a task.
func (w *world) try(t testing.TB, task *frontier.Task) (*step.Outcome, error) {
	t.Helper()
	return w.tryCtx(t.Context(), task)
}

func (w *world) tryCtx(ctx context.Context, task *frontier.Task) (*step.Outcome, error) {
	if w.step == nil {
		w.step = step.New(w.plan, w.ports, w.opts)
	}
	w.tasks++
	return w.step.Run(ctx, task, step.Grant{Owner: fmt.Sprint("owner", w.tasks)})
}

// run runs the step on a task of links, which has to go well.
func (w *world) run(t testing.TB, links ...frontier.Link) *step.Outcome {
	t.Helper()
	out, err := w.try(t, w.task(t, links...))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// crawl plays the engine until nothing is left to do, one task at a time and
// without waiting: the clock jumps to where a task may go on.
func (w *world) crawl(t testing.TB, links ...frontier.Link) {
	t.Helper()
	var todo []*frontier.Task
	for _, l := range links {
		todo = append(todo, w.task(t, l))
	}
	for n := 0; len(todo) > 0; n++ {
		if n > 2000 {
			t.Fatal("the crawl does not end")
		}
		out, err := w.try(t, todo[0])
		if err != nil {
			t.Fatal(err)
		}
		todo = todo[1:]
		for _, rest := range out.Rest {
			w.clock.advance(rest.Delay)
			todo = append(todo, rest.Task)
		}
		for _, host := range out.Hosts {
			todo = append(todo, w.take(t, host)...)
		}
	}
}

// take moves what waits for a host into tasks.
func (w *world) take(t testing.TB, host string) []*frontier.Task {
	t.Helper()
	b := w.store.Backlog()
	var tasks []*frontier.Task
	for {
		links, err := b.Best(t.Context(), w.id, host, 1<<20, frontier.MaxLinks)
		if err != nil {
			t.Fatal(err)
		}
		if len(links) == 0 {
			return tasks
		}
		var urls []string
		for _, l := range links {
			urls = append(urls, l.URL)
		}
		if err := b.Remove(t.Context(), w.id, host, urls); err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, w.task(t, links...))
	}
}

// trail is what the store knows of a URL.
func (w *world) trail(t testing.TB, url string) *sqlitestore.Trail {
	t.Helper()
	trail, err := w.store.Explain(t.Context(), w.id, url)
	if err != nil {
		t.Fatal(err)
	}
	return trail
}

// fate is what became of a URL, in two words at most: "kept", "rejected
// http_404", "dropped scope", "waiting", "absent".
func (w *world) fate(t testing.TB, url string) string {
	t.Helper()
	switch trail := w.trail(t, url); {
	case trail.Entry != nil && trail.Entry.Rule != "":
		return string(trail.Entry.Verdict) + " " + trail.Entry.Rule
	case trail.Entry != nil:
		return string(trail.Entry.Verdict)
	case trail.Waiting != nil:
		return "waiting"
	case trail.Dropped != nil:
		return "dropped " + trail.Dropped.Rule
	case trail.State == ledger.Absent:
		return "absent"
	}
	return "queued"
}

// wantFates compares the fates of URLs with those that they should have.
func (w *world) wantFates(t testing.TB, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, w.fates(t, want)); diff != "" {
		t.Errorf("fates (-want +got):\n%s", diff)
	}
}

// fates is fate for all the URLs in want, so that the two can be compared.
func (w *world) fates(t testing.TB, want map[string]string) map[string]string {
	t.Helper()
	got := map[string]string{}
	for url := range want {
		got[url] = w.fate(t, url)
	}
	return got
}

// documents reads the corpus, by final URL, rejects the rejects, by URL. A
// record that is there twice fails the test.
func (w *world) documents(t testing.TB) map[string]corpus.Document {
	t.Helper()
	return records(t, w.dir, "corpus", func(d corpus.Document) string { return d.FinalURL })
}

func (w *world) rejects(t testing.TB) map[string]corpus.Reject {
	t.Helper()
	return records(t, w.dir, "rejects", func(r corpus.Reject) string { return r.URL })
}

func records[R any](t testing.TB, dir, kind string, key func(R) string) map[string]R {
	t.Helper()
	out := map[string]R{}
	for _, r := range fixture.Lines[R](t, dir, kind, "*.jsonl") {
		if _, twice := out[key(r)]; twice {
			t.Errorf("%s is in %s twice", key(r), kind)
		}
		out[key(r)] = r
	}
	return out
}

// history draws all of the history.
func (w *world) history(t testing.TB, round int) []string {
	t.Helper()
	urls, err := w.store.Ledger().Sample(t.Context(), w.id, round, 1000, newRand())
	if err != nil {
		t.Fatal(err)
	}
	return urls
}
