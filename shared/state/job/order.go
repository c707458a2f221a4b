package job

import (
	"errors"
	"math"

	"sluice/shared/rank"
)

// Order is what the keeper and the workers of a crawl know of its order of links.
type Order struct {
	Line   float64 `json:"line,omitempty"`   // of the strategy (see rank.Strategy)
	Learns bool    `json:"learns,omitempty"` // it is a rank.Learner

	// Wait is the priority below which links wait at present: the keeper finds that
	// there are better ones.
	Wait  float64 `json:"wait,omitempty"`
	Watch *Watch  `json:"watch,omitempty"` // nil: the harvest is not watched yet

	Growth *GrowthWatch `json:"growth,omitempty"` // nil: it is not watched yet
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
