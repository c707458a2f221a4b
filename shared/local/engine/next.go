package engine

import (
	"context"
	"fmt"

	"sluice/shared/crawl/keeper"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

// next feeds the queue when nothing is queued or in flight, and names the reason
// to end the crawl when there is nothing to feed it with.
func (e *Engine) next(ctx context.Context) (StopReason, error) {
	if e.lines.hosts() > 0 {
		return "", nil
	}
	queued, err := e.ports.Gauge.Queued(ctx, e.opts.Crawl, "")
	if err != nil {
		return "", fmt.Errorf("count queued links: %w", err)
	}
	reason, err := keeper.Next(ctx, idle{e, queued})
	return StopReason(reason), err
}

var _ keeper.Crawl = idle{}

// idle is a crawl without a task in progress: none but the caller feeds it.
type idle struct {
	*Engine
	queued int // links in tasks
}

// Spent implements keeper.Crawl. A crawl that ends with its last page is not
// short of pages.
func (c idle) Spent(ctx context.Context) (string, int, error) {
	if pages := c.left(); pages > 0 {
		return "", int(pages), nil
	}
	hosts, err := c.ports.Feeder.Hosts.Waiting(ctx, c.opts.Crawl, frontier.AnyRound, 0, 1)
	switch {
	case err != nil:
		return "", 0, fmt.Errorf("list waiting hosts: %w", err)
	case c.queued == 0 && len(hosts) == 0:
		return job.ReasonFrontierEmpty, 0, nil
	}
	return job.ReasonMaxPages, 0, nil // queued: of a run that had a larger budget
}

// Feed implements keeper.Crawl: it feeds all hosts, best first.
func (c idle) Feed(ctx context.Context, pages int) (busy bool, err error) {
	if c.queued > 0 {
		return true, nil
	}
	fed, err := c.ports.Feeder.Sweep(ctx, c.round, pages)
	return fed > 0, err
}

// NextRound implements keeper.Crawl.
func (c idle) NextRound(ctx context.Context) (bool, error) {
	if c.ports.Rounds == nil {
		return false, nil
	}
	round, ok, err := c.ports.Rounds.NextRound(ctx, c.opts.Crawl)
	if ok {
		c.round = round
	}
	return ok, err
}
