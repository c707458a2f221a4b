package job

import (
	"errors"
	"math"
	"strings"

	"sluice/shared/rank"
	"sluice/shared/state/ledger"
)

// Order is what the keeper and the workers of a crawl know of its order of links.
type Order struct {
	Line   float64 `json:"line,omitempty"`   // of the strategy (see rank.Strategy)
	Learns bool    `json:"learns,omitempty"` // it is a rank.Learner

	// Wait is the priority below which links wait at present: the keeper finds that
	// there are better ones.
	Wait    float64  `json:"wait,omitempty"`
	Harvest *Harvest `json:"harvest,omitempty"` // nil: not watched yet
}

// OrderOf returns the order of a crawl by a strategy, nil if it has no line and does
// not learn.
func OrderOf(s rank.Strategy) *Order {
	if l, ok := s.(rank.Learner); ok {
		return &Order{Learns: true, Wait: l.Start()}
	}
	if line := s.Line(); line > 0 {
		return &Order{Line: line, Wait: line}
	}
	return nil
}

func (o *Order) check() error {
	if o == nil {
		return nil
	}
	return errors.Join(within("order.line", o.Line, math.MaxFloat64), within("order.wait", o.Wait, math.MaxFloat64))
}

// Pages of which at least leastKept are to be kept; see Harvest.
const (
	harvestPages = 500
	leastKept    = 5
)

// Harvest watches what comes of the pages of a crawl that has nothing but weak links
// or, if it learns, has kept a page. Such a crawl ends when fewer than 5 of 500 pages
// that were read are kept.
type Harvest struct {
	Read int64 `json:"read"` // of the crawl, when the present period began
	Kept int64 `json:"kept"`

	LastRead int64 `json:"last_read,omitempty"` // of the last period that has ended
	LastKept int64 `json:"last_kept,omitempty"`
}

// Go ends a period if it is over, and reports whether it brought too little.
func (h *Harvest) Go(read, kept int64) (barren bool) {
	if read-h.Read < harvestPages {
		return false
	}
	*h = Harvest{Read: read, Kept: kept, LastRead: read - h.Read, LastKept: kept - h.Kept}
	return h.LastKept < leastKept
}

// notPage reports whether a fetch that ended by a rule found no page to read.
func notPage(rule string) bool { return rule == "not_html" || strings.HasPrefix(rule, "http_4") }

// Read returns how many pages of a crawl were read, and how many of them were kept.
// Links that lead to none say nothing of the others.
func Read(t *ledger.Totals) (read, kept int64) {
	kept = t.Verdicts[ledger.Kept]
	read = kept + t.Verdicts[ledger.Passed] + t.Verdicts[ledger.Rejected]
	for rule, n := range t.Rules {
		if notPage(rule) {
			read -= n
		}
	}
	return read, kept
}
