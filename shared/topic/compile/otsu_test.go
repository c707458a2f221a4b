package compile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOtsu(t *testing.T) {
	repeat := func(n int, values ...float64) []float64 {
		var all []float64
		for range n {
			all = append(all, values...)
		}
		return all
	}
	for _, test := range []struct {
		name   string
		values []float64
		cut    float64
		ok     bool
	}{
		{"no values", nil, 0, false},
		{"one value", []float64{3}, 0, false},
		{"equal values", repeat(10, 0.5), 0, false},
		{"two values", []float64{0, 1}, 0.5, true},
		{"two heaps", []float64{5, 0, 1, 6, 1, 0, 5}, 3, true},
		{"in any order", []float64{0, 0, 1, 1, 5, 5, 6}, 3, true},
		{"a heap of one in ten", append(repeat(90, 0.1), repeat(10, 0.9)...), 0.5, true},
		{"an absurd value keeps its rank, not its size",
			append(append(repeat(600, 0, 0.1), repeat(100, 0.9, 1)...), 1e6), 0.5, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			cut, ok := otsu(test.values)
			if ok != test.ok || math.Abs(cut-test.cut) > 1e-9 {
				t.Errorf("got %v, %v, want %v, %v", cut, ok, test.cut, test.ok)
			}
		})
	}
}

func TestOtsuSplitsTwoComponents(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var values []float64
	var upper []bool
	for i := range 4000 {
		on := i%5 == 0
		value := math.Abs(random.NormFloat64()) * 0.03
		if on {
			value = 0.3 + 0.05*random.NormFloat64()
		}
		values, upper = append(values, value), append(upper, on)
	}
	cut, ok := otsu(append([]float64(nil), values...))
	if !ok || f1(values, upper, cut) < 0.99 {
		t.Errorf("cut %v has F1 %v", cut, f1(values, upper, cut))
	}
}

func TestOtsuOfRoots(t *testing.T) {
	// Two classes, the upper one stretched: 36 alone would move the cut of the
	// values themselves up to it.
	values := []float64{0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 9, 9, 36}
	plain, _ := otsu(slices.Clone(values))
	cut, ok := otsuOfRoots(values)
	if !ok || cut != 1 || plain <= 4 {
		t.Errorf("cut %v (want 1), of the values themselves %v", cut, plain)
	}
	if _, ok := otsuOfRoots(nil); ok {
		t.Error("cut nothing")
	}
}
