package engine

// Links below the line of a strategy (see rank.Strategy) lead to other parts of a
// site, or nowhere. A crawl that has nothing better to follow ends when fewer than
// leastKept of harvestPages pages were kept.
const (
	harvestPages = 500
	leastKept    = 5
)

// harvest watches the pages fetched since the crawl first had nothing but links
// below the line. It is used between two tasks only.
type harvest struct {
	watching      bool
	fetched, kept int64 // when the current period began
}

// watch begins the first period.
func (e *Engine) watch() {
	if !e.harvest.watching {
		e.harvest = harvest{true, e.live.fetched.Load(), e.live.kept.Load()}
	}
}

// endPeriod begins another period if one has ended, and reports whether that
// brought too little.
func (e *Engine) endPeriod() (barren bool) {
	now := harvest{true, e.live.fetched.Load(), e.live.kept.Load()}
	last := e.harvest
	if !last.watching || now.fetched-last.fetched < harvestPages {
		return false
	}
	e.harvest = now
	return now.kept-last.kept < leastKept
}
