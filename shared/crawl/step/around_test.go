package step_test

import (
	"testing"

	"sluice/shared/rank"
)

// aroundOrder orders links by the text around them alone.
type aroundOrder struct{ rank.BreadthFirst }

func (aroundOrder) Judge(l rank.Link) rank.Judgement {
	return rank.Judgement{Order: rank.Order{Priority: l.Around}}
}

// readsContext is aroundOrder that asks for the text.
type readsContext struct{ aroundOrder }

func (readsContext) ReadsContext() {}

// The text around a link is scored for a strategy that asks for it, and for no
// other.
func TestAround(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		strategy rank.Strategy
		want     float64
	}{"asks": {readsContext{}, 1}, "does not ask": {aroundOrder{}, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "-- http://a.test/ --\n<title>天气</title><p>股市<a href=/next>更多</a>")
			w.plan.Strategy = test.strategy
			w.run(t, link("http://a.test/"))
			if links := w.take(t, "a.test")[0].Links; links[0].Priority != test.want {
				t.Errorf("waiting: %+v, want priority %v", links, test.want)
			}
		})
	}
}
