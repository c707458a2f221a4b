package compile

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAHP(t *testing.T) {
	for _, test := range []struct {
		name    string
		matrix  [][]float64
		weights []float64
		ratio   float64
	}{
		{"equal", [][]float64{{1, 1}, {1, 1}}, []float64{.5, .5}, 0},
		{"two never contradict", [][]float64{{1, 9}, {1. / 9, 1}}, []float64{.9, .1}, 0},
		{"rounded reciprocals", [][]float64{{1, 2, 6}, {.5, 1, 3}, {.17, .33, 1}}, []float64{.6, .3, .1}, 0},
		{"rounded above the diagonal", [][]float64{{1, .33, .17}, {3, 1, .5}, {6, 2, 1}}, []float64{.1, .3, .6}, 0},
		{"consistent", [][]float64{{1, 2, 6}, {.5, 1, 3}, {1. / 6, 1. / 3, 1}}, []float64{.6, .3, .1}, 0},
		{"lower triangle follows", [][]float64{{1, 2, 6}, {0, 1, 3}, {0, 0, 1}}, []float64{.6, .3, .1}, 0},
		// For order 3 the eigenvector is the geometric mean of the rows, and
		// λmax = 1 + q + 1/q with q = (a12·a23/a13)^(1/3).
		{
			"nearly consistent", [][]float64{{1, 3, 5}, {1. / 3, 1, 3}, {1. / 5, 1. / 3, 1}},
			[]float64{0.636986, 0.258285, 0.104729}, 0.033199,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			weights, ratio, err := AHP(test.matrix)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.weights, weights, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
				t.Errorf("weights (-want +got):\n%s", diff)
			}
			if math.Abs(ratio-test.ratio) > 1e-6 {
				t.Errorf("ratio = %v, want %v", ratio, test.ratio)
			}
		})
	}
}

// In a circle of judgements the least bold one is not to blame.
func TestAHPNamesTheContradiction(t *testing.T) {
	weights, ratio, err := AHP([][]float64{
		{1, 2, 4, 1. / 9}, // says that the first matters less than the last …
		{0, 1, 2, 4},
		{0, 0, 1, 2}, // … which matters less than the third
		{0, 0, 0, 1},
	})
	var inconsistent *InconsistentError
	if !errors.As(err, &inconsistent) {
		t.Fatalf("AHP: %v, want an InconsistentError", err)
	}
	if inconsistent.Row != 0 || inconsistent.Column != 3 || inconsistent.Given != 1./9 || inconsistent.Implied < 1 {
		t.Errorf("blames %+v, want row 0, column 3", inconsistent)
	}
	if !strings.Contains(err.Error(), "row 1, column 4") {
		t.Errorf("error %q does not name row 1, column 4", err)
	}
	if ratio != inconsistent.Ratio || ratio < 0.1 || len(weights) != 4 {
		t.Errorf("weights %v, ratio %v: want those that the error speaks of", weights, ratio)
	}
}

func TestAHPRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		matrix [][]float64
		want   string
	}{
		{"nothing", nil, "0 rows"},
		{"one criterion", [][]float64{{1}}, "1 rows"},
		{"too many", make([][]float64, 16), "16 rows"},
		{"not square", [][]float64{{1, 2}, {1}}, "row 2 has 1 numbers"},
		{"negative", [][]float64{{1, -2}, {-.5, 1}}, "row 1, column 2 is -2"},
		{"zero in the upper triangle", [][]float64{{1, 0}, {2, 1}}, "row 1, column 2 is 0"},
		{"not a number", [][]float64{{1, math.NaN()}, {1, 1}}, "row 1, column 2 is NaN"},
		{"not a number below", [][]float64{{1, 1}, {math.NaN(), 1}}, "row 2, column 1 is NaN"},
		{"infinite", [][]float64{{1, math.Inf(1)}, {0, 1}}, "row 1, column 2 is +Inf"},
		{"not 1 to itself", [][]float64{{2, 1}, {1, 1}}, "row 1, column 1 is 2"},
		{"not reciprocal", [][]float64{{1, 3}, {.5, 1}}, "row 2, column 1 is 0.5: it must be 1/3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			weights, _, err := AHP(test.matrix)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("AHP: %v, %v; want an error with %q", weights, err, test.want)
			}
		})
	}
}

func TestParseMatrix(t *testing.T) {
	for _, test := range []struct {
		name, text string
		names      []string
		matrix     [][]float64
	}{
		{"plain", "1 2\n0.5 1\n", nil, [][]float64{{1, 2}, {.5, 1}}},
		{
			"names, fractions, commas, comments", "\uFEFF# eq. 5\r\nalpha, beta\r\n\r\n1,\t1/4 # a quarter\r\n4,1",
			[]string{"alpha", "beta"}, [][]float64{{1, .25}, {4, 1}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			names, matrix, err := ParseMatrix(strings.NewReader(test.text), "m.txt")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.names, names); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.matrix, matrix); diff != "" {
				t.Errorf("matrix (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseMatrixRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "# only a comment\n", "m.txt: no row"},
		{"a word", "1 2\nx 1\n", `m.txt:2: column 1: "x" is not a number`},
		{"divided by zero", "1 1/0\n0 1\n", `m.txt:1: column 2: "1/0" is not a number`},
		{"two fractions", "1 1/2/3\n", `"1/2/3" is not a number`},
		{"infinite", "1 1e999\n", `"1e999" is not a number`},
		{"ragged", "1 2\n1 2 3\n", "m.txt:2: 3 numbers: the rows above have 2"},
		{"unlike the names", "a b c\n1 2\n", "m.txt:2: 2 numbers: want one for each of a, b, c"},
		{"a row short", "1 2 3\n0 1 2\n", "2 rows of 3"},
		{"a row long", "1 2\n0 1\n0 0\n", "m.txt:3: one row too many"},
		{"wide", strings.Repeat("1 ", 16), "at most 15"},
		{"endless line", strings.Repeat("1 ", 1<<17), "m.txt:1: read comparison matrix"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, matrix, err := ParseMatrix(strings.NewReader(test.text), "m.txt")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("ParseMatrix: %v, %v; want an error with %q", matrix, err, test.want)
			}
		})
	}
}

// Any matrix gives weights that sum to 1, or an error.
func FuzzAHP(f *testing.F) {
	f.Add("alpha beta lambda\n1 3 5\n1/3 1 3\n1/5 1/3 1\n")
	f.Add("1 9 1/9\n0 1 9\n0 0 1")
	f.Add("1 1e3\n0 1")
	f.Fuzz(func(t *testing.T, text string) {
		_, matrix, err := ParseMatrix(strings.NewReader(text), "m.txt")
		if err != nil {
			return
		}
		weights, ratio, err := AHP(matrix)
		if err != nil {
			return
		}
		var sum float64
		for _, weight := range weights {
			if !(weight > 0) {
				t.Errorf("weights %v: each must be positive", weights)
			}
			sum += weight
		}
		if math.Abs(sum-1) > 1e-9 || !(0 <= ratio && ratio < 0.1) {
			t.Errorf("weights %v, ratio %v", weights, ratio)
		}
	})
}
