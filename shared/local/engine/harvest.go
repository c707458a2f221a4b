package engine

import "sluice/shared/state/job"

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
