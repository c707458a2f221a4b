package worker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
)

// outbox is the intake of one crawl in one process. It holds new links until
// pages are completed. Those of a host without tasks are then sent as its task;
// only the others wait in the backlog. On a web of many hosts most links thus
// bypass the backlog.
//
// It keeps links that it could not store beyond the batch. Nothing depends on
// that: the pages with those links are not completed either.
type outbox struct {
	ports  *Ports
	crawl  string
	direct bool // links may leave as tasks
	now    func() time.Time
	left   *atomic.Int64 // pages of the crawl's budget

	storing sync.Mutex // held while links are stored

	mu    sync.Mutex
	line  float64                  // links below it wait in the backlog
	held  map[string]frontier.Link // by URL; until they are stored
	hosts map[string]bool          // that got links; true: to be fed
}

const (
	maxHeld    = 1000 // links in memory: a sitemap has 50,000
	mostParked = 6    // links of a host in marks
	// Links are stored some at a time, so that a failure loses few of them.
	hostsAtOnce = 10
	linksAtOnce = 250
)

var _ step.Intake = (*outbox)(nil)

// newOutbox returns the outbox of a crawl that goes by opts. Direct is false for
// one that goes in rounds: its links wait for their round.
func newOutbox(ports *Ports, opts *Options, crawl string, left *atomic.Int64, direct bool) *outbox {
	return &outbox{
		ports: ports, crawl: crawl, direct: direct, now: opts.Now, left: left,
		held: map[string]frontier.Link{}, hosts: map[string]bool{},
	}
}

// Take implements step.Intake.
func (o *outbox) Take(ctx context.Context, _ string, links []frontier.Link) (int, error) {
	fresh, full := o.hold(links)
	if full {
		return fresh, o.Store(ctx)
	}
	return fresh, nil
}

// setLine sets the priority below which links wait in the backlog.
func (o *outbox) setLine(line float64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.line = line
}

// hold keeps links, of two with one URL the better.
func (o *outbox) hold(links []frontier.Link) (fresh int, full bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range links {
		have, ok := o.held[l.URL]
		if !ok {
			fresh++
		}
		if !ok || l.Better(&have) {
			o.held[l.URL] = l
		}
	}
	return fresh, len(o.held) > maxHeld
}

// drop forgets links that are stored. One that was raised meanwhile is kept for
// the backlog, unless it has left already.
func (o *outbox) drop(links []frontier.Link) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range links {
		if o.direct || o.held[l.URL] == l {
			delete(o.held, l.URL)
		}
	}
}

// Store implements step.Intake. A caller waits while links are being stored:
// they may be those of its pages.
func (o *outbox) Store(ctx context.Context) error {
	o.storing.Lock()
	defer o.storing.Unlock()
	o.mu.Lock()
	links, line := slices.Collect(maps.Values(o.held)), o.line
	o.mu.Unlock()
	if len(links) == 0 {
		return nil
	}
	hosts, err := o.byHost(ctx, links, line)
	if err != nil {
		return err
	}
	if err := o.send(ctx, hosts, line); err != nil {
		return err
	}
	if err := o.park(ctx, hosts, line); err != nil {
		return err
	}
	o.note(hosts)
	var waiting []frontier.Link
	for _, h := range hosts {
		waiting = append(waiting, h.links...)
	}
	for some := range slices.Chunk(waiting, linksAtOnce) {
		if err := o.wait(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// send sends a task to each host that is idle, and takes its links from those
// of the host. On a wide web tasks wait for more.
func (o *outbox) send(ctx context.Context, hosts []*hostLinks, line float64) error {
	var out []frontier.Outgoing
	left := int(o.left.Load())
	for _, h := range hosts {
		n := 0
		if h.idle {
			n = slices.IndexFunc(h.links, func(l frontier.Link) bool { return l.Priority < line })
			if n < 0 {
				n = len(h.links)
			}
			n = frontier.Fit(h.links[:max(min(n, left), 0)])
		}
		if n > 0 {
			t := frontier.NewTask(o.crawl, h.name, h.links[:n:n], o.now())
			t.Hold()
			out = append(out, frontier.Outgoing{Task: t})
			left -= n
		}
		h.links = h.links[n:]
	}
	if len(out) > wide {
		for i := range out {
			out[i].Delay = linger
		}
	}
	for some := range slices.Chunk(out, hostsAtOnce) {
		if err := o.dispatch(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// park leaves links to the next visits of their hosts, which have a task under way: on a
// wide web, where there are few for a host, none of which overtakes another. That costs a
// write unit for a host, in place of three for a link in the backlog.
func (o *outbox) park(ctx context.Context, hosts []*hostLinks, line float64) error {
	if !o.direct || len(hosts) <= wide {
		return nil
	}
	var marks []frontier.Mark
	var at []*hostLinks
	for _, h := range hosts {
		n := len(h.links)
		if n == 0 || h.waits || h.Queued == 0 || h.Closed != "" || len(h.Held)+n > mostParked || h.links[n-1].Priority < line {
			continue
		}
		t := frontier.NewTask(o.crawl, h.name, h.links, o.now())
		if t.Hold(); !t.Held {
			continue
		}
		m := t.Mark(o.now())
		m.Parked = true
		marks, at = append(marks, m), append(at, h)
		h.links = nil
	}
	for some := range slices.Chunk(marks, hostsAtOnce) {
		after, err := o.ports.Tracker.Park(ctx, some)
		if err != nil {
			return fmt.Errorf("park links of %d hosts: %w", len(some), err)
		}
		for i, m := range some {
			at[i].late = after[i].Queued == 0
			o.drop(m.Held)
		}
		at = at[len(some):]
	}
	return nil
}

// dispatch sends tasks, then puts hints of the links that the tasks' marks do not hold into
// the ledger, so that others know them. The hints come last: a crash in between leaves links
// twice, never a gap. Marks come first, and those without a message give their links back.
func (o *outbox) dispatch(ctx context.Context, out []frontier.Outgoing) error {
	if err := o.ports.Queue.Send(ctx, out); err != nil {
		return fmt.Errorf("send %d tasks: %w", len(out), err)
	}
	var links, unheld []frontier.Link
	for _, t := range out {
		links = append(links, t.Task.Links...)
		if !t.Task.Held {
			unheld = append(unheld, t.Task.Links...)
		}
	}
	if err := o.ports.Ledger.MarkQueued(ctx, o.crawl, frontier.URLs(unheld)); err != nil {
		return fmt.Errorf("mark links of %d tasks queued: %w", len(out), err)
	}
	o.drop(links)
	return nil
}

// wait puts links into the backlog, then their hint into the ledger, which says
// that they are stored.
func (o *outbox) wait(ctx context.Context, links []frontier.Link) error {
	if err := o.ports.Backlog.Add(ctx, o.crawl, links); err != nil {
		return fmt.Errorf("add links: %w", err)
	}
	if err := o.ports.Ledger.MarkQueued(ctx, o.crawl, frontier.URLs(links)); err != nil {
		return fmt.Errorf("mark links queued: %w", err)
	}
	o.drop(links)
	return nil
}

// note notes hosts that got links; those that are open and have some in the
// backlog that need not wait, or that no task will take along, are to be fed.
func (o *outbox) note(hosts []*hostLinks) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, h := range hosts {
		o.hosts[h.name] = o.hosts[h.name] || h.late || len(h.links) > 0 && h.Closed == "" && !h.waits
	}
}

// toFeed returns the hosts to feed since the last call, and whether those that
// got links were many.
func (o *outbox) toFeed() (hosts []string, many bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, feed := range o.hosts {
		if feed {
			hosts = append(hosts, name)
		}
	}
	many = len(o.hosts) > wide
	clear(o.hosts)
	slices.Sort(hosts)
	return hosts, many
}

// isWide reports whether the hosts that got links since the last toFeed are many.
func (o *outbox) isWide() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.hosts) > wide
}
