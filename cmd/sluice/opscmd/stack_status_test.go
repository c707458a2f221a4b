package opscmd

import (
	"bytes"
	"strings"
	"testing"

	"sluice/shared/console"
	"sluice/shared/state/job"
)

func TestStackStatusPage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		status console.Status
		want   string
	}{
		{
			"lines that are no seeds",
			console.Status{Summary: console.Summary{BadSeeds: map[string]job.BadSeeds{"seeds/c/a.txt": {Lines: 2, First: "line 3: \"www.a.test\x1b\""}}}},
			"\nskipped as no URL: 2 lines of seeds/c/a.txt, such as line 3: \"www.a.test\uFFFD\"\n",
		},
		{
			"segments that are being cleaned",
			console.Status{Summary: console.Summary{Crawl: "c", State: console.Cleaning, Reason: job.ReasonFrontierEmpty, Uncleaned: 1}, Stack: "s"},
			"c of stack s: cleaning: the frontier is empty: nothing is left to fetch\n",
		},
		{
			"segments that nothing cleans",
			console.Status{Summary: console.Summary{State: job.Done, Reason: job.ReasonFrontierEmpty, Uncleaned: 2}, Stack: "s"},
			"\nnot cleaned: 2 segments; sluice redrive --stack s --dry-run may tell why\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var w bytes.Buffer
			stackStatusPage(&w, &tc.status)
			if !strings.Contains(w.String(), tc.want) {
				t.Errorf("%q is not in\n%s", tc.want, w.String())
			}
		})
	}
}
