package frontier

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Feeder is the task generator (METHOD A1): it moves links from the backlog
// to the queue as host tasks, best links first, within what the budget and
// the cap for each host allow. One feeder works for a crawl at a time; a
// second one costs duplicate tasks, which the ledger absorbs. Not safe for
// concurrent use.
type Feeder struct {
	Crawl   string
	Backlog Backlog
	Hosts   Directory
	Queue   Sender
	Gauge   Gauge

	TaskLinks int // links in a task, at most MaxLinks; 0 means MaxLinks
	HostCap   int // links of one host that may be queued; 0 means TaskLinks
	// Idle leaves hosts alone that have anything queued: where workers don't
	// know of each other, two tasks of one host would send each other back.
	Idle  bool
	Now   func() time.Time
	After time.Duration // tasks are not to be delivered before

	// chosen is what Sweep chose over all hosts, by host, where the budget will
	// not reach for the whole round of a reproducible crawl; nil where it will.
	chosen map[string][]Link
}

// waitingPage is how many hosts a sweep asks the directory for at a time.
const waitingPage = 256

// Feed queues tasks of one host and returns the number of links queued, at
// most budget.
func (f *Feeder) Feed(ctx context.Context, host string, round, budget int) (int, error) {
	queued, err := f.Gauge.Queued(ctx, f.Crawl, host)
	if err != nil {
		return 0, fmt.Errorf("feed %s: %w", host, err)
	}
	if f.Idle && queued > 0 {
		return 0, nil
	}
	n := f.hostCap() - queued
	if f.chosen != nil {
		links := f.chosen[host]
		links = links[:max(min(n, len(links)), 0)]
		f.chosen[host] = f.chosen[host][len(links):]
		return len(links), f.enqueue(ctx, host, links)
	}
	if n = min(n, budget); n <= 0 {
		return 0, nil
	}
	links, err := f.Backlog.Best(ctx, f.Crawl, host, round, n)
	if err != nil {
		return 0, fmt.Errorf("feed %s: %w", host, err)
	}
	return len(links), f.enqueue(ctx, host, links)
}

// Sweep feeds all hosts that have something waiting, best first, and returns
// the number of links queued, at most budget. A reproducible crawl calls it
// when nothing is queued: all earlier choices have ended then.
func (f *Feeder) Sweep(ctx context.Context, round, budget int) (int, error) {
	var hosts []HostDepth
	total := 0
	for {
		page, err := f.Hosts.Waiting(ctx, f.Crawl, round, len(hosts), waitingPage)
		if err != nil {
			return 0, fmt.Errorf("sweep: %w", err)
		}
		hosts = append(hosts, page...)
		for _, h := range page {
			total += h.Links
		}
		if len(page) < waitingPage {
			break
		}
	}
	f.chosen = nil
	if round > 0 && total > budget {
		if err := f.choose(ctx, hosts, round, budget); err != nil {
			return 0, err
		}
	}
	fed := 0
	for _, h := range hosts {
		if fed >= budget {
			break
		}
		n, err := f.Feed(ctx, h.Host, round, budget-fed)
		if err != nil {
			return fed, err
		}
		fed += n
	}
	return fed, nil
}

// choose spends a budget that will not reach for the whole round on the
// round's best links, whichever host they are of: a reproducible crawl must
// not depend on which host was served first.
func (f *Feeder) choose(ctx context.Context, hosts []HostDepth, round, budget int) error {
	type choice struct {
		Link
		host string
	}
	var all []choice
	for _, h := range hosts {
		links, err := f.Backlog.Best(ctx, f.Crawl, h.Host, round, budget)
		if err != nil {
			return fmt.Errorf("choose from %s: %w", h.Host, err)
		}
		for _, l := range links {
			all = append(all, choice{l, h.Host})
		}
	}
	slices.SortFunc(all, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.URL, b.URL))
	})
	f.chosen = map[string][]Link{}
	for _, c := range all[:min(budget, len(all))] {
		f.chosen[c.host] = append(f.chosen[c.host], c.Link)
	}
	return nil
}

// enqueue sends links as tasks, then takes them out of the backlog: a crash
// in between leaves duplicates, never a gap.
func (f *Feeder) enqueue(ctx context.Context, host string, links []Link) error {
	if len(links) == 0 {
		return nil
	}
	var out []Outgoing
	urls := make([]string, 0, len(links))
	for chunk := range slices.Chunk(links, f.taskLinks()) {
		out = append(out, Outgoing{Task: &Task{
			ID: uuid.NewString(), Crawl: f.Crawl, Host: host,
			Links: chunk, FirstEnqueued: f.Now().UTC(),
		}, Delay: f.After})
		for _, l := range chunk {
			urls = append(urls, l.URL)
		}
	}
	if err := f.Queue.Send(ctx, out); err != nil {
		return fmt.Errorf("send tasks of %s: %w", host, err)
	}
	if err := f.Backlog.Remove(ctx, f.Crawl, host, urls); err != nil {
		return fmt.Errorf("remove queued links of %s: %w", host, err)
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
