package eval

import (
	"math"

	"sluice/shared/chart"
	"sluice/shared/rank/adapt"
)

// The step changes of the experiment: a web brings supply · exp(-threshold)
// documents in an interval, and the supply changes at once.
const (
	stepExpected = 100 // documents in an interval, S of METHOD B3
	stepLength   = 60  // intervals between two changes
	stepNear     = 0.1 // a rate is back if it differs so much from S at most
)

var stepSupplies = []float64{1000, 200, 2000}

// StepChange is how soon a threshold is back at its target rate when what the web
// brings has changed at once (METHOD B3).
type StepChange struct {
	Expected int    `json:"expected"` // documents in an interval
	Steps    []Step `json:"steps"`

	published, ours []float64 // documents by interval
}

// Step is a change of the supply. The intervals after which the rate is back are
// null if it is not before the next change.
type Step struct {
	Interval  int     `json:"interval"`
	Supply    float64 `json:"supply"`    // documents in an interval, with threshold 0
	Published *int    `json:"published"` // intervals by the published rules
	Ours      *int    `json:"ours"`      // intervals by ours, with window and bounds
}

// NewStepChange computes the experiment with the constants of crawls.
func NewStepChange() *StepChange {
	c := adapt.Default(1)
	s := &StepChange{
		Expected: stepExpected,
		published: stepped(func(threshold float64, past []adapt.Interval) float64 {
			counts := adapt.Counts{Expected: stepExpected, Intervals: float64(len(past))}
			for _, i := range past {
				counts.Fetched, counts.Relevant = float64(i.Fetched), float64(i.Relevant)
				counts.All += counts.Fetched
			}
			next, _ := c.Rules.Next(threshold, counts)
			return next
		}),
		ours: stepped(func(threshold float64, past []adapt.Interval) float64 {
			next, _ := c.Next(threshold, stepExpected, past)
			return next
		}),
	}
	for i, supply := range stepSupplies {
		at := i * stepLength
		s.Steps = append(s.Steps, Step{at, supply, back(s.published[at : at+stepLength]), back(s.ours[at : at+stepLength])})
	}
	return s
}

// stepped returns what each interval brings. All of it is relevant.
func stepped(next func(threshold float64, past []adapt.Interval) float64) (documents []float64) {
	threshold, past := 1.0, []adapt.Interval(nil)
	for _, supply := range stepSupplies {
		for range stepLength {
			f := int64(supply * math.Exp(-threshold))
			past = append(past, adapt.Interval{Fetched: f, Relevant: f})
			documents = append(documents, float64(f))
			threshold = next(threshold, past)
		}
	}
	return documents
}

// back counts the intervals until the rate is near the expected one; nil: it never
// is.
func back(documents []float64) *int {
	for i, f := range documents {
		if math.Abs(f/stepExpected-1) <= stepNear {
			return &i
		}
	}
	return nil
}

// Figure has what the intervals bring, in shares of twice what is expected.
func (s *StepChange) Figure() *chart.Curves {
	c := &chart.Curves{
		Title: "Documents in an interval, where the supply changes at once", Axis: "intervals; 1 is twice the expected number",
		Most: float64(len(s.ours) - 1),
	}
	expected := make([]float64, len(s.ours))
	for i := range expected {
		expected[i] = stepExpected
	}
	for _, line := range []chart.Curve{{Name: "expected", Values: expected}, {Name: "as published", Values: s.published}, {Name: "with a window", Values: s.ours}} {
		shares := make([]float64, len(line.Values))
		for i, f := range line.Values {
			shares[i] = min(1, f/(2*stepExpected))
		}
		c.Lines = append(c.Lines, chart.Curve{Name: line.Name, Values: shares})
	}
	return c
}
