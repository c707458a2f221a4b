package frontier

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Judge orders waiting links again, by what the crawl has learned since they were
// found.
type Judge interface {
	// Again returns l in its present order.
	Again(l Link) Link
	// Read returns how many pages of a host the order depends on.
	Read(host string) int
}

const (
	lookahead  = 4     // links that are judged again for each that is wanted
	wholeHost  = 20000 // links of a host that are judged again at most
	firstPages = 8     // of a host: then, and whenever their number has doubled, all its links are judged again
	drift      = 1.2   // a factor of priorities; smaller changes are not stored

	// Of feeders that don't know of each other:
	lookOf  = 16 // links that are judged again for each page of a host, when those have doubled
	movesOf = 4  // links that are wanted, for one that is stored in another place
)

// A link needs a share of the best priority to be queued: the links of a host whose best
// are far below those of others wait. The share falls from 1 to near while the first
// pages of a crawl are fetched: as long as little is learned, only the best are worth it.
const (
	near   = 0.25
	coldBy = 1000 // pages
)

// Rises reports whether a priority is so much higher than before that a waiting link of
// a crawl that learns is worth storing in another place.
func Rises(now, before float64) bool { return now > before*drift }

// Near returns the least priority of links that need not wait for a better one, once a
// crawl has learned.
func Near(best float64) float64 { return near * min(best, 1) }

// near returns the least priority of links that need not wait for a better one now.
func (f *Feeder) near(best float64) float64 {
	share := max(near, 1-(1-near)*float64(f.Fetched)/coldBy)
	return share * min(best, 1)
}

// Refill queues the best links, as Sweep does, while tasks are in progress, until Wave
// links are queued. Hosts with queued links get no more, but what waits for them says
// which links are good.
func (f *Feeder) Refill(ctx context.Context, round, budget int) (int, error) {
	queued, err := f.Gauge.Queued(ctx, f.Crawl, "")
	if err != nil {
		return 0, fmt.Errorf("refill: %w", err)
	}
	if queued > f.Wave/2 {
		return 0, nil // a sweep looks at all hosts: it is worth some links
	}
	return f.sweepNear(ctx, round, min(budget, f.Wave-queued), f.Line, true)
}

// sweepNear queues links that are not below a line, nor far below the best link of the
// hosts that it compares: all, or those that have no queued links.
func (f *Feeder) sweepNear(ctx context.Context, round, budget int, line float64, all bool) (int, error) {
	for {
		hosts, _, err := f.waiting(ctx, round)
		if err != nil {
			return 0, err
		}
		first, err := f.firstIdle(ctx, hosts)
		if err != nil || first == len(hosts) {
			return 0, err
		}
		least, floor := f.near(hosts[first].Best), line
		if busy := bestBusy(hosts[:first]); all && busy > 0 {
			least = max(least, f.near(busy))
			floor = max(line, least)
		}
		hosts = slices.DeleteFunc(hosts[first:], func(h HostDepth) bool { return h.Best*drift < least && !f.stale(h.Host) })
		f.moved = false
		fed, err := f.sweepIdle(ctx, hosts, round, min(budget, f.Wave), floor)
		if fed > 0 || err != nil || !f.moved {
			return fed, err
		}
		// The links of the best hosts have become worse: others may be better now.
	}
}

// bestBusy returns the best priority of hosts, best first, that have more than seeds,
// and 0 if no host has.
func bestBusy(hosts []HostDepth) float64 {
	for _, h := range hosts {
		if h.Best < SeedPriority {
			return h.Best
		}
	}
	return 0
}

// firstIdle returns the place of the first host without queued links.
func (f *Feeder) firstIdle(ctx context.Context, hosts []HostDepth) (int, error) {
	for i, h := range hosts {
		queued, err := f.Gauge.Queued(ctx, f.Crawl, h.Host)
		if err != nil {
			return 0, fmt.Errorf("sweep %s: %w", h.Host, err)
		}
		if queued == 0 {
			return i, nil
		}
	}
	return len(hosts), nil
}

// stale reports whether the crawl has learned much of a host since all its links
// were judged.
func (f *Feeder) stale(host string) bool {
	return f.Judge.Read(host) >= max(firstPages, 2*f.judged[host])
}

// best returns the best waiting links of a host, judged again if the crawl learns.
// Links of which it has learned better may be deep in the backlog: it looks at all
// from time to time.
func (f *Feeder) best(ctx context.Context, host string, round, n int) ([]Link, error) {
	switch {
	case f.Judge == nil || f.Idle && f.Judge.Read(host) == 0:
		return f.Backlog.Best(ctx, f.Crawl, host, round, n)
	case f.Idle:
		return f.bestOf(ctx, host, round, n)
	}
	look := lookahead * n
	if f.stale(host) {
		if f.judged == nil {
			f.judged = map[string]int{}
		}
		look, f.judged[host] = wholeHost, f.Judge.Read(host)
	}
	links, changed, err := f.again(ctx, host, round, look)
	if err != nil {
		return nil, err
	}
	if len(changed) > 0 {
		f.moved = true
		if err := f.reorder(ctx, host, changed); err != nil {
			return nil, err
		}
	}
	return links[:min(n, len(links))], nil
}

// again returns the first links of a host in their present order, and those of them
// whose order has changed much, what is or should be first before others.
func (f *Feeder) again(ctx context.Context, host string, round, look int) (links, changed []Link, err error) {
	links, err = f.Backlog.Best(ctx, f.Crawl, host, round, look)
	if err != nil {
		return nil, nil, err
	}
	matters := map[string]float64{} // the better of a link's two priorities, by URL
	for i, old := range links {
		links[i] = f.Judge.Again(old)
		if now := links[i].Priority; Rises(now, old.Priority) || Rises(old.Priority, now) {
			changed = append(changed, links[i])
			matters[old.URL] = max(now, old.Priority)
		}
	}
	slices.SortFunc(links, BestFirst)
	slices.SortFunc(changed, func(a, b Link) int {
		return cmp.Or(cmp.Compare(matters[b.URL], matters[a.URL]), BestFirst(a, b))
	})
	return links, changed, nil
}

func (f *Feeder) reorder(ctx context.Context, host string, links []Link) error {
	if err := f.Orders.Reorder(ctx, f.Crawl, links); err != nil {
		return fmt.Errorf("reorder links of %s: %w", host, err)
	}
	return nil
}

// bestOf is best in a process that knows only the hosts that it visits, where each
// read and write costs. Of the links that have moved it stores few, and none that leave
// the backlog.
func (f *Feeder) bestOf(ctx context.Context, host string, round, n int) ([]Link, error) {
	look := lookahead * n
	if f.Doubled {
		look = min(max(look, lookOf*f.Judge.Read(host)), wholeHost)
	}
	links, changed, err := f.again(ctx, host, round, look)
	if err != nil {
		return nil, err
	}
	best := links[:min(n, len(links))]
	leave := URLs(f.above(best))
	changed = slices.DeleteFunc(changed, func(l Link) bool { return slices.Contains(leave, l.URL) })
	if changed = changed[:min(n/movesOf, len(changed))]; len(changed) > 0 {
		err = f.reorder(ctx, host, changed)
	}
	return best, err
}
