package crawlcmd

import (
	"bytes"
	"strings"
	"testing"

	"sluice/shared/console"
)

// A crawl that found nothing says what to do, if there is something to do.
func TestStarved(t *testing.T) {
	t.Parallel()
	weak := map[string]int64{"priority": 3, "anchor": 2, "scope": 7}
	for _, test := range []struct {
		name   string
		kept   int64
		reason string
		drops  map[string]int64
		want   bool
	}{
		{"starved", 0, "frontier_empty", weak, true},
		{"found something", 1, "frontier_empty", weak, false},
		{"not at its end", 0, "interrupted", weak, false},
		{"nothing weak", 0, "frontier_empty", map[string]int64{"scope": 7}, false},
	} {
		var page bytes.Buffer
		s := &console.Summary{StopReason: test.reason, Drops: test.drops}
		s.Kept = test.kept
		summaryPage(&page, s)
		if got := strings.Contains(page.String(), `skipped for a low value: 5 links. With "strategy: best-first"`); got != test.want {
			t.Errorf("%s: advice %t\n%s", test.name, got, page.String())
		}
	}
}
