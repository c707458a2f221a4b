package opscmd

import (
	"bytes"
	"strings"
	"testing"
	"time"

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
		{
			"alarms and errors of the stack",
			console.Status{Health: &console.Health{
				Alarms: []console.Alarm{{Name: "CrawlErrorsAlarm", Why: "Invocations failed", Since: time.Unix(0, 0)}},
				Errors: []console.FunctionError{{Function: "keeper", At: time.Unix(60, 0), Message: "broken\x1b"}},
				Unread: []string{"read alarms: refused"},
			}},
			"\nalarm since " + minute(time.Unix(0, 0)) + ": Invocations failed (CrawlErrorsAlarm)\n" +
				"last error of keeper, " + minute(time.Unix(60, 0)) + ": broken\uFFFD\nnot known: read alarms: refused\n",
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
