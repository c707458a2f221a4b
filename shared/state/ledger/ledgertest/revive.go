package ledgertest

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/state/ledger"
)

func checkRevive(t *testing.T, h *Harness) {
	const absent, dead, kept = "http://a.test/absent", "http://a.test/dead", "http://a.test/kept"
	keptEntry := ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true, Enqueued: 2}
	complete(t, h, crawl, dead, &ledger.Entry{
		Verdict: ledger.Dead, Rule: "timeout", Dropped: 1, Drops: map[string]int{"scope": 1}, Trace: json.RawMessage(`{"status":0}`),
	})
	complete(t, h, crawl, kept, &keptEntry)

	urls := []string{absent, dead, kept, dead}
	for range 2 { // it may be repeated
		revive(t, h, crawl, urls)
		wantSums(t, h, &ledger.Totals{Fetched: 1, Relevant: 1, Enqueued: 2, Verdicts: map[ledger.Verdict]int64{ledger.Kept: 1}})
		wantStates(t, h, crawl, urls[:3], ledger.Absent, ledger.Queued, ledger.Done)
	}
	if e, err := h.Entry(t.Context(), crawl, dead); e != nil || err != nil {
		t.Errorf("entry of what was revived: %+v, %v", e, err)
	}

	complete(t, h, crawl, dead, &keptEntry) // this time it answers
	wantSums(t, h, &ledger.Totals{Fetched: 2, Relevant: 2, Enqueued: 4, Verdicts: map[ledger.Verdict]int64{ledger.Kept: 2}})
	revive(t, h, "other", urls)
	revive(t, h, crawl, nil)
	wantStates(t, h, crawl, []string{dead}, ledger.Done)
}

func revive(t *testing.T, h *Harness, crawl string, urls []string) {
	t.Helper()
	if err := h.Revive(t.Context(), crawl, urls); err != nil {
		t.Fatalf("Revive: %v", err)
	}
}

// wantSums compares totals, apart from counts of 0.
func wantSums(t *testing.T, h *Harness, want *ledger.Totals) {
	t.Helper()
	got := totals(t, h)
	maps.DeleteFunc(got.Verdicts, func(_ ledger.Verdict, n int64) bool { return n == 0 })
	maps.DeleteFunc(got.Rules, func(_ string, n int64) bool { return n == 0 })
	maps.DeleteFunc(got.Drops, func(_ string, n int64) bool { return n == 0 })
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}
