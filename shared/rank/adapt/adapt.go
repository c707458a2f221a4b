// Package adapt changes the threshold of a crawl once an interval, so that as
// many documents arrive as are expected (METHOD B3).
package adapt

import (
	"errors"
	"fmt"
)

// Rules are the constants of the published rules.
type Rules struct {
	Alpha float64 // raises the threshold; above 1 and below 1.1
	Beta  float64 // raises it where few documents are relevant; above 1.1 and below 1.5
	Gamma float64 // lowers it; above 0.9 and below 1
	Mu    float64 // the share of relevant documents below which they are few; above 0.1 and below 0.5
}

// Validate reports every constant that is out of its range.
func (r Rules) Validate() error {
	var problems []error
	for _, c := range []struct {
		name             string
		value, low, high float64
	}{
		{"alpha", r.Alpha, 1, 1.1}, {"beta", r.Beta, 1.1, 1.5}, {"gamma", r.Gamma, 0.9, 1}, {"mu", r.Mu, 0.1, 0.5},
	} {
		if !(c.low < c.value && c.value < c.high) {
			problems = append(problems, fmt.Errorf("%s is %v: it must be above %v and below %v", c.name, c.value, c.low, c.high))
		}
	}
	return errors.Join(problems...)
}

// Counts are what came in an interval and in all up to its end.
type Counts struct {
	Fetched   float64 // f, documents of this interval
	Relevant  float64 // r, those of them that are relevant
	All       float64 // F, documents of all intervals
	Expected  float64 // S, documents that an interval should bring
	Intervals float64 // T, intervals so far
}

// A Rule is the one of the published rules that applies.
type Rule string

// The rules.
const (
	Keep      Rule = "keep"
	Raise     Rule = "raise"      // by alpha: more came than expected
	RaiseMore Rule = "raise_more" // by beta: and few of it was relevant
	Lower     Rule = "lower"      // by gamma: less came
)

// Next returns the threshold of the next interval by the published rules, and
// which of them applies.
func (r Rules) Next(threshold float64, c Counts) (float64, Rule) {
	switch all := c.Expected * c.Intervals; {
	case c.Fetched > c.Expected && c.All > all && c.Relevant < c.Fetched*r.Mu:
		return threshold * r.Beta, RaiseMore
	case c.Fetched > c.Expected && c.All > all:
		return threshold * r.Alpha, Raise
	case c.Fetched < c.Expected && c.All < all:
		return threshold * r.Gamma, Lower
	}
	return threshold, Keep
}

// Controller is our form of the rules. The published ones are blocked after a
// rich start: as long as F > S·T they lower nothing, however little arrives. Here
// F and T count the last intervals only, and the threshold has bounds.
type Controller struct {
	Rules
	Floor, Ceiling float64 // of the threshold
	Window         int     // intervals that F and T count
}

// Default returns a controller with the constants of crawls, which are in the
// middle of the published ranges, for thresholds from a quarter to four times a
// given one.
func Default(threshold float64) Controller {
	return Controller{
		Rules: Rules{Alpha: 1.05, Beta: 1.3, Gamma: 0.95, Mu: 0.3},
		Floor: threshold / 4, Ceiling: threshold * 4, Window: 5,
	}
}

// Interval is what came in one interval.
type Interval struct {
	Fetched  int64 `json:"fetched"`
	Relevant int64 `json:"relevant"`
}

// Next returns the threshold after the intervals of past, the latest last, of
// which it looks at the Window last ones. Each should have brought expected
// documents.
func (c Controller) Next(threshold, expected float64, past []Interval) (float64, Rule) {
	if len(past) == 0 {
		return threshold, Keep
	}
	past = past[max(0, len(past)-c.Window):]
	now := past[len(past)-1]
	counts := Counts{Fetched: float64(now.Fetched), Relevant: float64(now.Relevant), Expected: expected, Intervals: float64(len(past))}
	for _, i := range past {
		counts.All += float64(i.Fetched)
	}
	next, rule := c.Rules.Next(threshold, counts)
	next = min(max(next, c.Floor), c.Ceiling)
	if next == threshold {
		rule = Keep
	}
	return next, rule
}
