package console_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/console"
	"sluice/shared/state/ledger"
)

func TestSum(t *testing.T) {
	t.Parallel()
	first := console.Generation{
		Totals: &ledger.Totals{
			Fetched: 10, Verdicts: map[ledger.Verdict]int64{ledger.Kept: 6, ledger.Passed: 1, ledger.Rejected: 3, ledger.Skipped: 2},
			Rules: map[string]int64{"description_threshold": 1, "http_404": 3, "robots": 2}, Drops: map[string]int64{"scope": 4, "priority": 0},
		},
		// One of six was refused before the refresh, which found it again, one after it was gone.
		Refused: map[string]int64{"boilerplate": 2}, Current: 1,
	}
	refresh := console.Generation{
		Totals: &ledger.Totals{
			Fetched: 7, Verdicts: map[ledger.Verdict]int64{ledger.Kept: 5, ledger.Rejected: 2},
			Rules:   map[string]int64{"gone": 2},
			Changes: map[ledger.Change]int64{ledger.New: 2, ledger.Changed: 2, ledger.Unchanged: 1, ledger.Gone: 2, ledger.Unreached: 1},
		},
		Refused: map[string]int64{"boilerplate": 1}, Changes: map[ledger.Change]int64{ledger.Changed: 1}, Current: 1,
	}
	rules := map[string]int64{"description_threshold": 1, "http_404": 3, "robots": 2, "boilerplate": 2}
	for _, tt := range []struct {
		name        string
		generations []console.Generation
		want        console.Summary
		fetched     int64 // of the run
		kept        int64
	}{
		{"a crawl", []console.Generation{first}, console.Summary{
			Generation: 1, Fetched: 10, Kept: 5, Rejected: 6, Passed: 1, RefusedLater: 2, Skipped: 2, HarvestRate: 4.0 / 10,
			Rules: rules, Drops: map[string]int64{"scope": 4},
		}, 10, 5},
		{"a refresh", []console.Generation{first, refresh}, console.Summary{
			Generation: 2, Fetched: 17, Kept: 6 - 1 + 2 - 2 - 1, Rejected: 9, Passed: 1, RefusedLater: 3, Skipped: 2, HarvestRate: 8.0 / 17,
			Refresh: console.Refreshed{Fetched: 7, Unchanged: 1, Changed: 1, Gone: 2, New: 2, Unreached: 1},
			Rules:   map[string]int64{"description_threshold": 1, "http_404": 3, "robots": 2, "boilerplate": 3, "gone": 2}, Drops: map[string]int64{"scope": 4},
		}, 7, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got console.Summary
			got.Sum(tt.generations)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
			if fetched, kept := got.OfRun(); fetched != tt.fetched || kept != tt.kept {
				t.Errorf("of the run: %d fetched, %d kept, want %d and %d", fetched, kept, tt.fetched, tt.kept)
			}
		})
	}
}
