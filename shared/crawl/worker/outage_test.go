package worker_test

import (
	"fmt"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/crawl/step"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// An outage, of the network or a proxy, costs a crawl nothing but time; nor does that of a
// host which has answered before.
func TestOutage(t *testing.T) {
	const hosts, pages = 4, 30
	for _, tt := range []struct {
		name          string
		host          string // "": all
		begins, lasts time.Duration
	}{
		{"from the start", "", 0, 5 * time.Minute},
		{"in the middle", "", 15 * time.Second, 5 * time.Minute},
		{"for most of an hour", "", 15 * time.Second, 55 * time.Minute},
		{"of one host", "h1.demo.test", 15 * time.Second, 10 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				w, begun := tree(hosts, pages), time.Now()
				w.down = func(host string) bool {
					at := time.Since(begun)
					return (tt.host == "" || tt.host == host) && at >= tt.begins && at < tt.begins+tt.lasts
				}
				c := newCloud(t, w)
				c.message(t, fmt.Sprintf(start, "one", ""))
				c.run(t, 3)
				wantEnd(t, c, "one", job.ReasonFrontierEmpty)
				if tot := c.totals(t, "one"); tot.Verdicts[ledger.Kept] != hosts*pages || tot.Verdicts[ledger.Dead] > 0 {
					t.Errorf("%v, want %d kept", tot.Verdicts, hosts*pages)
				}
				if at := time.Since(begun); at > tt.begins+tt.lasts+30*time.Minute {
					t.Errorf("the crawl took %v", at)
				}
				wantManners(t, c)
			})
		})
	}
}

// After an hour hosts are closed, and their links wait.
func TestOutageWithoutEnd(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w, begun := tree(4, 30), time.Now()
		w.down = func(string) bool { return time.Since(begun) > 15*time.Second }
		c := newCloud(t, w)
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.run(t, 3)
		wantEnd(t, c, "one", job.ReasonHostsDown)
		if tot := c.totals(t, "one"); tot.Verdicts[ledger.Dead] > 0 {
			t.Errorf("%d dead letters", tot.Verdicts[ledger.Dead])
		}
		closed, err := c.store.ClosedHosts(t.Context(), "one")
		if err != nil || len(closed) == 0 {
			t.Fatalf("no closed hosts (%v)", err)
		}
		for _, h := range closed {
			if h.Closed != step.RuleHostDown || h.Waiting == 0 {
				t.Errorf("%+v, want links that wait", h)
			}
		}
		if at := time.Since(begun); at < time.Hour || at > 3*time.Hour {
			t.Errorf("the crawl took %v", at)
		}
	})
}
