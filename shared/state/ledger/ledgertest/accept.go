package ledgertest

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/state/ledger"
)

func checkAccept(t *testing.T, h *Harness) {
	const absent, passed, rejected, kept = "http://a.test/absent", "http://a.test/passed", "http://a.test/rejected", "http://a.test/kept"
	at := ledger.Entry{Segment: "raw/a/1.warc.gz", Offset: 7, Length: 9, Fetched: true, Enqueued: 2, Dropped: 1, Drops: map[string]int{"scope": 1}}
	held, other := at, at
	held.Verdict, held.Rule, held.Trace = ledger.Passed, "body_threshold", json.RawMessage(`{"status":200}`)
	other.Verdict, other.Rule = ledger.Rejected, "quality"
	document := at
	document.Verdict, document.Relevant = ledger.Kept, true
	complete(t, h, crawl, passed, &held)
	complete(t, h, crawl, rejected, &other)
	complete(t, h, crawl, kept, &document)

	accepted := []ledger.Accepted{{URL: absent}, {URL: passed, Change: ledger.Changed}, {URL: rejected}, {URL: kept}}
	for range 2 { // it may be repeated
		if err := h.Accept(t.Context(), crawl, "again", accepted); err != nil {
			t.Fatalf("Accept: %v", err)
		}
		wantSums(t, h, &ledger.Totals{
			Fetched: 3, Relevant: 2, Enqueued: 6, Dropped: 3, Drops: map[string]int64{"scope": 3}, Rules: map[string]int64{"quality": 1},
			Verdicts: map[ledger.Verdict]int64{ledger.Kept: 2, ledger.Rejected: 1}, Changes: map[ledger.Change]int64{ledger.Changed: 1},
		})
		wantSet(t, sample(t, h, crawl, 0, 10, 1), []string{passed, kept})
	}
	want := held
	want.Verdict, want.Rule, want.Relevant, want.Change = ledger.Kept, "again", true, ledger.Changed
	for url, want := range map[string]*ledger.Entry{absent: nil, passed: &want, rejected: &other, kept: &document} {
		got, err := h.Entry(t.Context(), crawl, url)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("entry of %s, %v (-want +got):\n%s", url, err, diff)
		}
	}
	if err := h.Accept(t.Context(), "other", "again", accepted); err != nil {
		t.Errorf("Accept in a crawl without pages: %v", err)
	}
}
