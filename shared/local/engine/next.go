package engine

import (
	"context"
	"fmt"

	"sluice/shared/crawl/keeper"
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

// Spent implements keeper.Crawl.
func (c idle) Spent(ctx context.Context) (reason string, pages int, err error) {
	saturated, err := c.endGrowth(ctx)
	switch left := c.left(); {
	case err != nil:
		return "", 0, err
	case left <= 0:
		return job.ReasonMaxPages, 0, nil
	case c.queued == 0 && c.endPeriod():
		return job.ReasonHarvestRate, 0, nil
	case c.queued == 0 && saturated:
		return job.ReasonCoverage, 0, nil
	default:
		return "", int(left), nil
	}
}

// Feed implements keeper.Crawl: it feeds all hosts, best first, and links below
// the line if there are no others.
func (c idle) Feed(ctx context.Context, pages int) (busy bool, err error) {
	saturated, err := c.endGrowth(ctx)
	if err != nil {
		return false, err
	}
	learns := c.learns()
	if saturated || learns && c.endPeriod() {
		return c.queued > 0, nil
	}
	room, freed, err := c.room(ctx, pages, c.queued)
	if err != nil {
		return false, err
	}
	c.ports.Feeder.Fetched = c.live.fetched.Load()
	fed := 0
	if c.queued == 0 || learns || freed { // else hosts that can be asked were fed as their tasks ended
		fed, err = c.ports.Feeder.Sweep(ctx, c.round, room)
	}
	if err == nil && fed == 0 {
		fed, err = c.feedBelow(ctx, room)
	}
	return fed+c.queued > 0, err
}

func (c idle) feedBelow(ctx context.Context, pages int) (int, error) {
	fed, err := c.ports.Feeder.SweepBelow(ctx, c.round, pages)
	if fed > 0 {
		c.watch()
	}
	return fed, err
}

// NextRound implements keeper.Crawl.
func (c idle) NextRound(ctx context.Context) (bool, error) {
	if c.ports.Rounds == nil {
		return false, nil
	}
	if err := c.tune(ctx); err != nil {
		return false, err
	}
	round, ok, err := c.ports.Rounds.NextRound(ctx, c.opts.Crawl)
	if ok {
		c.round = round
	}
	return ok, err
}
