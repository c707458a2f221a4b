package e2e_test

import (
	"path/filepath"
	"testing"
	"time"
)

// With a delay and a server that fails now and then, no host ever gets two
// requests at once, nor one sooner than the delay after the last.
func TestPoliteAmidFailures(t *testing.T) {
	long(t)
	const delay = 200 * time.Millisecond
	web := serve(t, "-latency", "20ms", "-fail", "0.05")
	out := filepath.Join(t.TempDir(), "out")
	sum := sluice(t, crawlArgs(topicEverything, out, web, newsSeeds(t), "--delay", delay.String(), "--max-pages", "400")...).summary(t, exitDone)

	if sum.StopReason != "max_pages" {
		t.Errorf("stop reason %q, want max_pages", sum.StopReason)
	}
	a := web.account(t)
	if a.Status["503"] == 0 || a.Status["200"] < 300 {
		t.Fatalf("server answered %v: nothing to see here", a.Status)
	}
	// Only a failed page is requested again.
	if a.Repeated > a.Status["503"] {
		t.Errorf("%d repeated requests after %d failures", a.Repeated, a.Status["503"])
	}
	for name, host := range a.Hosts {
		if host.Peak > 1 {
			t.Errorf("%s had %d requests in flight at once", name, host.Peak)
		}
		if host.Requests > 1 && host.MinGap < delay.Seconds() {
			t.Errorf("%s was asked again after %.3f s, want %v", name, host.MinGap, delay)
		}
	}
}
