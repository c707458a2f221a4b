package dynamoledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/state/ledger"
)

// complete ends URLs, all alike.
func complete(t *testing.T, l *Ledger, urls []string, e ledger.Entry) {
	t.Helper()
	var ends []ledger.End
	for _, u := range urls {
		ends = append(ends, ledger.End{URL: u, Entry: &e})
	}
	refused, err := l.Complete(t.Context(), "c", ends)
	if err = errors.Join(append(refused, err)...); err != nil {
		t.Fatal(err)
	}
}

// wantTotals compares totals, ignoring counts of 0.
func wantTotals(t *testing.T, l *Ledger, want *ledger.Totals) {
	t.Helper()
	got, err := l.Totals(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(got.Verdicts, func(_ ledger.Verdict, n int64) bool { return n == 0 })
	maps.DeleteFunc(got.Rules, func(_ string, n int64) bool { return n == 0 })
	maps.DeleteFunc(got.Drops, func(_ string, n int64) bool { return n == 0 })
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

func wantStates(t *testing.T, l *Ledger, urls []string, want ...ledger.State) {
	t.Helper()
	got, err := l.States(t.Context(), "c", urls)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}

var (
	deadEntry = ledger.Entry{Verdict: ledger.Dead, Rule: "timeout", Dropped: 1, Drops: map[string]int{"scope": 1}, Trace: json.RawMessage(`{"status":0}`)}
	keptEntry = ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true, Enqueued: 2}
)

// More than one transaction's worth, by several at once, while requests fail:
// what an entry added to the totals is taken off once.
func TestReviveUnderFaults(t *testing.T) {
	s, p, _ := metered(t)
	l := s.Ledger()
	var urls []string
	for i := range maxEnds + 20 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i))
	}
	complete(t, l, urls, deadEntry)
	complete(t, l, []string{"http://a.test/kept"}, keptEntry)

	p.setOdds(testOdds)
	err := each(t.Context(), 4, func(ctx context.Context, _ int) error {
		for range 200 {
			if l.Revive(ctx, "c", urls) == nil {
				return nil
			}
		}
		return errors.New("no end of errors")
	})
	p.setOdds(0)
	if err != nil {
		t.Fatal(err)
	}
	wantTotals(t, l, &ledger.Totals{Fetched: 1, Relevant: 1, Enqueued: 2, Verdicts: map[ledger.Verdict]int64{ledger.Kept: 1}})
	want := make([]ledger.State, len(urls))
	for i := range want {
		want[i] = ledger.Queued
	}
	wantStates(t, l, urls, want...)
}
