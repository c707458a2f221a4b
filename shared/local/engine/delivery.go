package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"sluice/shared/crawl/step"
	"sluice/shared/crawl/worker"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
)

var _ worker.Supply = delivery{}

// delivery is the work on one task that was received.
type delivery struct {
	*Engine
	frontier.Delivery
}

// handle works on the task. An error is one that ends the crawl.
func (d delivery) handle(ctx, stop context.Context) error {
	tasks := worker.Tasks{Step: d, Log: d.opts.Log}
	page := &spending{Engine: d.Engine}
	err := tasks.Do(ctx, d.Task, step.Grant{
		Owner: uuid.NewString(), Stop: stop.Done(), Leave: func() bool { return page.begin() && stop.Err() == nil },
		Ended: func(end step.End) {
			d.live.count(end)
			page.end()
		},
	}, d)
	page.end()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx) // broken off; the queue delivers it again
	case err != nil:
		return d.refuse(ctx, d.Delivery, err)
	}
	return nil
}

// Run implements worker.Runner. It counts what was fetched before the task is
// taken from the queue: a link in neither count would be paid for twice.
func (d delivery) Run(ctx context.Context, t *frontier.Task, grant step.Grant) (*step.Outcome, error) {
	out, err := d.ports.Step.Run(ctx, t, grant)
	if out != nil {
		d.fetched.Add(int64(out.Fetched))
		d.pauses.note(t.Host, out.Why, out.Next, time.Now())
	}
	return out, err
}

// More implements worker.Supply. The order of priorities is exact: no link is
// fetched along with another one.
func (delivery) More(context.Context, *frontier.Task) ([]frontier.Link, error) { return nil, nil }

// HandBack implements worker.Supply.
func (d delivery) HandBack(ctx context.Context, t *frontier.Task, out *step.Outcome) error {
	if len(out.Rest) == 0 {
		return nil
	}
	if err := d.ports.Queue.Send(ctx, out.Rest); err != nil {
		return fmt.Errorf("send rest of task %s: %w", t.ID, err)
	}
	return nil
}

// Ended implements worker.Supply.
func (d delivery) Ended(ctx context.Context, t *frontier.Task, _ []frontier.Link, _ *step.Outcome) error {
	if err := d.ports.Queue.Delete(ctx, []string{d.Receipt}); err != nil {
		return fmt.Errorf("delete task %s: %w", t.ID, err)
	}
	return nil
}

// Feed implements worker.Supply: it queues more of the hosts that the task
// touched, so that a host rests no longer than its delay. The task has ended, so
// a failure is not its own: it ends the crawl.
func (d delivery) Feed(ctx context.Context, t *frontier.Task, out *step.Outcome) error {
	hosts := out.Hosts
	if !slices.Contains(hosts, t.Host) {
		hosts = append(hosts, t.Host)
	}
	if err := d.feedHosts(ctx, hosts); err != nil {
		return fault.New(fault.Broken, "feed", err)
	}
	return nil
}

// feedHosts queues more of hosts, within the budget of pages; if the crawl learns, of
// the hosts that have the best links.
func (e *Engine) feedHosts(ctx context.Context, hosts []string) error {
	e.feed.Lock()
	defer e.feed.Unlock()
	queued, err := e.ports.Gauge.Queued(ctx, e.opts.Crawl, "")
	if err != nil {
		return fmt.Errorf("count queued links: %w", err)
	}
	pages, _, err := e.room(ctx, int(e.opts.MaxPages-e.fetched.Load()), queued)
	if err != nil {
		return err
	}
	if saturated, err := e.endGrowth(ctx); err != nil || saturated {
		return err
	}
	if e.learns() {
		if e.endPeriod() {
			return nil
		}
		e.ports.Feeder.Fetched = e.live.fetched.Load()
		_, err = e.ports.Feeder.Refill(ctx, e.round, pages)
		return err
	}
	_, err = e.ports.Feeder.Feed(ctx, hosts, e.round, pages)
	return err
}
