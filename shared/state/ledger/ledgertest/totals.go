package ledgertest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

func totals(t *testing.T, h *Harness) *ledger.Totals {
	t.Helper()
	tot, err := h.Totals(t.Context(), crawl)
	if err != nil {
		t.Fatalf("Totals: %v", err)
	}
	return tot
}

func wantTotals(t *testing.T, h *Harness, want *ledger.Totals) {
	t.Helper()
	if diff := cmp.Diff(want, totals(t, h)); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

func checkTotals(t *testing.T, h *Harness) {
	wantTotals(t, h, &ledger.Totals{Verdicts: map[ledger.Verdict]int64{}, Rules: map[string]int64{}, Drops: map[string]int64{}})
	for i, e := range []*ledger.Entry{
		{Verdict: ledger.Kept, Fetched: true, Rendered: true, Relevant: true, Enqueued: 3, Dropped: 4, Drops: map[string]int{"scope": 3, "depth": 1}},
		{Verdict: ledger.Kept, Fetched: true, Below: true, Relevant: true, Enqueued: 5, Rule: "not counted"},
		{Verdict: ledger.Passed, Fetched: true, Dropped: 6, Drops: map[string]int{"scope": 6}},
		{Verdict: ledger.Rejected, Fetched: true, Below: true, Rule: "http_404"},
		{Verdict: ledger.Rejected, Fetched: true, Rendered: true, Rule: "media", Relevant: true},
		{Verdict: ledger.Skipped, Rule: "robots"},
		{Verdict: ledger.Skipped, Rule: "robots"},
		{Verdict: ledger.Dead, Rule: "timeout"},
		{Verdict: ledger.Redirected, Fetched: true, Enqueued: 1},
		{Verdict: ledger.Source, Fetched: true, Enqueued: 100},
	} {
		complete(t, h, crawl, url(i), e)
	}
	mark(t, h, url(50))
	wantTotals(t, h, &ledger.Totals{
		Fetched: 7, Rendered: 2, Below: 2, Relevant: 3, Enqueued: 109, Dropped: 10,
		Verdicts: map[ledger.Verdict]int64{
			ledger.Kept: 2, ledger.Passed: 1, ledger.Rejected: 2, ledger.Skipped: 2, ledger.Dead: 1,
			ledger.Redirected: 1, ledger.Source: 1,
		},
		Rules: map[string]int64{"http_404": 1, "media": 1, "robots": 2, "timeout": 1},
		Drops: map[string]int64{"scope": 9, "depth": 1},
	})
}

func checkTotalsChanges(t *testing.T, h *Harness) {
	for i, e := range []*ledger.Entry{
		{Verdict: ledger.Kept, Change: ledger.New},
		{Verdict: ledger.Kept, Change: ledger.Unchanged},
		{Verdict: ledger.Kept, Change: ledger.Unchanged},
		{Verdict: ledger.Rejected, Rule: "gone", Change: ledger.Gone},
		{Verdict: ledger.Source},
	} {
		complete(t, h, crawl, url(i), e)
	}
	wantTotals(t, h, &ledger.Totals{
		Verdicts: map[ledger.Verdict]int64{ledger.Kept: 3, ledger.Rejected: 1, ledger.Source: 1},
		Rules:    map[string]int64{"gone": 1}, Drops: map[string]int64{},
		Changes: map[ledger.Change]int64{ledger.New: 1, ledger.Unchanged: 2, ledger.Gone: 1},
	})
}

func checkEntries(t *testing.T, h *Harness) {
	want := map[string]ledger.Verdict{}
	for i := range 120 {
		e := &ledger.Entry{Verdict: ledger.Kept, Change: ledger.Changed, Segment: "s", Offset: int64(i), Trace: []byte(`{"a":1}`)}
		complete(t, h, crawl, url(i), e)
		want[url(i)] = ledger.Kept
	}
	complete(t, h, "d", url(200), &ledger.Entry{Verdict: ledger.Kept})
	mark(t, h, url(201))
	asked := append([]string{url(200), url(7)}, urls(0, 120)...)
	asked = append(asked, url(201), url(7))
	got, err := h.Entries(t.Context(), crawl, asked)
	if err != nil || len(got) != len(asked) {
		t.Fatalf("Entries: %d for %d URLs, error %v", len(got), len(asked), err)
	}
	for i, e := range got {
		switch {
		case (e != nil) != (want[asked[i]] != ""):
			t.Errorf("entry %d, of %s, is %+v", i, asked[i], e)
		case e != nil && (url(int(e.Offset)) != asked[i] || e.Change != ledger.Changed || string(e.Trace) != `{"a":1}`):
			t.Errorf("entry %d, of %s, is %+v", i, asked[i], e)
		}
	}
	if none, err := h.Entries(t.Context(), crawl, nil); err != nil || len(none) != 0 {
		t.Errorf("of no URLs there are %d entries, error %v", len(none), err)
	}
}

// race calls f from n goroutines at once and returns how many calls had no
// error; errors that allowed rejects fail the test.
func race(t *testing.T, n int, allowed func(error) bool, f func(i int) error) int {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	won := 0
	for i := range n {
		wg.Go(func() {
			err := f(i)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case !allowed(err):
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	return won
}

func checkCompleteRace(t *testing.T, h *Harness) {
	mark(t, h, url(1))
	won := race(t, 64, func(err error) bool { return errors.Is(err, ledger.ErrDone) }, func(int) error {
		return h.end(t.Context(), crawl, url(1),
			&ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true, Enqueued: 1})
	})
	if tot := totals(t, h); won != 1 || tot.Fetched != 1 || tot.Relevant != 1 || tot.Enqueued != 1 {
		t.Errorf("%d completions won, totals %+v, want 1 of each", won, tot)
	}
	if got := sample(t, h, crawl, 0, 10, 1); len(got) != 1 {
		t.Errorf("history is %v, want one URL", got)
	}
}

func checkTotalsRace(t *testing.T, h *Harness) {
	const workers, pages = 16, 25
	verdicts := []ledger.Verdict{ledger.Kept, ledger.Passed, ledger.Rejected, ledger.Skipped, ledger.Source}
	race(t, workers, func(error) bool { return false }, func(w int) error {
		for i := w * pages; i < (w+1)*pages; i++ {
			v := verdicts[i%len(verdicts)]
			e := &ledger.Entry{Verdict: v, Rule: "r", Fetched: v != ledger.Skipped, Relevant: v == ledger.Kept, Enqueued: i, Dropped: 1}
			if err := h.end(t.Context(), crawl, url(i), e); err != nil {
				return err
			}
		}
		return nil
	})
	const n = workers * pages
	want := &ledger.Totals{
		Fetched: n * 4 / 5, Relevant: n / 5, Enqueued: n * (n - 1) / 2, Dropped: n,
		Verdicts: map[ledger.Verdict]int64{}, Rules: map[string]int64{"r": n * 3 / 5}, Drops: map[string]int64{},
	}
	for _, v := range verdicts {
		want.Verdicts[v] = n / 5
	}
	wantTotals(t, h, want)
	if got := sample(t, h, crawl, 0, n, 1); len(got) != n/5 {
		t.Errorf("history has %d URLs, want %d", len(got), n/5)
	}
}

func drop(t *testing.T, h *Harness, crawl string, ds ...ledger.Decision) {
	t.Helper()
	if err := h.Drop(t.Context(), crawl, ds); err != nil {
		t.Fatalf("Drop: %v", err)
	}
}

func wantDropped(t *testing.T, h *Harness, crawl, url string, want *ledger.Decision) {
	t.Helper()
	got, err := h.Dropped(t.Context(), crawl, url)
	if err != nil {
		t.Fatalf("Dropped: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decision about %s (-want +got):\n%s", url, diff)
	}
}

func decision(url string, priority float64, rule string) ledger.Decision {
	return ledger.Decision{Link: frontier.Link{URL: url, Priority: priority}, Rule: rule}
}

func checkDecision(t *testing.T, h *Harness) {
	wantDropped(t, h, crawl, url(1), nil)
	d := ledger.Decision{Rule: "priority", Link: frontier.Link{
		URL: url(1), Parent: url(0), Anchor: "体育 <b>'", Depth: 3, Priority: -0.5, Parts: frontier.Parts{Anchor: 0.25},
	}}
	drop(t, h, crawl)
	drop(t, h, crawl, d, decision(url(2), 1, "scope"))
	wantDropped(t, h, crawl, url(1), &d)
	wantDropped(t, h, "d", url(1), nil)
	if h.Ledger != nil {
		wantStates(t, h, crawl, urls(1, 3), ledger.Absent, ledger.Absent) // a later page may add them
	}
	var many []ledger.Decision
	for i := range 100 {
		many = append(many, decision(url(i), 2, "depth"))
	}
	drop(t, h, crawl, many...)
	wantDropped(t, h, crawl, url(99), &many[99])
	wantDropped(t, h, crawl, url(1), &many[1])
}

func checkDecisionBest(t *testing.T, h *Harness) {
	low, high := decision(url(1), 0.1, "anchor"), decision(url(1), 0.2, "priority")
	drop(t, h, crawl, low)
	drop(t, h, crawl, high)
	drop(t, h, crawl, low)
	wantDropped(t, h, crawl, url(1), &high)
	tied := high
	tied.Link.Tie = 1
	drop(t, h, crawl, tied)
	drop(t, h, crawl, high)
	wantDropped(t, h, crawl, url(1), &tied)
	for i, ds := range [][]ledger.Decision{{low, high, tied}, {tied, high, low}} {
		c := fmt.Sprintf("both%d", i)
		drop(t, h, c, ds...)
		wantDropped(t, h, c, url(1), &tied)
	}
}
