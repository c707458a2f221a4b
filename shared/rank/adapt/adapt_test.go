package adapt

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var published = Default(1).Rules

func TestNext(t *testing.T) {
	for _, test := range []struct {
		name string
		c    Counts
		want float64
		rule Rule
	}{
		{"rich", Counts{Fetched: 120, Relevant: 60, All: 320, Expected: 100, Intervals: 3}, 1.05, Raise},
		{"rich and off the topic", Counts{Fetched: 120, Relevant: 35, All: 320, Expected: 100, Intervals: 3}, 1.3, RaiseMore},
		{"relevant at the bound", Counts{Fetched: 120, Relevant: 36, All: 320, Expected: 100, Intervals: 3}, 1.05, Raise},
		{"rich now, poor in all", Counts{Fetched: 120, Relevant: 0, All: 300, Expected: 100, Intervals: 3}, 1, Keep},
		{"poor", Counts{Fetched: 80, All: 280, Expected: 100, Intervals: 3}, 0.95, Lower},
		{"poor now, rich in all", Counts{Fetched: 0, All: 301, Expected: 100, Intervals: 3}, 1, Keep},
		{"as expected", Counts{Fetched: 100, All: 400, Expected: 100, Intervals: 3}, 1, Keep},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, rule := published.Next(1, test.c); got != test.want || rule != test.rule {
				t.Errorf("%v by %s, want %v by %s", got, rule, test.want, test.rule)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	if err := published.Validate(); err != nil {
		t.Error(err)
	}
	err := Rules{Alpha: 1.1, Beta: 1.1, Gamma: math.NaN(), Mu: 0.5}.Validate()
	for _, name := range []string{"alpha", "beta", "gamma", "mu"} {
		if err == nil || !strings.Contains(err.Error(), name+" is ") {
			t.Errorf("%s is not refused: %v", name, err)
		}
	}
}

// came is how many documents a web brings in an interval: the fewer, the higher
// the threshold is.
func came(supply, threshold float64) int64 { return int64(supply * math.Exp(-threshold)) }

// starved counts the intervals after a rich start in which nothing arrives and
// the threshold stays as it is.
func starved(next func(threshold float64, past []Interval) float64) (intervals int) {
	const rich, all = 10, 100
	threshold, past := 1.0, []Interval(nil)
	for i := range all {
		supply := 1000.0
		if i >= rich {
			supply = 2
		}
		f := came(supply, threshold)
		past = append(past, Interval{Fetched: f, Relevant: f})
		now := next(threshold, past)
		if i >= rich && now == threshold {
			intervals++
		}
		threshold = now
	}
	return intervals
}

// METHOD B3: after a rich start the published rules lower nothing for 27
// intervals.
func TestStarvation(t *testing.T) {
	const expected = 77
	byThePaper := starved(func(threshold float64, past []Interval) float64 {
		c := Counts{Expected: expected, Intervals: float64(len(past))}
		for _, i := range past {
			c.Fetched, c.Relevant = float64(i.Fetched), float64(i.Relevant)
			c.All += c.Fetched
		}
		next, _ := published.Next(threshold, c)
		return next
	})
	ours := Default(1)
	ours.Floor = 0
	byOurs := starved(func(threshold float64, past []Interval) float64 {
		next, _ := ours.Next(threshold, expected, past)
		return next
	})
	if byThePaper != 27 || byOurs >= ours.Window {
		t.Errorf("the threshold is stuck for %d intervals by the published rules and %d by ours", byThePaper, byOurs)
	}
}

func between(rng *rand.Rand, low, high float64) float64 { return low + (high-low)*rng.Float64() }

// anyController has constants anywhere in their ranges.
func anyController(rng *rand.Rand) Controller {
	return Controller{
		Rules: Rules{
			Alpha: between(rng, 1.01, 1.099), Beta: between(rng, 1.11, 1.49), Gamma: between(rng, 0.901, 0.99), Mu: between(rng, 0.11, 0.49),
		},
		Window: 1 + rng.IntN(10), Floor: 0.25, Ceiling: 4,
	}
}

// TestReturnsToTarget changes the supply by a step and expects the mean rate of
// the last intervals near the expected one, with any constants in their ranges.
func TestReturnsToTarget(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		c := anyController(rng)
		expected, past := between(rng, 50, 500), []Interval(nil)
		// The target is reached within the bounds before and after the step.
		supplies := [2]float64{expected * math.Exp(between(rng, 0.4, 3.6)), expected * math.Exp(between(rng, 0.4, 3.6))}
		threshold := between(rng, c.Floor, c.Ceiling)
		const length, last = 500, 100
		for _, supply := range supplies {
			var sum float64
			for i := range length {
				f := came(supply, threshold)
				past = append(past, Interval{Fetched: f, Relevant: f})
				if i >= length-last {
					sum += float64(f)
				}
				threshold, _ = c.Next(threshold, expected, past)
				if threshold < c.Floor || threshold > c.Ceiling {
					t.Fatalf("threshold %v", threshold)
				}
			}
			if mean := sum / last; math.Abs(mean/expected-1) > 0.2 {
				t.Errorf("%+v: a mean of %v documents, expected %v, supply %v", c, mean, expected, supplies)
			}
		}
	}
}

// TestBackAfterStep changes the supply by a step, after which the rate crosses the
// expected one within as many intervals as the rules need for the way, and those
// that the window remembers.
func TestBackAfterStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		c := anyController(rng)
		expected, from, to := between(rng, 50, 500), between(rng, 0.4, 3.6), between(rng, 0.4, 3.6)
		// A crawl at its target, whose supply then changes: from a threshold to another.
		past := make([]Interval, c.Window)
		for i := range past {
			past[i] = Interval{Fetched: int64(expected), Relevant: int64(expected)}
		}
		steps := math.Log(to/from) / math.Log(c.Alpha)
		if to < from {
			steps = math.Log(to/from) / math.Log(c.Gamma)
		}
		within := int(math.Ceil(steps)) + c.Window + 1
		supply, threshold, share := expected*math.Exp(to), from, between(rng, 0, 1)
		for i := 0; ; i++ {
			f := came(supply, threshold)
			if (to >= from) == (float64(f) <= expected) {
				break
			}
			if i == within {
				t.Fatalf("%+v: from threshold %v to %v it takes more than %d intervals", c, from, to, within)
			}
			past = append(past, Interval{Fetched: f, Relevant: int64(share * float64(f))})
			threshold, _ = c.Next(threshold, expected, past)
		}
	}
}

func TestBounds(t *testing.T) {
	c := Default(1)
	if got, rule := c.Next(c.Ceiling, 10, []Interval{{100, 100}}); got != c.Ceiling || rule != Keep {
		t.Errorf("%v by %s", got, rule)
	}
	if got, rule := c.Next(c.Floor, 10, []Interval{{0, 0}}); got != c.Floor || rule != Keep {
		t.Errorf("%v by %s", got, rule)
	}
	if got, rule := c.Next(1, 10, nil); got != 1 || rule != Keep {
		t.Errorf("%v by %s without an interval", got, rule)
	}
}
