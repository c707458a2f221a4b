// Package wordvec holds word vectors (METHOD A4): it trains them by skip-gram
// with negative sampling, reads and writes the files of word2vec and fastText,
// and answers how alike two words are.
//
// A word outside the vocabulary is not lost: its vector is composed from those
// of the words it shares characters with.
package wordvec

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/viterin/vek/vek32"
)

const (
	// maxDim and maxWord (in bytes) limit rows of a file.
	maxDim  = 10_000
	maxWord = 1_000

	// Values up to maxValue, and rows at least minNorm long, keep every product
	// of two rows within float32.
	maxValue = 1e15
	minNorm  = 1e-15
)

// Vectors maps words to vectors of one dimension. It is immutable and safe for
// concurrent use.
type Vectors struct {
	dim    int
	words  []string
	index  map[string]int32
	values []float32 // row i belongs to words[i]
	norms  []float64 // Euclidean; 0 for rows too short to have a direction

	compose sync.Once
	parts   *parts // built by the first word that is not in the vocabulary
}

// newVectors takes over words, which are distinct, and their rows.
func newVectors(dim int, words []string, index map[string]int32, values []float32) *Vectors {
	v := &Vectors{dim: dim, words: words, index: index, values: values, norms: make([]float64, len(words))}
	for i := range v.norms {
		if n := norm(v.row(i)); n >= minNorm {
			v.norms[i] = n
		}
	}
	return v
}

// Len returns the number of words in the vocabulary.
func (v *Vectors) Len() int { return len(v.words) }

// Dim returns the number of components of a vector.
func (v *Vectors) Dim() int { return v.dim }

// Words returns the vocabulary in the order of the file, which is by descending
// frequency in files by word2vec, fastText and Train. Callers must not change
// it.
func (v *Vectors) Words() []string { return v.words }

// Has reports whether word is in the vocabulary.
func (v *Vectors) Has(word string) bool { return v.find(word) >= 0 }

// find returns the row of a word, or -1. Phrases may be written with spaces:
// the files have "_" in their place.
func (v *Vectors) find(word string) int {
	i, ok := v.index[word]
	if !ok && strings.Contains(word, " ") {
		i, ok = v.index[phrase(word)]
	}
	if !ok {
		return -1
	}
	return int(i)
}

// phrase returns a word as files spell it: no format can hold a space.
func phrase(word string) string { return strings.ReplaceAll(word, " ", "_") }

func (v *Vectors) row(i int) []float32 { return v.values[i*v.dim : (i+1)*v.dim] }

// Unit returns the unit vector of word, as a new slice. known says that the
// vocabulary has it; otherwise it is composed from the words that share
// characters with this one, or nil if there are none. A row of zeros counts as
// unknown.
func (v *Vectors) Unit(word string) (unit []float32, known bool) {
	if i := v.find(word); i >= 0 && v.norms[i] > 0 {
		unit = make([]float32, v.dim)
		addScaled(unit, v.row(i), 1/v.norms[i])
		return unit, true
	}
	v.compose.Do(func() { v.parts = newParts(v) })
	return v.parts.unit(word), false
}

// Cosine returns the cosine of the vectors of a and b, in -1..1 and 1 for equal
// words; false if one has none.
func (v *Vectors) Cosine(a, b string) (float64, bool) {
	i, j := v.find(a), v.find(b)
	if i >= 0 && j >= 0 && v.norms[i] > 0 && v.norms[j] > 0 {
		if i == j {
			return 1, true
		}
		return clamp(float64(vek32.Dot(v.row(i), v.row(j))) / v.norms[i] / v.norms[j]), true
	}
	x, _ := v.Unit(a)
	if x == nil {
		return 0, false
	}
	if a == b {
		return 1, true
	}
	y, _ := v.Unit(b)
	if y == nil {
		return 0, false
	}
	return clamp(float64(vek32.Dot(x, y))), true
}

func clamp(cosine float64) float64 { return max(-1, min(1, cosine)) }

// norm returns the Euclidean norm of x.
func norm(x []float32) float64 {
	sum := 0.0
	for _, c := range x {
		sum += float64(c) * float64(c)
	}
	return math.Sqrt(sum)
}

// addScaled adds factor·x to sum.
func addScaled(sum, x []float32, factor float64) {
	for i, c := range x {
		sum[i] += float32(float64(c) * factor)
	}
}

// normalise scales x to unit length and returns it, or nil if it has no
// direction.
func normalise(x []float32) []float32 {
	n := norm(x)
	if n < minNorm {
		return nil
	}
	for i, c := range x {
		x[i] = float32(float64(c) / n)
	}
	return x
}

// checkWord says why a word cannot be in a file, and so not in the vocabulary.
func checkWord(word string) error {
	switch {
	case word == "":
		return fmt.Errorf("empty word")
	case len(word) > maxWord:
		return fmt.Errorf("word %.20q… is longer than %d bytes", word, maxWord)
	case strings.ContainsAny(word, " \t\r\n"):
		return fmt.Errorf("word %.50q holds white space", word)
	}
	return nil
}
