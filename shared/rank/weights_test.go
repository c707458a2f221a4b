package rank

import (
	"math"
	"strings"
	"testing"
)

func TestPriority(t *testing.T) {
	w := Weights{Alpha: 0.25, Beta: 0.5, Lambda: 0.125}
	for _, test := range []struct {
		name  string
		parts Parts
		want  float64
	}{
		{"nothing", Parts{}, 0},
		{"vote alone", Parts{Structure: true}, 0.125},
		{"anchor alone", Parts{Anchor: 0.5}, 0.25},
		{"description alone", Parts{Description: 2}, 0.5},
		{"all", Parts{Description: 2, Anchor: 0.5, Structure: true}, 0.875},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := w.Priority(test.parts); got != test.want {
				t.Errorf("Priority(%+v) = %v, want %v", test.parts, got, test.want)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	const threshold = 0.2
	for _, test := range []struct {
		name    string
		weights Weights
		want    []string // parts of the error; none: valid
	}{
		{"valid", Weights{0.4, 0.4, 0.1}, nil},
		{"bounds", Weights{0, 1, math.SmallestNonzeroFloat64}, nil},
		{"lambda at the threshold", Weights{0.4, 0.4, threshold}, []string{"lambda is 0.2"}},
		{"lambda above the threshold", Weights{0.4, 0.4, 3}, []string{"lambda is 3"}},
		{"lambda zero", Weights{0.4, 0.4, 0}, []string{"lambda is 0: it must be above 0"}},
		{"all wrong at once", Weights{-0.1, 1.1, -1}, []string{"alpha is -0.1", "beta is 1.1", "lambda is -1"}},
		{"not a number", Weights{math.NaN(), math.NaN(), math.NaN()}, []string{"alpha is NaN", "beta is NaN", "lambda is NaN"}},
		{"infinite", Weights{0.1, math.Inf(1), math.Inf(1)}, []string{"beta is +Inf", "lambda is +Inf"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.weights.Validate(threshold)
			if (err == nil) != (test.want == nil) {
				t.Fatalf("Validate = %v, want %q", err, test.want)
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("Validate = %v, want it to say %q", err, part)
				}
			}
		})
	}
	if err := (Weights{0.4, 0.4, 0.1}).Validate(math.NaN()); err == nil {
		t.Error("Validate(NaN) = nil, want an error")
	}
}
