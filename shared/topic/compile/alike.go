package compile

import (
	"math"
	"slices"
)

const (
	// neighbours is how many texts that are like a text are judged with it.
	neighbours = 20

	// maxCompared is how many texts of a crawl others are compared with, evenly
	// chosen, so that the time for a text has a bound.
	maxCompared = 2_000
)

// alike knows what the texts of a crawl are worth that are like another: articles
// on one topic have words in common that are not among the learned ones. Two texts are
// alike by the cosine of their words, each weighed by how rare it is.
type alike struct {
	numbers map[string]int32
	squares []float64 // of the weights of words; 0 does not count
	within  [][]int32 // the texts with each word
	lengths []float64 // of texts
	values  []float64 // of texts
}

// newAlike compares with texts that value judges, by the words that may count.
func newAlike(s *Samples, may func(form string) bool, value func(words []string) float64) *alike {
	a := &alike{numbers: s.numbers, squares: make([]float64, len(s.words)), within: make([][]int32, len(s.words))}
	texts, part := s.whole()
	in, times, all := make([]int, len(s.words)), make([]int, len(s.words)), 0
	for i := range texts {
		all += texts[i].times
		for _, word := range part(&texts[i]) {
			in[word]++
			times[word] += texts[i].times
		}
	}
	for word, n := range in {
		if n >= leastTexts && may(s.words[word]) {
			rare := math.Log(float64(all+1) / (float64(times[word]) + 0.5))
			a.squares[word] = rare * rare
		}
	}
	for i := 0; i < len(texts); i += 1 + (len(texts)-1)/maxCompared {
		var square float64
		words := part(&texts[i])
		for _, word := range words {
			if a.squares[word] > 0 {
				a.within[word] = append(a.within[word], int32(len(a.values)))
				square += a.squares[word]
			}
		}
		a.lengths = append(a.lengths, math.Sqrt(square))
		a.values = append(a.values, value(s.spelled(words)))
	}
	return a
}

// value is the mean value of the texts most like one with these words, each
// weighed by how much it is; 0 if there is none. A text is like itself.
func (a *alike) value(words []string) float64 {
	common := make([]float64, len(a.values))
	for _, word := range words {
		if n, known := a.numbers[word]; known {
			square := a.squares[n]
			for _, i := range a.within[n] {
				common[i] += square
			}
		}
	}
	type neighbour struct{ near, value float64 }
	best := make([]neighbour, 0, neighbours+1)
	for i, square := range common {
		if square == 0 {
			continue
		}
		n := neighbour{square / a.lengths[i], a.values[i]} // the length of the words themselves is the same for all
		if len(best) == neighbours && n.near <= best[neighbours-1].near {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, n, func(other, n neighbour) int {
			if other.near >= n.near {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, n)
		best = best[:min(len(best), neighbours)]
	}
	var sum, weights float64
	for _, n := range best {
		sum += n.near * n.value
		weights += n.near
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}
