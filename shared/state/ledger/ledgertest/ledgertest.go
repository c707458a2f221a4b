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

	Now     func() time.Time      // the adapter's clock
	Advance func(d time.Duration) // lets time pass for the adapter

	// Skew is the standard deviation, relative to their mean, that the chances
	// of two URLs to be drawn may have; 0: all are the same.
	Skew float64
}

// claim claims one URL.
func (h *Harness) claim(ctx context.Context, crawl, url, owner string, until time.Time) error {
	refused, err := h.Claim(ctx, crawl, []string{url}, owner, until)
	if err != nil {
		return err
	}
	return refused[0]
}

// end completes one URL.
func (h *Harness) end(ctx context.Context, crawl, url, owner string, e *ledger.Entry) error {
	refused, err := h.Complete(ctx, crawl, owner, []ledger.End{{URL: url, Entry: e}})
	if err != nil {
		return err
	}
	return refused[0]
}

// Run checks an adapter against the contracts of ledger.Ledger, ledger.History,
// ledger.Accounts, ledger.Reader and ledger.Reviver. Each check gets a fresh one.
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
	// Two workers must not fetch one page.
	{Name: "claim refuses another owner", Check: checkClaim},
	{Name: "claim answers for each of many", Check: checkClaimMany},
	// … under a race too.
	{Name: "one of 64 claims wins", Check: checkClaimRace},
	// A slow page renews its lease.
	{Name: "the owner may claim again", Check: checkReclaim},
	// A worker that died must not keep the page.
	{Name: "a lease ends", Check: checkLeaseEnds},
	// Done is final: a second record would be a second document in the corpus.
	{Name: "done is done", Check: checkDone},
	// The content of a corpus record is found again.
	{Name: "keeps the whole entry", Check: checkEntry},
	// A worker that was too slow must not write over another's page.
	{Name: "complete by a loser writes nothing", Check: checkLoser},
	// Skipped URLs are completed without a claim; so are those of a lease that ran out.
	{Name: "complete needs no lease", Check: checkCompleteFree},
	// One of many deliveries of a page counts.
	{Name: "one of 64 completions counts", Check: checkCompleteRace},
	// Budgets and harvest rate are read from them.
	{Name: "totals add up", Check: checkTotals},
	{Name: "totals are exact under a race", Check: checkTotalsRace},
	// A refresh records its results.
	{Name: "totals count changes", Check: checkTotalsChanges},
	// Abandoned links are fetched again, and counted once.
	{Name: "dead URLs are revived", Check: checkRevive},
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
}

func mark(t *testing.T, h *Harness, urls ...string) {
	t.Helper()
	if err := h.MarkQueued(t.Context(), crawl, urls); err != nil {
		t.Fatalf("MarkQueued: %v", err)
	}
}

func claim(t *testing.T, h *Harness, url, owner string, ttl time.Duration) {
	t.Helper()
	if err := h.claim(t.Context(), crawl, url, owner, h.Now().Add(ttl)); err != nil {
		t.Fatalf("Claim %s for %s: %v", url, owner, err)
	}
}

func complete(t *testing.T, h *Harness, crawl, url string, e *ledger.Entry) {
	t.Helper()
	if err := h.end(t.Context(), crawl, url, "w", e); err != nil {
		t.Fatalf("Complete %s: %v", url, err)
	}
}

func wantLeased(t *testing.T, err error, until time.Time) {
	t.Helper()
	var l *ledger.LeasedError
	if !errors.As(err, &l) {
		t.Fatalf("error is %v, want a LeasedError", err)
	}
	if d := l.Until.Sub(until).Abs(); d > time.Second {
		t.Errorf("leased until %v, want %v", l.Until, until)
	}
}

func wantDone(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, ledger.ErrDone) {
		t.Fatalf("error is %v, want ErrDone", err)
	}
}

func checkStates(t *testing.T, h *Harness) {
	mark(t, h, url(1))
	claim(t, h, url(2), "w", time.Minute)
	complete(t, h, crawl, url(3), &ledger.Entry{Verdict: ledger.Passed})
	wantStates(t, h, crawl, []string{url(3), url(0), url(2), url(1), url(3), "http://h0.test/'\"%"},
		ledger.Done, ledger.Absent, ledger.Leased, ledger.Queued, ledger.Done, ledger.Absent)
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
	claim(t, h, url(2), "w", time.Minute)
	complete(t, h, crawl, url(3), &ledger.Entry{Verdict: ledger.Passed})
	mark(t, h)
	mark(t, h, url(3), url(1), url(2), url(4), url(4))
	wantStates(t, h, crawl, urls(1, 5), ledger.Queued, ledger.Leased, ledger.Done, ledger.Queued)
}

func checkClaim(t *testing.T, h *Harness) {
	until := h.Now().Add(time.Minute)
	mark(t, h, url(1))
	for i := range 2 { // absent or queued
		claim(t, h, url(i), "w1", time.Minute)
		wantLeased(t, h.claim(t.Context(), crawl, url(i), "w2", until.Add(time.Hour)), until)
	}
	wantStates(t, h, crawl, urls(0, 2), ledger.Leased, ledger.Leased)
	if err := h.claim(t.Context(), "d", url(1), "w2", until); err != nil {
		t.Errorf("Claim in another crawl: %v", err)
	}
}

func checkClaimMany(t *testing.T, h *Harness) {
	until := h.Now().Add(time.Minute)
	claim(t, h, url(1), "w2", time.Minute)
	complete(t, h, crawl, url(2), &ledger.Entry{Verdict: ledger.Passed})
	refused, err := h.Claim(t.Context(), crawl, urls(0, 4), "w1", until.Add(time.Hour))
	if err != nil || len(refused) != 4 {
		t.Fatalf("Claim = %v, %v, want four answers", refused, err)
	}
	if refused[0] != nil || refused[3] != nil {
		t.Errorf("free URLs: %v, %v, want nil", refused[0], refused[3])
	}
	wantLeased(t, refused[1], until)
	wantDone(t, refused[2])
	wantStates(t, h, crawl, urls(0, 4), ledger.Leased, ledger.Leased, ledger.Done, ledger.Leased)
	if refused, err := h.Claim(t.Context(), crawl, nil, "w1", until); err != nil || len(refused) != 0 {
		t.Errorf("Claim of nothing = %v, %v", refused, err)
	}
}

func checkReclaim(t *testing.T, h *Harness) {
	claim(t, h, url(1), "w1", time.Minute)
	claim(t, h, url(1), "w1", time.Hour)
	h.Advance(30 * time.Minute)
	wantStates(t, h, crawl, urls(1, 2), ledger.Leased)
	h.Advance(30 * time.Minute)
	wantStates(t, h, crawl, urls(1, 2), ledger.Queued)
}

func checkLeaseEnds(t *testing.T, h *Harness) {
	claim(t, h, url(1), "w1", time.Minute)
	h.Advance(59 * time.Second)
	wantStates(t, h, crawl, urls(1, 2), ledger.Leased)
	h.Advance(time.Second)
	wantStates(t, h, crawl, urls(1, 2), ledger.Queued)
	claim(t, h, url(1), "w2", time.Minute)
	wantLeased(t, h.claim(t.Context(), crawl, url(1), "w1", h.Now().Add(time.Minute)), h.Now().Add(time.Minute))
}

func checkDone(t *testing.T, h *Harness) {
	claim(t, h, url(1), "w", time.Minute)
	complete(t, h, crawl, url(1), &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true})
	wantDone(t, h.claim(t.Context(), crawl, url(1), "w", h.Now().Add(time.Hour)))
	wantDone(t, h.end(t.Context(), crawl, url(1), "w", &ledger.Entry{Verdict: ledger.Passed, Fetched: true, Relevant: true}))
	wantDone(t, h.end(t.Context(), crawl, url(1), "w2", &ledger.Entry{Verdict: ledger.Passed, Fetched: true}))
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
	claim(t, h, url(2), "w", time.Minute)
	if e, err := h.Entry(t.Context(), crawl, url(2)); e != nil || err != nil {
		t.Errorf("entry of a leased URL: %+v, %v, want nil", e, err)
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

func checkLoser(t *testing.T, h *Harness) {
	claim(t, h, url(1), "slow", time.Minute)
	h.Advance(time.Minute)
	claim(t, h, url(1), "w", time.Minute)
	err := h.end(t.Context(), crawl, url(1), "slow", &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true})
	wantLeased(t, err, h.Now().Add(time.Minute))
	wantStates(t, h, crawl, urls(1, 2), ledger.Leased)
	if tot := totals(t, h); tot.Fetched != 0 || tot.Verdicts[ledger.Kept] != 0 {
		t.Errorf("totals count the loser: %+v", tot)
	}
	if got := sample(t, h, crawl, 0, 10, 1); len(got) != 0 {
		t.Errorf("history has the loser's: %v", got)
	}
	complete(t, h, crawl, url(1), &ledger.Entry{Verdict: ledger.Passed})
}

func checkCompleteFree(t *testing.T, h *Harness) {
	mark(t, h, url(1))
	claim(t, h, url(2), "other", time.Minute)
	h.Advance(time.Minute)
	for i := range 3 { // absent, queued, lease ran out
		complete(t, h, crawl, url(i), &ledger.Entry{Verdict: ledger.Skipped, Rule: "robots"})
	}
	wantStates(t, h, crawl, urls(0, 3), ledger.Done, ledger.Done, ledger.Done)
}
