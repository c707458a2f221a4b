package engine

// Links below the line of a strategy (see rank.Strategy) lead to other parts of a
// site, or nowhere. A crawl that has nothing better to follow ends when fewer than
// leastKept of harvestPages pages were kept. Pages are counted that were read: links
// that lead to none say nothing of the others.
const (
	harvestPages = 500
	leastKept    = 5
)

// Harvest is what came of the pages of a period.
type Harvest struct {
	Read int64 // pages that were read and judged
	Kept int64
}

// harvest watches the pages read since the crawl first had nothing but links below
// the line or, if it learns, since it first kept a page. It is used by one task at a
// time, or between two.
type harvest struct {
	watching bool
	began    Harvest // of the whole run, when the current period began
	last     Harvest // of the last period that has ended
}

// watch begins the first period.
func (e *Engine) watch() {
	if !e.harvest.watching {
		e.harvest = harvest{watching: true, began: e.live.harvest()}
	}
}

// endPeriod begins another period if one has ended, and reports whether any brought
// too little.
func (e *Engine) endPeriod() (barren bool) {
	h := &e.harvest
	if !h.watching || h.barren() {
		return h.barren()
	}
	now := e.live.harvest()
	period := Harvest{now.Read - h.began.Read, now.Kept - h.began.Kept}
	if period.Read >= harvestPages {
		h.began, h.last = now, period
	}
	return h.barren()
}

// barren reports whether the last period brought too little.
func (h *harvest) barren() bool { return h.last.Read > 0 && h.last.Kept < leastKept }

// Barren returns the period that brought too little, when Run has ended for it.
func (e *Engine) Barren() Harvest { return e.harvest.last }

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
