package worker

import (
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

var _ Supply = (*batch)(nil)

// batch is the work on the tasks of one crawl in a batch of messages.
type batch struct {
	*Worker
	job   *job.Job
	crawl *prepared // nil if the crawl does not run
	stop  <-chan struct{}

	halted atomic.Bool // the crawl was running when the batch began, and is not any more
	mu     sync.Mutex
	looked time.Time                    // when that was seen
	ended  map[string]frontier.Standing // hosts to be fed, as the ends of their tasks left them
}

// running reports whether pages may be fetched.
func (b *batch) running() bool { return b.crawl != nil && !b.halted.Load() && b.crawl.left.Load() > 0 }

// work works on the tasks at places. Those of one host are done in sequence:
// the host's lease would reject concurrent ones.
func (b *batch) work(ctx context.Context, tasks []*frontier.Task, places []int, errs []error) {
	lines := map[string][]int{}
	for _, i := range places {
		lines[tasks[i].Host] = append(lines[tasks[i].Host], i)
	}
	done := func() {}
	if b.crawl != nil {
		done = b.ports.Outputs.Begin(b.job.ID, len(lines))
	}
	var wg sync.WaitGroup
	for _, line := range lines {
		wg.Go(func() {
			defer done()
			for _, i := range line {
				errs[i] = b.task(ctx, tasks[i])
			}
		})
	}
	wg.Wait()
	b.feedFresh(ctx)
}

// task works on one task. One that the crawl has no use for now goes back to the
// backlog unopened.
func (b *batch) task(ctx context.Context, t *frontier.Task) error {
	if !b.running() {
		if err := b.takeParked(ctx, t); err != nil {
			return err
		}
		if err := b.putBack(ctx, t, t.Links); err != nil {
			return err
		}
		_, err := b.end(ctx, t)
		return err
	}
	tasks := Tasks{Step: b.crawl.step, Log: b.opts.Log}
	return tasks.Do(ctx, t, step.Grant{
		Owner: uuid.NewString(), Stop: b.stop, Leave: func() bool { return b.leave(ctx) },
	}, b)
}

// HandBack implements Supply.
func (b *batch) HandBack(ctx context.Context, t *frontier.Task, out *step.Outcome) error {
	if len(out.Rest) == 0 || b.running() {
		return b.sendRest(ctx, t, out.Rest)
	}
	var links []frontier.Link
	for _, o := range out.Rest {
		links = append(links, o.Task.Links...)
	}
	out.Rest, out.Closed = nil, true
	return b.putBack(ctx, t, links)
}

// sendRest sends the rest of a task, then removes the parked marks whose links the task has
// taken along. Until there is a message nothing else keeps them: the task comes again
// without them, and its next rest gets the mark of this one.
func (b *batch) sendRest(ctx context.Context, t *frontier.Task, rest []frontier.Outgoing) error {
	for _, o := range rest {
		o.Task.Parks = nil
	}
	if err := b.ports.Queue.Send(ctx, rest); err != nil {
		return fmt.Errorf("send rest of task %s: %w", t.ID, err)
	}
	if len(rest) == 0 || len(t.Parks) == 0 {
		return nil
	}
	parks := frontier.Mark{Crawl: t.Crawl, Host: t.Host, ID: t.Parks[0], Parks: t.Parks[1:]}
	if _, err := b.ports.Tracker.End(ctx, parks); err != nil {
		return fmt.Errorf("end parked links of %s: %w", t.Host, err)
	}
	return nil
}

// Ended implements Supply. The task ends last: until then no other process
// queues links of its host.
func (b *batch) Ended(ctx context.Context, t *frontier.Task, more []frontier.Link, out *step.Outcome) error {
	if err := b.taken(ctx, t, more, out); err != nil || len(out.Rest) > 0 {
		return err
	}
	after, err := b.end(ctx, t)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended[t.Host] = after; out.Closed {
		delete(b.ended, t.Host)
	}
	return nil
}

// putBack returns links to the backlog, where they wait until the crawl
// continues. A task that was just sent stays in the queue for a while: its
// sender may be about to remove its links from the backlog.
func (b *batch) putBack(ctx context.Context, t *frontier.Task, links []frontier.Link) error {
	if wait := t.Sent.Add(b.opts.ClearTime).Sub(b.opts.Now()); wait > 0 {
		return fault.NewAfter(wait, "crawl_halted", fmt.Errorf("put back links of %s", t.Host))
	}
	if err := b.ports.Backlog.Add(ctx, t.Crawl, links); err != nil {
		return fmt.Errorf("put back links of %s: %w", t.Host, err)
	}
	return nil
}

// end records that a task is done, and returns the state of its host after that.
func (b *batch) end(ctx context.Context, t *frontier.Task) (frontier.Standing, error) {
	m := t.Mark(b.opts.Now())
	m.Held = nil // its links have ended, or wait
	after, err := b.ports.Tracker.End(ctx, m)
	if err != nil {
		return after, fmt.Errorf("end task %s: %w", t.ID, err)
	}
	return after, nil
}

// Feed implements Supply: it queues more of the task's host. On a web of many
// hosts, a host with few links waits as others do. If Feed fails, the next
// sweep of the backlog finds the host.
func (b *batch) Feed(ctx context.Context, t *frontier.Task, out *step.Outcome) error {
	if out.Closed || len(t.Links) < fewLinks && b.crawl.outbox.isWide() || len(out.Rest) > 0 {
		return nil
	}
	b.mu.Lock()
	known := map[string]frontier.Standing{t.Host: b.ended[t.Host]}
	delete(b.ended, t.Host)
	b.mu.Unlock()
	f := b.feeder()
	f.Gauge = alone{} // no other process queues links of a host that has a task
	b.judgeAgain(f, t.Host, out.Fetched)
	if !out.Next.IsZero() {
		f.After = max(out.Next.Sub(b.opts.Now())-patience, 0)
	}
	b.feedHosts(ctx, f, b.unpark(ctx, f.After, true, known, t.Host)...)
	return nil
}

// judgeAgain lets a feeder judge the links of a host again, if the crawl learns. This
// process has just visited the host, so it knows what is known of it.
func (b *batch) judgeAgain(f *frontier.Feeder, host string, fetched int) {
	judge := b.crawl.step.Judge()
	if judge == nil || b.job.RandomSeed != 0 || b.ports.Orders == nil {
		return
	}
	f.Judge, f.Orders = judge, b.ports.Orders
	pages := judge.Read(host)
	f.Doubled = bits.Len(uint(pages)) > bits.Len(uint(max(pages-fetched, 0)))
}

// alone is the gauge of a host whose last task has just ended.
type alone struct{}

// Queued implements frontier.Gauge.
func (alone) Queued(context.Context, string, string) (int, error) { return 0, nil }

// feedFresh queues tasks of the hosts whose links went to the backlog, and of
// those that Feed has put off, at the end of the batch: once for each, with all
// links of the batch. Many such hosts mean a wide crawl: there each waits a
// little to collect more links, so that a visit is worth its cost.
func (b *batch) feedFresh(ctx context.Context) {
	if b.crawl == nil {
		return
	}
	hosts, many := b.crawl.outbox.toFeed()
	for _, host := range hosts {
		delete(b.ended, host) // it has got links since
	}
	hosts = slices.AppendSeq(hosts, maps.Keys(b.ended))
	slices.Sort(hosts)
	f := b.feeder()
	if many {
		f.After = linger
	}
	if b.crawl.left.Load() > 0 {
		f.Gauge = alone{} // unpark has just looked
		b.feedHosts(ctx, f, b.unpark(ctx, f.After, false, b.ended, hosts...)...)
	}
}

// feedHosts queues more of hosts.
func (b *batch) feedHosts(ctx context.Context, f *frontier.Feeder, hosts ...string) {
	left := b.crawl.left.Load()
	if left <= 0 {
		return
	}
	if _, err := f.Feed(ctx, hosts, b.job.Round, int(left)); err != nil {
		b.opts.Log.WarnContext(ctx, "hosts not fed", "crawl", b.job.ID, "hosts", len(hosts), "err", err)
	}
}

func (b *batch) feeder() *frontier.Feeder {
	f := frontier.NewHostFeeder(b.job.ID, b.ports.Backlog, b.ports.Queue, b.ports.Gauge, b.opts.Now)
	f.Line = b.line()
	return f
}

// line is the priority below which links wait for better ones.
func (b *batch) line() float64 {
	if b.job.Order == nil {
		return 0
	}
	return b.job.Order.Wait
}
