// Package hoststest is the conformance suite of the ports of package hosts.
// Adapters and decorators that pass it are interchangeable.
package hoststest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/conformance"
	"sluice/shared/web/hosts"
)

// Harness is the adapter under test, empty.
type Harness struct {
	hosts.Leases
	hosts.RobotsCache

	Now     func() time.Time      // the adapter's clock
	Advance func(d time.Duration) // lets time pass for the adapter
}

// Run checks an adapter against the contracts of hosts.Leases and
// hosts.RobotsCache. Each check gets a fresh one.
func Run(t *testing.T, open func(t *testing.T) *Harness) {
	conformance.Run(t, checks, open)
}

type check = conformance.Check[*Harness]

var checks = []check{
	// A host without a fetch so far is free at once.
	{Name: "new host is free", Check: checkNew},
	// Never two fetches at once on a host.
	{Name: "another owner is refused while the lease runs", Check: checkBusy},
	// … for every crawl.
	{Name: "crawls share the lease", Check: checkCrawls},
	// … under a race too.
	{Name: "one of 64 wins", Check: checkRace},
	// Hosts do not wait for each other.
	{Name: "hosts are apart", Check: checkHosts},
	// A long task renews its lease.
	{Name: "the owner may acquire again", Check: checkRenew},
	// A worker that died must not keep the host.
	{Name: "a lease ends", Check: checkExpiry},
	// It may have sent a request just before it died.
	{Name: "a lease that ended unreleased moves next", Check: checkExpiryNext},
	// The next owner must keep the host's delay.
	{Name: "release stores next for all crawls", Check: checkNext},
	// Page budgets and digests belong to a crawl.
	{Name: "release stores the state of its crawl", Check: checkState},
	// A worker that was too slow must not free another's lease.
	{Name: "release by a loser does nothing", Check: checkLoser},
	// Repeated releases are ordinary.
	{Name: "release twice does nothing", Check: checkReleaseTwice},
	// Every robots.txt is fetched once in its time.
	{Name: "robots rules come back", Check: checkRobots},
	{Name: "robots rules expire", Check: checkRobotsExpiry},
	{Name: "robots rules from before are not wanted", Check: checkRobotsSince},
	// The owner of the host fetches the rules, and later owners read them.
	{Name: "robots rules put under a lease outlast it", Check: checkRobotsOfLease},
	// Other files of the site, too, are kept with the rules.
	{Name: "what a site says of its pages comes back", Check: checkSite},
}

const (
	crawl = "c"
	host  = "a.test:8080"
	ttl   = time.Minute
)

func acquire(t *testing.T, h *Harness, crawl, host, owner string) *hosts.Lease {
	t.Helper()
	l, err := h.Acquire(t.Context(), crawl, host, owner, ttl)
	if err != nil {
		t.Fatalf("Acquire %s for %s: %v", host, owner, err)
	}
	if l.Host != host || l.Owner != owner {
		t.Fatalf("lease of %s for %s, want %s for %s", l.Host, l.Owner, host, owner)
	}
	return l
}

// busy checks that the host is refused, until some time of a running lease.
func busy(t *testing.T, h *Harness, crawl, owner string) {
	t.Helper()
	l, err := h.Acquire(t.Context(), crawl, host, owner, ttl)
	var b *hosts.BusyError
	if !errors.As(err, &b) {
		t.Fatalf("Acquire %s for %s: lease %+v, error %v, want a BusyError", host, owner, l, err)
	}
	if b.Host != host {
		t.Errorf("busy host is %q, want %q", b.Host, host)
	}
	if now := h.Now(); !b.Until.After(now) || b.Until.After(now.Add(ttl+time.Second)) {
		t.Errorf("busy until %v, want after %v, by %v at most", b.Until, now, ttl)
	}
}

func release(t *testing.T, h *Harness, crawl string, l *hosts.Lease) {
	t.Helper()
	if err := h.Release(t.Context(), crawl, l); err != nil {
		t.Fatalf("Release: %v", err)
	}
}

func checkNew(t *testing.T, h *Harness) {
	l := acquire(t, h, crawl, host, "w1")
	if !l.Next.IsZero() {
		t.Errorf("Next = %v, want zero", l.Next)
	}
	if diff := cmp.Diff(hosts.State{}, l.State); diff != "" {
		t.Errorf("state of a new host (-want +got):\n%s", diff)
	}
}

func checkBusy(t *testing.T, h *Harness) {
	acquire(t, h, crawl, host, "w1")
	busy(t, h, crawl, "w2")
	h.Advance(ttl / 2)
	busy(t, h, crawl, "w2")
}

func checkCrawls(t *testing.T, h *Harness) {
	l := acquire(t, h, "c", host, "w1")
	busy(t, h, "d", "w2")
	release(t, h, "c", l)
	acquire(t, h, "d", host, "w2")
	busy(t, h, "c", "w1")
}

func checkRace(t *testing.T, h *Harness) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	won := 0
	for i := range 64 {
		wg.Go(func() {
			_, err := h.Acquire(t.Context(), fmt.Sprintf("c%d", i%3), host, fmt.Sprintf("w%d", i), ttl)
			var b *hosts.BusyError
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case !errors.As(err, &b):
				t.Errorf("Acquire: %v", err)
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d owners have the host, want 1", won)
	}
}

func checkHosts(t *testing.T, h *Harness) {
	for _, host := range []string{"a.test", "a.test:8080", "www.a.test", "[::1]:80"} {
		acquire(t, h, crawl, host, "w-"+host)
	}
}

func checkRenew(t *testing.T, h *Harness) {
	acquire(t, h, crawl, host, "w1")
	h.Advance(ttl * 3 / 4)
	acquire(t, h, crawl, host, "w1")
	h.Advance(ttl * 3 / 4)
	busy(t, h, crawl, "w2")
	h.Advance(ttl / 4)
	acquire(t, h, crawl, host, "w2")
}

func checkExpiry(t *testing.T, h *Harness) {
	acquire(t, h, crawl, host, "w1")
	h.Advance(ttl)
	acquire(t, h, crawl, host, "w2")
	busy(t, h, crawl, "w1")
}

func checkExpiryNext(t *testing.T, h *Harness) {
	end := h.Now().Add(ttl)
	acquire(t, h, crawl, host, "w1")
	h.Advance(ttl)
	if l := acquire(t, h, crawl, host, "w2"); l.Next.Before(end.Add(-time.Millisecond)) {
		t.Errorf("Next = %v after a lease that ended unreleased, want no earlier than %v", l.Next, end)
	}
}

func checkNext(t *testing.T, h *Harness) {
	l := acquire(t, h, "c", host, "w1")
	next := h.Now().Add(5 * time.Second).Truncate(time.Millisecond)
	l.Next = next
	release(t, h, "c", l)
	l = acquire(t, h, "d", host, "w2")
	if !l.Next.Equal(next) {
		t.Errorf("Next = %v, want %v", l.Next, next)
	}
	l.Next = time.Time{}
	release(t, h, "d", l)
	if l = acquire(t, h, "c", host, "w1"); !l.Next.IsZero() {
		t.Errorf("Next = %v, want zero", l.Next)
	}
}

func checkState(t *testing.T, h *Harness) {
	want := hosts.State{Pages: 12, Overrides: map[string]int{"/党/*": 3}, Failures: 3, Cause: "connect: 拒绝", Failed: 4_000_000_000, Answered: true, OutSince: 1_800_000_000, Digests: map[string]int{"abc": 2, "": 1, "党": 3}, Sitemaps: true, Feeds: 2, Sources: 4, Asked: true, Learned: map[string][2]int{"": {9, 2}, "/党 /a?": {3, 1}}}
	l := acquire(t, h, "c", host, "w1")
	l.State = want
	release(t, h, "c", l)

	l = acquire(t, h, "d", host, "w1")
	if diff := cmp.Diff(hosts.State{}, l.State); diff != "" {
		t.Errorf("state in another crawl (-want +got):\n%s", diff)
	}
	l.State.Pages = 99
	release(t, h, "d", l)

	l = acquire(t, h, "c", host, "w2")
	if diff := cmp.Diff(want, l.State); diff != "" {
		t.Errorf("state (-released +acquired):\n%s", diff)
	}
}

func checkLoser(t *testing.T, h *Harness) {
	slow := acquire(t, h, crawl, host, "w1")
	h.Advance(ttl)
	l := acquire(t, h, crawl, host, "w2")
	slow.Next = h.Now().Add(time.Hour)
	slow.State.Pages = 99
	release(t, h, crawl, slow)
	busy(t, h, crawl, "w3")
	l.State.Pages = 1
	release(t, h, crawl, l)
	got := acquire(t, h, crawl, host, "w3")
	if got.State.Pages != 1 || got.Next.Equal(slow.Next) {
		t.Errorf("the loser's state was stored: %+v", got)
	}
}

func checkReleaseTwice(t *testing.T, h *Harness) {
	l := acquire(t, h, crawl, host, "w1")
	l.State.Pages = 1
	release(t, h, crawl, l)
	again := *l
	again.State.Pages = 2
	release(t, h, crawl, &again)
	acquired := acquire(t, h, crawl, host, "w2")
	if acquired.State.Pages != 1 {
		t.Errorf("Pages = %d, want 1", acquired.State.Pages)
	}
	release(t, h, crawl, &again)
	busy(t, h, crawl, "w3")
}
