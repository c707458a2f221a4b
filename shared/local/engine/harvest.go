package engine

import (
	"context"
	"fmt"

	"sluice/shared/state/job"
)

// watch begins to watch the harvest: the crawl has nothing but links below the line
// or, if it learns, has kept a page. It is called by one task at a time, or between
// two, as is endPeriod.
func (e *Engine) watch() {
	if e.harvest == nil {
		e.harvest = &job.Watch{Began: e.live.harvest()}
	}
}

// endPeriod begins another period if one has ended, and reports whether any brought
// too little.
func (e *Engine) endPeriod() (barren bool) {
	return e.harvest != nil && e.harvest.Go(e.live.harvest())
}

// Barren returns the period that brought too little, when Run has ended for it.
func (e *Engine) Barren() job.Harvest {
	if e.harvest == nil {
		return job.Harvest{}
	}
	return e.harvest.Last
}

// learns reports whether the order of links is learned, and begins the first period
// of such a crawl.
func (e *Engine) learns() bool {
	if e.ports.Feeder.Judge == nil {
		return false
	}
	if e.opts.Kept+e.live.kept.Load() > 0 {
		e.watch()
	}
	return true
}

// Saturated returns the period that brought nearly nothing new, when Run has ended for
// it.
func (e *Engine) Saturated() job.Growth { return e.growth.Last }

// growthNow returns what has come of the run, and the coverage of the crawl, which has
// all documents that are counted.
func (e *Engine) growthNow(ctx context.Context) (job.Growth, error) {
	h := job.Harvest{Read: e.live.read.Load(), Kept: e.live.covering.Load()}
	c, err := e.ports.Coverages.Covered(ctx, e.opts.Crawl)
	if err != nil {
		return job.Growth{}, fmt.Errorf("read coverage: %w", err)
	}
	return c.Of(h), nil
}

// watchGrowth begins to watch whether what is kept is new.
func (e *Engine) watchGrowth(ctx context.Context) error {
	if e.ports.Coverages == nil || e.growth != nil {
		return nil
	}
	now, err := e.growthNow(ctx)
	e.growth = &job.GrowthWatch{Began: now}
	return err
}

// endGrowth begins another period if one has ended, and reports whether any brought
// nearly nothing new.
func (e *Engine) endGrowth(ctx context.Context) (saturated bool, err error) {
	if e.growth == nil {
		return false, nil
	}
	now, err := e.growthNow(ctx)
	return err == nil && e.growth.Go(now), err
}
