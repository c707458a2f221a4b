// Package ledgertest is the conformance suite of the ports of package ledger.
// Adapters and decorators that pass it are interchangeable.
package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/conformance"
	"sluice/shared/state/ledger"
)

// Harness is the adapter under test, empty.
type Harness struct {
	ledger.Ledger
	ledger.History
	ledger.Accounts
	ledger.Reader
	ledger.Decisions
	ledger.Reviver
	ledger.Accepter

	Now     func() time.Time      // the adapter's clock
	Advance func(d time.Duration) // lets time pass for the adapter

	// Skew is the standard deviation, relative to their mean, that the chances
	// of two URLs to be drawn may have; 0: all are the same.
	Skew float64
}

// end completes one URL.
func (h *Harness) end(ctx context.Context, crawl, url string, e *ledger.Entry) error {
	refused, err := h.Complete(ctx, crawl, []ledger.End{{URL: url, Entry: e}})
	if err != nil {
		return err
	}
	return refused[0]
}

// Run checks an adapter against the contracts of ledger.Ledger, ledger.History,
// ledger.Accounts, ledger.Reader, ledger.Reviver and ledger.Accepter. Each check gets a fresh one.
func Run(t *testing.T, open func(t *testing.T) *Harness) { conformance.Run(t, checks, open) }

// RunDecisions checks an adapter against the contract of ledger.Decisions. With
// a Ledger in the harness it also checks that decisions leave URLs absent.
func RunDecisions(t *testing.T, open func(t *testing.T) *Harness) {
	conformance.Run(t, decisionChecks, open)
}

type check = conformance.Check[*Harness]

var checks = []check{
	// A page looks up all its links at once, even repeated ones.
	{Name: "states come in order", Check: checkStates},
	// Crawls share a store, not their URLs.
	{Name: "crawls are apart", Check: checkCrawls},
	// A redelivered page marks its links again.
	{Name: "marking moves absent URLs only", Check: checkMark},
	// Done is final: a second record would be a second document in the corpus.
	{Name: "done is done", Check: checkDone},
	// The content of a corpus record is found again.
	{Name: "keeps the whole entry", Check: checkEntry},
	// The batch of a worker that was too slow has pages that another has completed.
	{Name: "complete answers for each of many", Check: checkCompleteMany},
	// One of many deliveries of a page counts.
	{Name: "one of 64 completions counts", Check: checkCompleteRace},
	// Budgets and harvest rate are read from them.
	{Name: "totals add up", Check: checkTotals},
	{Name: "totals are exact under a race", Check: checkTotalsRace},
	// A refresh records its results.
	{Name: "totals count changes", Check: checkTotalsChanges},
	// Abandoned links are fetched again, and counted once.
	{Name: "dead URLs are revived", Check: checkRevive},
	// The end of a crawl judges pages again.
	{Name: "passed pages are accepted", Check: checkAccept},
	// Export looks up many documents at a time, the cloud all of a task.
	{Name: "entries come in order", Check: checkEntries},
	// No history, no vote.
	{Name: "empty history has no sample", Check: checkSampleEmpty},
	// The vote is by relevant pages, and by each once.
	{Name: "sample is of relevant URLs, without replacement", Check: checkSample},
	// METHOD A10 draws at random: each page with the same chance.
	{Name: "sample is uniform", Check: checkSampleUniform},
	// The same crawl draws the same sample.
	{Name: "sample follows the generator", Check: checkSampleSeed},
	// A reproducible crawl looks at finished rounds …
	{Name: "sample sees earlier rounds only", Check: checkSampleRounds},
	// … and must not notice who was faster.
	{Name: "sample does not depend on completion order", Check: checkSampleOrder},
}

var decisionChecks = []check{
	// Every dropped link can be explained.
	{Name: "decisions come back", Check: checkDecision},
	// The explanation of a link is its best chance.
	{Name: "the decision of higher priority stays", Check: checkDecisionBest},
}

const crawl = "c"

func url(i int) string { return fmt.Sprintf("http://h%d.test/%d", i%3, i) }

func urls(from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, url(i))
	}
	return out
}

func wantStates(t *testing.T, h *Harness, crawl string, urls []string, want ...ledger.State) {
	t.Helper()
	got, err := h.States(t.Context(), crawl, urls)
	if err != nil {
		t.Fatalf("States: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("states (-want +got):\n%s", diff)
	}
	ended, err := h.Ended(t.Context(), crawl, urls)
	if err != nil {
		t.Fatalf("Ended: %v", err)
	}
	for i, u := range urls {
		if ended[u] != (want[i] == ledger.Done) {
			t.Fatalf("%s ended: %v, want state %d", u, ended[u], want[i])
		}
	}
}

func mark(t *testing.T, h *Harness, urls ...string) {
	t.Helper()
	if err := h.MarkQueued(t.Context(), crawl, urls); err != nil {
		t.Fatalf("MarkQueued: %v", err)
	}
}

func complete(t *testing.T, h *Harness, crawl, url string, e *ledger.Entry) {
	t.Helper()
	if err := h.end(t.Context(), crawl, url, e); err != nil {
		t.Fatalf("Complete %s: %v", url, err)
	}
}

func wantDone(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, ledger.ErrDone) {
		t.Fatalf("error is %v, want ErrDone", err)
	}
}

func checkStates(t *testing.T, h *Harness) {
	mark(t, h, url(1), url(2))
	complete(t, h, crawl, url(3), &ledger.Entry{Verdict: ledger.Passed})
	wantStates(t, h, crawl, []string{url(3), url(0), url(2), url(1), url(3), "http://h0.test/'\"%"},
		ledger.Done, ledger.Absent, ledger.Queued, ledger.Queued, ledger.Done, ledger.Absent)
	got, err := h.States(t.Context(), crawl, nil)
	if err != nil || len(got) != 0 {
		t.Errorf("states of nothing: %v, %v", got, err)
	}
	mark(t, h, urls(100, 400)...)
	got, err = h.States(t.Context(), crawl, urls(0, 450))
	if err != nil {
		t.Fatalf("States: %v", err)
	}
	for i, st := range got {
		if i > 3 && (st == ledger.Queued) != (i >= 100 && i < 400) {
			t.Errorf("state %d of 450 is %d", i, st)
		}
	}
}

func checkCrawls(t *testing.T, h *Harness) {
	mark(t, h, url(1))
	complete(t, h, "c", url(2), &ledger.Entry{Verdict: ledger.Kept, Relevant: true})
	wantStates(t, h, "d", urls(1, 3), ledger.Absent, ledger.Absent)
	if e, err := h.Entry(t.Context(), "d", url(2)); e != nil || err != nil {
		t.Errorf("entry in the other crawl: %+v, %v", e, err)
	}
	if got := sample(t, h, "d", 0, 10, 1); len(got) != 0 {
		t.Errorf("sample of the other crawl: %v", got)
	}
	complete(t, h, "d", url(2), &ledger.Entry{Verdict: ledger.Kept})
	if tot := totals(t, h); tot.Verdicts[ledger.Kept] != 1 || tot.Relevant != 1 {
		t.Errorf("totals of a crawl count another's: %+v", tot)
	}
}

func checkMark(t *testing.T, h *Harness) {
	mark(t, h, url(1))
	complete(t, h, crawl, url(3), &ledger.Entry{Verdict: ledger.Passed})
	mark(t, h)
	mark(t, h, url(3), url(1), url(4), url(4))
	wantStates(t, h, crawl, urls(1, 5), ledger.Queued, ledger.Absent, ledger.Done, ledger.Queued)
}

func checkDone(t *testing.T, h *Harness) {
	complete(t, h, crawl, url(1), &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true})
	wantDone(t, h.end(t.Context(), crawl, url(1), &ledger.Entry{Verdict: ledger.Passed, Fetched: true, Relevant: true}))
	h.Advance(time.Hour)
	wantStates(t, h, crawl, urls(1, 2), ledger.Done)
	tot := totals(t, h)
	if tot.Fetched != 1 || tot.Relevant != 1 || tot.Verdicts[ledger.Passed] != 0 {
		t.Errorf("totals count a second completion: %+v", tot)
	}
	if got := sample(t, h, crawl, 0, 10, 1); len(got) != 1 {
		t.Errorf("history is %v, want one URL", got)
	}
}

func checkEntry(t *testing.T, h *Harness) {
	if e, err := h.Entry(t.Context(), crawl, url(1)); e != nil || err != nil {
		t.Errorf("entry of an unknown URL: %+v, %v, want nil", e, err)
	}
	mark(t, h, url(2))
	if e, err := h.Entry(t.Context(), crawl, url(2)); e != nil || err != nil {
		t.Errorf("entry of a queued URL: %+v, %v, want nil", e, err)
	}
	want := &ledger.Entry{
		Verdict: ledger.Kept, Rule: "规则", Fetched: true, Relevant: true, Round: 3, Enqueued: 4, Dropped: 5, Drops: map[string]int{"scope": 5},
		Segment: "warc/00001.warc.gz", Offset: 1 << 40, Length: 6, At: h.Now().UTC().Truncate(time.Second),
		Trace: []byte(`{"relevance": 0.1, "words": ["金融", "\u003c"]}`),
	}
	complete(t, h, crawl, url(1), want)
	got, err := h.Entry(t.Context(), crawl, url(1))
	if err != nil {
		t.Fatalf("Entry: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entry (-completed +read):\n%s", diff)
	}
	bare := &ledger.Entry{Verdict: ledger.Skipped, Rule: "robots", At: want.At}
	complete(t, h, crawl, url(2), bare)
	if got, err = h.Entry(t.Context(), crawl, url(2)); err != nil {
		t.Fatalf("Entry: %v", err)
	}
	if diff := cmp.Diff(bare, got); diff != "" {
		t.Errorf("entry without a trace (-completed +read):\n%s", diff)
	}
}

func checkCompleteMany(t *testing.T, h *Harness) {
	mark(t, h, url(0))
	complete(t, h, crawl, url(1), &ledger.Entry{Verdict: ledger.Kept, Fetched: true})
	var ends []ledger.End
	for i := range 3 { // queued, done, absent
		ends = append(ends, ledger.End{URL: url(i), Entry: &ledger.Entry{Verdict: ledger.Passed, Fetched: true}})
	}
	refused, err := h.Complete(t.Context(), crawl, ends)
	if err != nil || len(refused) != 3 {
		t.Fatalf("Complete = %v, %v, want three answers", refused, err)
	}
	if refused[0] != nil || refused[2] != nil {
		t.Errorf("free URLs: %v, %v, want nil", refused[0], refused[2])
	}
	wantDone(t, refused[1])
	wantStates(t, h, crawl, urls(0, 3), ledger.Done, ledger.Done, ledger.Done)
	if tot := totals(t, h); tot.Fetched != 3 || tot.Verdicts[ledger.Passed] != 2 {
		t.Errorf("totals count the loser: %+v", tot)
	}
}
