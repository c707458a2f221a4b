package compile

import (
	"math"
	"slices"
)

// winsor is the share of the values that keep their size in the search of a
// cut: a few tiny texts with one topic word have absurd means.
const winsor = 0.995

// otsu returns the cut that best splits values in two: the one with the
// greatest variance between the classes (Otsu 1979), midway between two
// neighbouring values. The upper class reaches the cut. It returns false if all
// values are the same. It sorts the values.
//
// The relevance of texts is a mixture of two distributions of unknown shape,
// the lower one a spike near 0: mixtures of normal distributions do far worse
// here.
func otsu(values []float64) (cut float64, ok bool) {
	slices.Sort(values)
	if len(values) == 0 {
		return 0, false
	}
	ceiling := quantile(values, winsor)
	var total float64
	for _, v := range values {
		total += min(v, ceiling)
	}
	n := float64(len(values))
	var below, most float64
	for i, v := range values[:len(values)-1] {
		next := values[i+1]
		if below += min(v, ceiling); v == next || v >= ceiling {
			continue
		}
		lower := float64(i + 1)
		apart := below/lower - (total-below)/(n-lower)
		if variance := lower * (n - lower) * apart * apart; variance > most {
			most, cut, ok = variance, v+(min(next, ceiling)-v)/2, true
		}
	}
	return cut, ok
}

// otsuOfRoots is otsu for the relevance of short texts, such as titles: it cuts
// the square roots of the values. One word of weight w in a title adds some w²
// to its relevance, so a few heavy words stretch the upper class; the root
// undoes that. On headlines with class weights it loses 0.01 of the best F1,
// otsu 0.1; on long texts, where words even out, otsu is better.
func otsuOfRoots(values []float64) (cut float64, ok bool) {
	roots := make([]float64, len(values))
	for i, v := range values {
		roots[i] = math.Sqrt(v)
	}
	cut, ok = otsu(roots)
	return cut * cut, ok
}

// quantile returns the smallest sorted value that is not below a share of them.
func quantile(sorted []float64, share float64) float64 {
	rank := int(math.Ceil(share * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}
