package wordvec

import (
	"cmp"
	"slices"

	"github.com/viterin/vek/vek32"
)

// Neighbour is a word and its similarity to the given one.
type Neighbour struct {
	Word   string
	Cosine float64
}

// Nearest returns the k words with the highest cosine to word, or all if there
// are fewer: the most similar first, of equal ones the more frequent. The word
// itself is not among them. If word has no vector it returns none.
func (v *Vectors) Nearest(word string, k int) []Neighbour {
	unit, _ := v.Unit(word)
	if unit == nil || k < 1 {
		return nil
	}
	self := v.find(word)
	k = min(k, len(v.words))
	var best []Neighbour // and candidates; equal ones in the order of the vocabulary
	least := -2.0
	for i, other := range v.words {
		if i == self || v.norms[i] == 0 {
			continue
		}
		n := Neighbour{other, clamp(float64(vek32.Dot(unit, v.row(i))) / v.norms[i])}
		if n.Cosine <= least {
			continue
		}
		if best = append(best, n); len(best) >= 2*k+16 {
			best = mostSimilar(best, k)
			least = best[k-1].Cosine
		}
	}
	return mostSimilar(best, k)
}

// mostSimilar sorts list and cuts it at k.
func mostSimilar(list []Neighbour, k int) []Neighbour {
	slices.SortStableFunc(list, func(a, b Neighbour) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return list[:min(k, len(list))]
}
