package pagescore

import (
	"math"
	"math/rand/v2"

	"sluice/shared/eval/metric"
)

// folds is the number of parts for cross validation.
const folds = 5

// classifierF1 is the F1 of a classifier that learns from the labels: what words
// can tell at all. Every document is judged by a classifier that has learned
// from four of five parts of the documents, and not from the part with this one;
// so is the score from which on it is taken. It is NaN if either kind has fewer
// documents than there are parts.
func classifierF1(s *space, positive []bool) float64 {
	part := make([]int, len(positive))
	count := map[bool]int{}
	for i, p := range positive {
		part[i] = count[p] % folds
		count[p]++
	}
	if min(count[false], count[true]) < folds {
		return math.NaN()
	}
	vectors, words := s.vectors()
	items := make([]metric.Scored, len(positive))
	for held := range folds {
		var learned []int
		for i := range part {
			if part[i] != held {
				learned = append(learned, i)
			}
		}
		m := learn(vectors, positive, learned, words)
		for i := range part {
			if part[i] == held {
				items[i] = metric.Scored{Score: m.score(vectors[i]), Positive: positive[i]}
			}
		}
	}
	var total metric.Count
	for held := range folds {
		var inside, outside []metric.Scored
		for i := range items {
			if part[i] == held {
				inside = append(inside, items[i])
			} else {
				outside = append(outside, items[i])
			}
		}
		c := metric.Above(inside, between(outside))
		total = metric.Count{Taken: total.Taken + c.Taken, Right: total.Right + c.Right, Wanted: total.Wanted + c.Wanted}
	}
	return total.F1()
}

// between is the middle between the threshold with the greatest F1 and the next
// lower score.
func between(items []metric.Scored) float64 {
	threshold, _ := metric.Best(items)
	below := math.Inf(-1)
	for _, item := range items {
		if item.Score < threshold {
			below = max(below, item.Score)
		}
	}
	if math.IsInf(below, -1) {
		return threshold
	}
	return (threshold + below) / 2
}

// machine is a linear support vector machine.
type machine struct {
	weights []float64 // of the words
	bias    float64
}

func (m *machine) score(v []entry) float64 {
	score := m.bias
	for _, e := range v {
		score += m.weights[e.word] * e.value
	}
	return score
}

func (m *machine) add(v []entry, factor float64) {
	m.bias += factor
	for _, e := range v {
		m.weights[e.word] += factor * e.value
	}
}

// Constants of learn. F1 hardly depends on the cost from .25 to 4; after 10
// rounds it does not change any more.
const (
	cost   = 1
	rounds = 20
)

// learn minimises half of the squared weights plus cost times the squared hinge
// losses of some of the vectors, by dual coordinate descent (Hsieh et al. 2008,
// algorithm 1) in an order that is drawn, the same every time.
func learn(vectors [][]entry, positive []bool, from []int, words int) *machine {
	m := &machine{weights: make([]float64, words)}
	rng := rand.New(rand.NewPCG(1, 1))
	dual := make([]float64, len(vectors))
	const diagonal = 1 / (2.0 * cost)
	for range rounds {
		rng.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		for _, i := range from {
			sign := -1.0
			if positive[i] {
				sign = 1
			}
			gradient := sign*m.score(vectors[i]) - 1 + diagonal*dual[i]
			next := max(0, dual[i]-gradient/(2+diagonal)) // vector and bias have length 1
			m.add(vectors[i], (next-dual[i])*sign)
			dual[i] = next
		}
	}
	return m
}
