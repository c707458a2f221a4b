package metric

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestInterval(t *testing.T) {
	nan := math.NaN()
	for name, groups := range map[string][][]float64{
		"nothing": nil, "one value": {{1}}, "one is missing": {{1, 2}, {nan, 3}},
	} {
		if low, high := Interval(groups); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("%s: interval is %v to %v, want none", name, low, high)
		}
	}
	if low, high := Interval([][]float64{{2, 2}, {2, 2}}); low != 2 || high != 2 {
		t.Errorf("interval of equal values is %v to %v", low, high)
	}
	// Of 40 normal values the interval is near the mean ± 1.96 standard errors.
	rng := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, 40)
	for i := range values {
		values[i] = 10 + rng.NormFloat64()
	}
	one := [][]float64{values}
	each := make([][]float64, len(values))
	for i, v := range values {
		each[i] = []float64{v}
	}
	for name, groups := range map[string][][]float64{"one group": one, "a group each": each} {
		low, high := Interval(groups)
		if want := 2 * 1.96 / math.Sqrt(40); math.Abs(high-low-want) > 0.2*want || low > 10 || high < 10 {
			t.Errorf("%s: interval is %v to %v, want a width near %v", name, low, high, want)
		}
		if again, _ := Interval(groups); again != low {
			t.Errorf("%s: interval begins at %v, and at %v the second time", name, low, again)
		}
	}
	// Where values differ only between groups, more values in them tell no more.
	few, _ := Interval([][]float64{{1}, {2}, {3}})
	many, _ := Interval([][]float64{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}})
	if math.Abs(few-many) > 0.35 {
		t.Errorf("intervals begin at %v and %v", few, many)
	}
}
