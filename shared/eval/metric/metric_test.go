package metric

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var near = cmp.Comparer(func(a, b float64) bool {
	return a == b || math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b)
})

func scored(positives, negatives []float64) []Scored {
	var items []Scored
	for _, s := range positives {
		items = append(items, Scored{s, true})
	}
	for _, s := range negatives {
		items = append(items, Scored{s, false})
	}
	return items
}

func TestRanking(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name                                     string
		positives, negatives                     []float64
		auc, bestF1, threshold, precisionAtFifth float64
	}{
		{"apart", []float64{3, 4}, []float64{1, 2}, 1, 1, 3, 1},
		{"upside down", []float64{1}, []float64{2, 3}, 0, 0.5, 1, 1.0 / 3},
		{"all equal", []float64{1, 1}, []float64{1, 1}, 0.5, 2.0 / 3, 1, 0.5},
		{"half", []float64{1, 3}, []float64{2}, 0.5, 0.8, 1, 2.0 / 3},
		{"no negatives", []float64{1}, nil, nan, 1, 1, 1},
		{"no positives", nil, []float64{1}, nan, 0, inf, nan},
		{"nothing", nil, nil, nan, 0, inf, nan},
	} {
		t.Run(test.name, func(t *testing.T) {
			items := scored(test.positives, test.negatives)
			threshold, best := Best(items)
			got := []float64{AUC(items), best.F1(), threshold, PrecisionAt(items, 0.8)}
			want := []float64{test.auc, test.bestF1, test.threshold, test.precisionAtFifth}
			if diff := cmp.Diff(want, got, near); diff != "" {
				t.Errorf("AUC, best F1, its threshold, precision at recall 0.8 (-want +got):\n%s", diff)
			}
			if c := Above(items, threshold); c != best {
				t.Errorf("Above(best threshold) = %+v, Best said %+v", c, best)
			}
		})
	}
}

// AUC is the share of pairs in the right order, counted pair by pair.
func TestAUCByPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		items := make([]Scored, 40)
		for i := range items {
			items[i] = Scored{float64(random.IntN(12)), random.IntN(3) == 0}
		}
		right, pairs := 0.0, 0.0
		for _, p := range items {
			for _, n := range items {
				if !p.Positive || n.Positive {
					continue
				}
				pairs++
				switch {
				case p.Score > n.Score:
					right++
				case p.Score == n.Score:
					right += 0.5
				}
			}
		}
		if got := AUC(items); !cmp.Equal(got, right/pairs, near) {
			t.Fatalf("AUC = %v, by pairs %v", got, right/pairs)
		}
	}
}

func TestWilson(t *testing.T) {
	for _, test := range []struct {
		right, n  int
		low, high float64
	}{
		{0, 0, 0, 1},
		{0, 10, 0, 0.2775327998628892},
		{10, 10, 0.7224672001371108, 1},
		{50, 100, 0.4038315303659957, 0.5961684696340044},
	} {
		low, high := Wilson(test.right, test.n)
		if diff := cmp.Diff([]float64{test.low, test.high}, []float64{low, high}, near); diff != "" {
			t.Errorf("Wilson(%d, %d) (-want +got):\n%s", test.right, test.n, diff)
		}
	}
}

func TestCorrelation(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name              string
		x, y              []float64
		pearson, spearman float64
	}{
		{"line", []float64{1, 2, 3}, []float64{2, 4, 6}, 1, 1},
		{"curve", []float64{1, 2, 3, 4}, []float64{1, 8, 27, 64}, 104 / math.Sqrt(5*2390), 1},
		{"falling", []float64{1, 2, 3}, []float64{3, 2, 1}, -1, -1},
		// ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4
		{"ties", []float64{1, 2, 2, 9}, []float64{1, 2, 3, 4}, 12 / math.Sqrt(41*5), 4.5 / math.Sqrt(4.5*5)},
		{"one", []float64{1}, []float64{1}, nan, nan},
		{"constant", []float64{1, 1}, []float64{1, 2}, nan, nan},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := []float64{Pearson(test.x, test.y), Spearman(test.x, test.y)}
			if diff := cmp.Diff([]float64{test.pearson, test.spearman}, got, near); diff != "" {
				t.Errorf("Pearson, Spearman (-want +got):\n%s", diff)
			}
		})
	}
}
