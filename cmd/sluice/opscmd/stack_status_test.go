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
