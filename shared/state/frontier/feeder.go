package frontier

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// Feeder is the task generator (METHOD A1): it moves links from the backlog to
// the queue as host tasks, best links first, within the budget and the cap for
// each host. One feeder works for a crawl at a time; a second one costs
// duplicate tasks, which the ledger absorbs. Not safe for concurrent use.
type Feeder struct {
	Crawl   string
	Backlog Backlog
	Hosts   Directory
	Queue   Sender
	Gauge   Gauge

	TaskLinks int // links in a task, at most MaxLinks; 0 means MaxLinks
	HostCap   int // links of one host that may be queued; 0 means TaskLinks

	// Links with a priority below Line wait for SweepBelow, which queues at most
	// Below of them. 0: there is no line.
	Line  float64
	Below int
	// Judge, unless nil, judges links again before they are queued; Orders keeps what
	// it says. Sweep and Refill then queue the best links over all hosts until Wave
	// links are queued. Reproducible crawls have none.
	Judge  Judge
	Orders Raiser
	Wave   int
	// Fetched is how many pages the crawl has fetched: Judge knows little after a few.
	Fetched int64
	// Idle skips hosts with queued links: if workers don't know of each other,
	// two tasks of one host would bounce each other.
	Idle bool
	// Doubled: with Idle, the pages of the hosts have doubled since all links were
	// last judged again.
	Doubled bool
	Now     func() time.Time
	After   time.Duration // tasks are not to be delivered before

	// chosen is the choice of a sweep over all hosts, by host: see choose; else nil.
	chosen map[string][]Link
	moved  bool           // a sweep has found links in another order
	judged map[string]int // pages of a host that were read when all its links were last judged again
}

// NewHostFeeder returns a feeder of single hosts for workers that don't know of
// each other: it skips hosts that have a task in progress.
func NewHostFeeder(crawl string, backlog Backlog, queue Sender, gauge Gauge, now func() time.Time) *Feeder {
	return &Feeder{Crawl: crawl, Backlog: backlog, Queue: queue, Gauge: gauge, Now: now, Idle: true}
}

// waitingPage is how many hosts a sweep gets from the directory at a time.
const waitingPage = 256

// Feed queues tasks of hosts, in their order, and returns the number of links
// queued, at most budget.
func (f *Feeder) Feed(ctx context.Context, hosts []string, round, budget int) (int, error) {
	fed := 0
	for some := range slices.Chunk(hosts, fedTogether) {
		if fed >= budget {
			break
		}
		portions, err := f.pickAll(ctx, some, round, budget-fed)
		if err != nil {
			return fed, err
		}
		n := 0
		for i := range portions {
			p := &portions[i]
			p.links = p.links[:min(len(p.links), budget-fed-n)]
			n += len(p.links)
		}
		if err := f.enqueue(ctx, portions); err != nil {
			return fed, err
		}
		fed += n
	}
	return fed, nil
}

// fedTogether is how many hosts Feed feeds at a time: the batch size of a
// message queue.
const fedTogether = 10

// portion is the links to queue for a host.
type portion struct {
	host  string
	links []Link
}

// pickAll returns the links to queue for each host, at most budget in total.
func (f *Feeder) pickAll(ctx context.Context, hosts []string, round, budget int) ([]portion, error) {
	portions := make([]portion, len(hosts))
	picks, ctx := errgroup.WithContext(ctx)
	if f.chosen != nil {
		picks.SetLimit(1) // they share a map
	}
	for i, host := range hosts {
		picks.Go(func() error {
			links, err := f.pick(ctx, host, round, budget)
			portions[i] = portion{host, links}
			return err
		})
	}
	return portions, picks.Wait()
}

// pick returns the links to queue for a host, at most budget.
func (f *Feeder) pick(ctx context.Context, host string, round, budget int) ([]Link, error) {
	queued, err := f.Gauge.Queued(ctx, f.Crawl, host)
	if err != nil {
		return nil, fmt.Errorf("feed %s: %w", host, err)
	}
	if f.Idle && queued > 0 {
		return nil, nil
	}
	n := f.hostCap() - queued
	if f.chosen != nil {
		links := f.chosen[host]
		links = links[:max(min(n, len(links)), 0)]
		f.chosen[host] = f.chosen[host][len(links):]
		return links, nil
	}
	if n = min(n, budget); n <= 0 {
		return nil, nil
	}
	links, err := f.best(ctx, host, round, n)
	if err != nil {
		return nil, fmt.Errorf("feed %s: %w", host, err)
	}
	links = f.above(links)
	if f.Idle {
		links = links[:Fit(links)] // one task, not two
	}
	return links, nil
}

// above returns those of a host's best links that are not below the line.
func (f *Feeder) above(best []Link) []Link {
	below := slices.IndexFunc(best, func(l Link) bool { return l.Priority < f.Line })
	if f.Line == 0 || below < 0 {
		return best
	}
	return best[:below]
}

// Sweep feeds all hosts with waiting links, best first, and returns the number
// of links queued, at most budget. A reproducible crawl calls it when nothing
// is queued: all earlier choices have ended then.
func (f *Feeder) Sweep(ctx context.Context, round, budget int) (int, error) {
	if f.Judge != nil {
		return f.sweepNear(ctx, round, budget, f.Line, false)
	}
	hosts, total, err := f.waiting(ctx, round)
	if err != nil {
		return 0, err
	}
	f.chosen = nil
	if round > 0 && total > budget {
		best := func(a, b choice) int { return BestFirst(a.Link, b.Link) }
		if err := f.choose(ctx, hosts, round, budget, 0, best); err != nil {
			return 0, err
		}
	}
	return f.Feed(ctx, names(hosts), round, budget)
}

// SweepBelow queues the best links below the line, over all hosts without queued
// links, and returns their number, at most Below and budget. It is called when
// Sweep has nothing to queue and no task is in progress.
func (f *Feeder) SweepBelow(ctx context.Context, round, budget int) (int, error) {
	switch {
	case f.Line == 0:
		return 0, nil
	case f.Judge != nil:
		return f.sweepNear(ctx, round, budget, 0, false)
	}
	hosts, _, err := f.waiting(ctx, round)
	if err != nil {
		return 0, err
	}
	return f.sweepIdle(ctx, hosts, round, min(budget, f.Below), 0)
}

// sweepIdle queues the best links that are not below a line, over those hosts
// that have no queued links, and returns their number, at most budget.
func (f *Feeder) sweepIdle(ctx context.Context, hosts []HostDepth, round, budget int, line float64) (int, error) {
	if budget <= 0 {
		return 0, nil
	}
	hosts, err := f.idle(ctx, hosts)
	if err != nil {
		return 0, err
	}
	defer func() { f.chosen = nil }()
	// Of equal links, one of each host first: hosts are fetched from side by side.
	err = f.choose(ctx, hosts, round, budget, line, func(a, b choice) int {
		return cmp.Or(a.Order().Compare(b.Order()), cmp.Compare(a.place, b.place), BestFirst(a.Link, b.Link))
	})
	if err != nil {
		return 0, err
	}
	return f.Feed(ctx, names(hosts), round, budget)
}

// idle returns the hosts without queued links: one that is asked to wait does not
// hold up others.
func (f *Feeder) idle(ctx context.Context, hosts []HostDepth) ([]HostDepth, error) {
	var idle []HostDepth
	for _, h := range hosts {
		queued, err := f.Gauge.Queued(ctx, f.Crawl, h.Host)
		if err != nil {
			return nil, fmt.Errorf("sweep %s: %w", h.Host, err)
		}
		if queued == 0 {
			idle = append(idle, h)
		}
	}
	return idle, nil
}

// waiting returns the hosts with waiting links, best first, and the number of
// those links.
func (f *Feeder) waiting(ctx context.Context, round int) (hosts []HostDepth, total int, err error) {
	for {
		page, err := f.Hosts.Waiting(ctx, f.Crawl, round, len(hosts), waitingPage)
		if err != nil {
			return nil, 0, fmt.Errorf("sweep: %w", err)
		}
		hosts = append(hosts, page...)
		for _, h := range page {
			total += h.Links
		}
		if len(page) < waitingPage {
			return hosts, total, nil
		}
	}
}

func names(hosts []HostDepth) []string {
	all := make([]string, len(hosts))
	for i, h := range hosts {
		all[i] = h.Host
	}
	return all
}

// choice is a link that may be chosen.
type choice struct {
	Link
	host  string
	place int // among the links of its host
}

// choose spends a budget on the best links over all hosts that are not below a line:
// if the crawl learns, on links below the line of its strategy, and on a round of a
// reproducible crawl that is larger than the budget, which must not depend on which
// host was served first.
func (f *Feeder) choose(ctx context.Context, hosts []HostDepth, round, budget int, line float64, compare func(a, b choice) int) error {
	most := budget // of one host
	if f.Judge != nil {
		most = min(most, f.hostCap())
	}
	var all []choice
	var top []float64 // the priorities of the best, at most budget, the least first
	for _, h := range hosts {
		if f.Judge != nil && !f.stale(h.Host) && len(top) == budget && top[0] >= h.Best {
			continue // it has nothing better
		}
		links, err := f.best(ctx, h.Host, round, most)
		if err != nil {
			return fmt.Errorf("choose from %s: %w", h.Host, err)
		}
		for i, l := range links {
			if l.Priority < line {
				break
			}
			all = append(all, choice{l, h.Host, i})
			at, _ := slices.BinarySearch(top, l.Priority)
			top = slices.Insert(top, at, l.Priority)
			top = top[max(0, len(top)-budget):]
		}
	}
	slices.SortFunc(all, compare)
	if f.Judge != nil && len(all) > 0 {
		line = f.near(all[0].Priority)
		all = slices.DeleteFunc(all, func(c choice) bool { return c.Priority < line })
	}
	f.chosen = map[string][]Link{}
	for _, c := range all[:min(budget, len(all))] {
		f.chosen[c.host] = append(f.chosen[c.host], c.Link)
	}
	return nil
}

// enqueue sends links as tasks, then takes them out of the backlog: a crash
// in between leaves duplicates, never a gap.
func (f *Feeder) enqueue(ctx context.Context, portions []portion) error {
	var out []Outgoing
	for _, p := range portions {
		for rest := p.links; len(rest) > 0; {
			n := Fit(rest[:min(len(rest), f.taskLinks())])
			chunk := rest[:n:n]
			rest = rest[n:]
			out = append(out, Outgoing{Task: NewTask(f.Crawl, p.host, chunk, f.Now()), Delay: f.After})
		}
	}
	if len(out) == 0 {
		return nil
	}
	if err := f.Queue.Send(ctx, out); err != nil {
		return fmt.Errorf("send %d tasks: %w", len(out), err)
	}
	for _, p := range portions {
		if len(p.links) == 0 {
			continue
		}
		if err := f.Backlog.Remove(ctx, f.Crawl, p.host, URLs(p.links)); err != nil {
			return fmt.Errorf("remove queued links of %s: %w", p.host, err)
		}
	}
	return nil
}

func (f *Feeder) taskLinks() int {
	if f.TaskLinks <= 0 || f.TaskLinks > MaxLinks {
		return MaxLinks
	}
	return f.TaskLinks
}

func (f *Feeder) hostCap() int {
	if f.HostCap <= 0 {
		return f.taskLinks()
	}
	return f.HostCap
}
