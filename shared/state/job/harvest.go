package job

import (
	"strings"

	"sluice/shared/state/ledger"
)

// Harvest is what came of some pages of a crawl.
type Harvest struct {
	Read int64 `json:"read"` // pages that were read, apart from redirects, errors, sitemaps and feeds
	Kept int64 `json:"kept"`
}

// Links below the line of a strategy (see rank.Strategy) lead to other parts of a
// site, or nowhere. A crawl that has nothing better to follow, or that learns and has
// kept a page, ends when fewer than leastKept of harvestPages pages were kept. Pages
// are counted that were read: links that lead to none say nothing of the others.
const (
	harvestPages = 500
	leastKept    = 5
)

// Watch watches the harvest of such a crawl in periods.
type Watch struct {
	Began Harvest `json:"began"`         // of the crawl, when the present period began
	Last  Harvest `json:"last,omitzero"` // of the last period that has ended
}

// Go begins another period if one has ended, and reports whether any brought too
// little.
func (w *Watch) Go(now Harvest) (barren bool) {
	period := Harvest{now.Read - w.Began.Read, now.Kept - w.Began.Kept}
	if !w.barren() && period.Read >= harvestPages {
		w.Began, w.Last = now, period
	}
	return w.barren()
}

func (w *Watch) barren() bool { return w.Last.Read > 0 && w.Last.Kept < leastKept }

// HarvestOf returns the harvest of a whole crawl.
func HarvestOf(t *ledger.Totals) Harvest {
	h := Harvest{Kept: t.Verdicts[ledger.Kept]}
	h.Read = h.Kept + t.Verdicts[ledger.Passed] + t.Verdicts[ledger.Rejected]
	for rule, n := range t.Rules {
		switch { // no page was found
		case rule == "http_408", rule == "http_425", rule == "http_429": // dead, not rejected
		case rule == "not_html", strings.HasPrefix(rule, "http_4"):
			h.Read -= n
		}
	}
	return h
}
