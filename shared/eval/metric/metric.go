// Package metric holds the measures by which evaluations judge: of rankings,
// of counts and of paired values (METHOD A14, B7).
package metric

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"
)

// Scored is an item with a score and whether it is one of those looked for.
// Scores are numbers: NaN has no place in an order.
type Scored struct {
	Score    float64
	Positive bool
}

// AUC is the probability that a positive item has a greater score than a
// negative one, ties counted half: the area under the ROC curve, 0 to 1. It is
// NaN unless there are items of both kinds.
func AUC(items []Scored) float64 {
	items = slices.SortedFunc(slices.Values(items), func(a, b Scored) int { return cmp.Compare(a.Score, b.Score) })
	scores, classes := make([]float64, len(items)), make([]bool, len(items))
	positives := 0
	for i, item := range items {
		scores[i], classes[i] = item.Score, item.Positive
		if item.Positive {
			positives++
		}
	}
	if positives == 0 || positives == len(items) {
		return math.NaN()
	}
	tpr, fpr, _ := stat.ROC(nil, scores, classes, nil)
	return integrate.Trapezoidal(fpr, tpr)
}

// Count is a decision over items: how many it took, how many of these were
// right, and how many it should have taken.
type Count struct {
	Taken, Right, Wanted int
}

// Precision is the share of the taken that are right, NaN if none is taken.
func (c Count) Precision() float64 { return float64(c.Right) / float64(c.Taken) }

// Recall is the share of the wanted that are taken, NaN if none is wanted.
func (c Count) Recall() float64 { return float64(c.Right) / float64(c.Wanted) }

// F1 is the harmonic mean of precision and recall; 0 if nothing is right.
func (c Count) F1() float64 {
	if c.Right == 0 {
		return 0
	}
	return 2 * float64(c.Right) / float64(c.Taken+c.Wanted)
}

// Above counts the decision to take items with a score of at least threshold.
func Above(items []Scored, threshold float64) Count {
	var c Count
	for _, item := range items {
		if item.Positive {
			c.Wanted++
		}
		if item.Score >= threshold {
			c.Taken++
			if item.Positive {
				c.Right++
			}
		}
	}
	return c
}

// Best returns the threshold with the greatest F1, and the count there. Of
// equal ones the highest wins. Without items it is +Inf.
func Best(items []Scored) (threshold float64, best Count) {
	threshold = math.Inf(1)
	best = Above(items, threshold)
	for c, at := range cuts(items) {
		if c.F1() > best.F1() {
			threshold, best = at, c
		}
	}
	return threshold, best
}

// PrecisionAt returns the greatest precision among the thresholds that reach a
// recall, NaN if none does.
func PrecisionAt(items []Scored, recall float64) float64 {
	best := math.NaN()
	for c := range cuts(items) {
		if c.Wanted > 0 && c.Recall() >= recall && (math.IsNaN(best) || c.Precision() > best) {
			best = c.Precision()
		}
	}
	return best
}

// cuts yields the count at every threshold that makes a difference, from the
// highest score down.
func cuts(items []Scored) func(yield func(Count, float64) bool) {
	items = slices.SortedFunc(slices.Values(items), func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	return func(yield func(Count, float64) bool) {
		c := Above(items, math.Inf(1))
		c.Taken, c.Right = 0, 0 // an infinite score is taken below
		for i, item := range items {
			c.Taken++
			if item.Positive {
				c.Right++
			}
			if i+1 < len(items) && items[i+1].Score == item.Score {
				continue
			}
			if !yield(c, item.Score) {
				return
			}
		}
	}
}

// Wilson returns the 95 % confidence interval of a share, of which right out of
// n were drawn (Wilson's score interval: it stays within 0 and 1, and is valid
// for small samples and shares near the ends). Without a draw it is 0 to 1.
func Wilson(right, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z = 1.959963984540054 // of the normal distribution at 0.975
	p, m := float64(right)/float64(n), float64(n)
	centre := p + z*z/(2*m)
	spread := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	scale := 1 + z*z/m
	return max(0, (centre-spread)/scale), min(1, (centre+spread)/scale)
}

// Pearson is the correlation of pairs of values, -1 to 1; NaN for fewer than
// two, or if one side does not vary. x and y have the same length.
func Pearson(x, y []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	return stat.Correlation(x, y, nil)
}

// Spearman is the correlation of the ranks; equal values share their mean rank.
// Its bounds and exceptions are Pearson's.
func Spearman(x, y []float64) float64 { return Pearson(ranks(x), ranks(y)) }

// ranks counts from 1.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	r := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			r[i] = float64(from+to+1) / 2 // the mean of from+1 … to
		}
		from = to
	}
	return r
}

// Number is a measure in JSON: null if it is NaN or infinite.
type Number float64

// Ratio returns the share of part in whole, NaN of a whole of 0.
func Ratio(part, whole int) Number { return Number(float64(part) / float64(whole)) }

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}
