package engine

// Links below the line of a strategy (see rank.Strategy) lead to other parts of a
// site, or nowhere. A crawl that has nothing better to follow ends when fewer than
// leastKept of harvestPages pages were kept.
const (
	harvestPages = 500
	leastKept    = 5
)

// harvest watches the pages fetched since the crawl first had nothing but links
// below the line or, if it learns, since it first kept a page. It is used by one task
// at a time, or between two.
type harvest struct {
	watching      bool
	fetched, kept int64 // when the current period began
	barren        bool  // a period has brought too little
}

// watch begins the first period.
func (e *Engine) watch() {
	if !e.harvest.watching {
		e.harvest = harvest{watching: true, fetched: e.live.fetched.Load(), kept: e.live.kept.Load()}
	}
}

// endPeriod begins another period if one has ended, and reports whether any brought
// too little.
func (e *Engine) endPeriod() (barren bool) {
	now := harvest{watching: true, fetched: e.live.fetched.Load(), kept: e.live.kept.Load()}
	last := e.harvest
	if !last.watching || last.barren || now.fetched-last.fetched < harvestPages {
		return last.barren
	}
	now.barren = now.kept-last.kept < leastKept
	e.harvest = now
	return now.barren
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
