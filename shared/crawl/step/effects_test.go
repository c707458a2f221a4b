package step_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/crawl/step"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
)

// effects lets a test see every effect of a step, by the name of its method
// and the URL or host it is about, before it happens, one at a time. see may
// refuse it with an error, or panic.
type effects struct {
	mu  sync.Mutex
	see func(effect, of string) error
}

func (e *effects) on(effect, of string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.see(effect, of)
}

// watch puts effects in front of the ports.
func (w *world) watch(see func(effect, of string) error) {
	e := &effects{see: see}
	w.ports.Backlog = backlog{w.ports.Backlog, e}
	w.ports.Ledger = states{w.ports.Ledger, e}
	w.ports.Leases = leases{w.ports.Leases, e}
	w.ports.Decisions = decisions{w.ports.Decisions, e}
	w.ports.Dead = dead{w.ports.Dead, e}
	w.ports.Corpus = store{w.ports.Corpus, e}
	w.ports.Coverages = coverages{w.ports.Coverages, e}
}

type backlog struct {
	frontier.Backlog
	e *effects
}

func (b backlog) Add(ctx context.Context, id string, links []frontier.Link) error {
	if err := b.e.on("Add", links[0].URL); err != nil {
		return err
	}
	return b.Backlog.Add(ctx, id, links)
}

func (b backlog) Close(ctx context.Context, id, host, rule string) error {
	if err := b.e.on("Close", host); err != nil {
		return err
	}
	return b.Backlog.Close(ctx, id, host, rule)
}

type coverages struct {
	job.Coverages
	e *effects
}

func (c coverages) Cover(ctx context.Context, id string, more job.Coverage) error {
	if err := c.e.on("Cover", id); err != nil {
		return err
	}
	return c.Coverages.Cover(ctx, id, more)
}

type states struct {
	ledger.Ledger
	e *effects
}

func (s states) States(ctx context.Context, id string, urls []string) ([]ledger.State, error) {
	if err := s.e.on("States", urls[0]); err != nil {
		return nil, err
	}
	return s.Ledger.States(ctx, id, urls)
}

func (s states) MarkQueued(ctx context.Context, id string, urls []string) error {
	if err := s.e.on("MarkQueued", urls[0]); err != nil {
		return err
	}
	return s.Ledger.MarkQueued(ctx, id, urls)
}

func (s states) Complete(ctx context.Context, id string, ends []ledger.End) ([]error, error) {
	for _, end := range ends {
		if err := s.e.on("Complete", end.URL); err != nil {
			return nil, err
		}
	}
	return s.Ledger.Complete(ctx, id, ends)
}

type leases struct {
	hosts.Leases
	e *effects
}

func (l leases) Acquire(ctx context.Context, id, host, owner string, ttl time.Duration) (*hosts.Lease, error) {
	if err := l.e.on("Acquire", host); err != nil {
		return nil, err
	}
	return l.Leases.Acquire(ctx, id, host, owner, ttl)
}

func (l leases) Release(ctx context.Context, id string, lease *hosts.Lease) error {
	if err := l.e.on("Release", lease.Host); err != nil {
		return err
	}
	return l.Leases.Release(ctx, id, lease)
}

type decisions struct {
	ledger.Decisions
	e *effects
}

func (d decisions) Drop(ctx context.Context, id string, ds []ledger.Decision) error {
	if err := d.e.on("Drop", ds[0].Link.URL); err != nil {
		return err
	}
	return d.Decisions.Drop(ctx, id, ds)
}

type dead struct {
	frontier.DeadLetters
	e *effects
}

func (d dead) Bury(ctx context.Context, t *frontier.Task, reason string) error {
	if err := d.e.on("Bury", t.Links[0].URL); err != nil {
		return err
	}
	return d.DeadLetters.Bury(ctx, t, reason)
}

type store struct {
	corpus.Store
	e *effects
}

func (s store) Put(ctx context.Context, x *corpus.Exchange, d *corpus.Document) (corpus.Location, error) {
	if err := s.e.on("Put", d.FinalURL); err != nil {
		return corpus.Location{}, err
	}
	return s.Store.Put(ctx, x, d)
}

func (s store) Reject(ctx context.Context, r *corpus.Reject) error {
	if err := s.e.on("Reject", r.FinalURL); err != nil {
		return err
	}
	return s.Store.Reject(ctx, r)
}

const oneOfEach = `
-- http://a.test/on --
<title>股市 银行</title>$TEXT<a href=/next>银行</a><a href=/off>天气预报</a>
-- http://a.test/pdf --
200
Content-Type: application/pdf

%PDF-1.7
-- http://a.test/gone --
fail retryable connect
`

// The order is what makes a crash harmless (DESIGN 4): blobs, then children,
// then what the page covers, so that the totals never count a document that the samples
// lack, then the state row; the host's lease is released last. Skipped links are no
// children: they are recorded before the state row, beside the children.
func TestOrderOfEffects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, url string
		attempts  int
		want      []string
	}{
		{
			name: "a page that stays", url: "http://a.test/on",
			want: []string{"Acquire a.test", "States /on", "Put /on", "States /next", "Add /next", "MarkQueued /next", "Cover " + crawlID, "Complete /on", "Release a.test"},
		},
		{
			name: "a page that does not", url: "http://a.test/pdf",
			want: []string{"Acquire a.test", "States /pdf", "Reject /pdf", "Complete /pdf", "Release a.test"},
		},
		{
			name: "a page that is abandoned", url: "http://a.test/gone", attempts: 4,
			want: []string{"Acquire a.test", "States /gone", "Bury /gone", "Complete /gone", "Release a.test"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, oneOfEach)
			var got []string
			w.watch(func(effect, of string) error {
				switch {
				case effect != "Drop":
					got = append(got, effect+" "+strings.TrimPrefix(of, "http://a.test"))
				case !slices.Contains(got, "Put /on") || slices.Contains(got, "Complete /on"):
					t.Errorf("links are skipped after %v", got)
				}
				return nil
			})
			l := link(tt.url)
			l.Attempts = tt.attempts
			w.run(t, l)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("effects (-want +got):\n%s", diff)
			}
		})
	}
}

// The error of every effect comes out, so that the task is delivered
// again, the host is free, and the second time everything is there once.
func TestEveryEffectMayFail(t *testing.T) {
	t.Parallel()
	for _, effect := range []string{"States", "Put", "Add", "MarkQueued", "Drop", "Cover", "Complete"} {
		t.Run(effect, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, oneOfEach)
			lost := errors.New("connection lost")
			failed := false
			w.watch(func(e, _ string) error {
				if e != effect || failed {
					return nil
				}
				failed = true
				return lost
			})
			task := w.task(t, link("http://a.test/on"))
			if _, err := w.try(t, task); !errors.Is(err, lost) {
				t.Fatalf("error is %v, want the port's", err)
			}
			if w.fate(t, "http://a.test/on") == "kept" {
				t.Error("the page is finished although an effect failed")
			}
			out, err := w.try(t, task)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&step.Outcome{Hosts: []string{"a.test"}, Fetched: 1, Kept: 1}, out, cmpopts.IgnoreFields(step.Outcome{}, "Next")); diff != "" && !slices.Contains([]string{"Drop", "Cover", "Complete"}, effect) {
				t.Errorf("second delivery (-want +got):\n%s", diff)
			}
			want := map[string]string{"http://a.test/on": "kept", "http://a.test/next": "waiting", "http://a.test/off": "dropped priority"}
			w.wantFates(t, want)
			if n := len(w.documents(t)); n != 1 {
				t.Errorf("%d documents, want 1", n)
			}
			c, err := w.store.Coverages().Covered(t.Context(), crawlID)
			if err != nil || len(c.Documents) != 1 || len(c.Words) < 2 {
				t.Errorf("%d documents and %d words are covered, %v", len(c.Documents), len(c.Words), err)
			}
		})
	}
}

// The known-URL cache learns only after success: a link whose hint was not
// stored is offered again by the next page that has it.
func TestCacheLearnsAfterSuccess(t *testing.T) {
	t.Parallel()
	for _, effect := range []string{"Add", "MarkQueued"} {
		t.Run(effect, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, `
-- http://a.test/1 --
<title>股市</title>$TEXT<a href=/next>银行</a>
-- http://a.test/2 --
<title>银行</title>$TEXT<a href=/next>银行</a>
`)
			offers := 0
			w.watch(func(e, _ string) error {
				if e != effect {
					return nil
				}
				if offers++; offers == 1 {
					return errors.New("connection lost")
				}
				return nil
			})
			if _, err := w.try(t, w.task(t, link("http://a.test/1"))); err == nil {
				t.Fatal("no error")
			}
			w.run(t, link("http://a.test/2"))
			w.run(t, link("http://a.test/1"))
			if offers != 2 || w.fate(t, "http://a.test/next") != "waiting" {
				t.Errorf("the link was stored %d times and is %s, want 2 (once in vain) and waiting", offers, w.fate(t, "http://a.test/next"))
			}
		})
	}
}

// A page that breaks the code costs that page: it becomes a dead letter, and the
// task continues.
func TestPanicCostsOnePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, oneOfEach+`
-- http://a.test/bad --
<title>股市</title>$TEXT
`)
	w.watch(func(effect, of string) error {
		if effect == "Put" && of == "http://a.test/bad" {
			panic("slice bounds out of range")
		}
		return nil
	})
	out := w.run(t, link("http://a.test/bad"), link("http://a.test/on"))
	if out.Dead != 1 || out.Kept != 1 {
		t.Errorf("outcome is %+v, want one dead and one kept", out)
	}
	want := map[string]string{"http://a.test/bad": "dead panic", "http://a.test/on": "kept"}
	w.wantFates(t, want)
	letter := w.trail(t, "http://a.test/bad").Dead
	if letter == nil || !strings.Contains(letter.Reason, "slice bounds out of range") {
		t.Errorf("dead letter is %+v, want the panic as its reason", letter)
	}
}

// A step whose lease of the host ran out loses the race for the state row. The other's
// work stays, and that is no error.
func TestCompleteLostToAnother(t *testing.T) {
	t.Parallel()
	const url = "http://a.test/on"
	w := newWorld(t, oneOfEach)
	w.watch(func(effect, _ string) error {
		if effect != "Complete" {
			return nil
		}
		w.clock.advance(time.Hour)
		_, err := w.store.Ledger().Complete(t.Context(), crawlID, []ledger.End{
			{URL: url, Entry: &ledger.Entry{Verdict: ledger.Passed, Fetched: true, At: w.clock.now()}},
		})
		return err
	})
	if out := w.run(t, link(url)); out.Fetched != 0 || out.Kept != 0 {
		t.Errorf("outcome %+v counts a page that another finished", out)
	}
	if got := w.fate(t, url); got != "passed" {
		t.Errorf("the page is %s, want passed", got)
	}
}

// Deliveries are at least once: what is finished is not fetched again.
func TestDeliveredAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, oneOfEach)
	task := w.task(t, link("http://a.test/on"))
	for range 3 {
		if _, err := w.try(t, task); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.web.requests()["http://a.test/on"]; n != 1 {
		t.Errorf("the page was asked for %d times", n)
	}
}

// A page that leads to another of its task does not offer that again.
func TestOwnLinksAreNotOffered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, oneOfEach)
	raised := false
	w.ports.Raiser = raiser(func([]frontier.Link) { raised = true })
	w.run(t, link("http://a.test/on"), link("http://a.test/next"))
	if n := w.trail(t, "http://a.test/on").Entry.Enqueued; n != 0 || raised {
		t.Errorf("%d links enqueued, raised: %v, want none", n, raised)
	}
}

// late says that all URLs are done, as they were a moment ago.
type late struct{ ledger.Ledger }

func (late) States(_ context.Context, _ string, urls []string) ([]ledger.State, error) {
	return slices.Repeat([]ledger.State{ledger.Done}, len(urls)), nil
}

// A link that was revived a moment ago is not left out for its former end.
func TestJustRevived(t *testing.T) {
	t.Parallel()
	w := newWorld(t, oneOfEach)
	w.ports.Ledger = late{w.ports.Ledger}
	w.run(t, link("http://a.test/on"))
	if got := w.fate(t, "http://a.test/on"); got != "kept" {
		t.Errorf("the page is %q, want kept", got)
	}
}

// raiser is called with what is raised.
type raiser func(links []frontier.Link)

func (r raiser) Raise(_ context.Context, _ string, links []frontier.Link) error {
	r(links)
	return nil
}

func (r raiser) Reorder(ctx context.Context, crawl string, links []frontier.Link) error {
	return r.Raise(ctx, crawl, links)
}

// A page whose end could not be written is fetched again. It is no mirror of itself,
// and a strategy learns from it once.
func TestFailedCommitCountsNoMirror(t *testing.T) {
	t.Parallel()
	w := newWorld(t, oneOfEach)
	hybrid, err := rank.New(rank.NameHybrid, rank.Settings{Threshold: 0.45})
	if err != nil {
		t.Fatal(err)
	}
	w.plan.Strategy = hybrid
	fails := true
	w.watch(func(effect, _ string) error {
		if effect == "Complete" && fails {
			return errors.New("store is away")
		}
		return nil
	})
	digests := func() int {
		t.Helper()
		lease, err := w.store.Leases().Acquire(t.Context(), crawlID, "a.test", "test", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, times := range lease.State.Digests {
			n += times
		}
		if err := w.store.Leases().Release(t.Context(), crawlID, lease); err != nil {
			t.Fatal(err)
		}
		return n
	}
	task := w.task(t, link("http://a.test/on"))
	for range 3 {
		if _, err := w.try(t, task); err == nil {
			t.Fatal("the step did not fail")
		}
	}
	if n := digests(); n != 0 {
		t.Errorf("%d pages are counted, none has ended", n)
	}
	fails = false
	if _, err := w.try(t, task); err != nil {
		t.Fatal(err)
	}
	if n := digests(); n != 1 {
		t.Errorf("%d pages are counted, want 1", n)
	}
	if l, ok := hybrid.(rank.Learner); !ok || l.Read("a.test") != 1 {
		t.Errorf("learned from %d pages, want 1", l.Read("a.test"))
	}
}
