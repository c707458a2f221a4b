package pagescore

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// space is a vector space of texts: the yardstick that relevance is held
// against, and no more than the textbook has. A word weighs tf · ln(N/n), N and
// n counted over the texts themselves; tf is the number of sentences with the
// word.
type space struct {
	counts []map[string]int
	idf    map[string]float64
}

func newSpace(texts []string, segment func(string) []string) *space {
	s := &space{idf: map[string]float64{}}
	for _, text := range texts {
		counts := map[string]int{}
		for sentence := range strings.FieldsFuncSeq(text, endsSentence) {
			for _, word := range segment(sentence) {
				counts[word]++
			}
		}
		for word := range counts {
			s.idf[word]++
		}
		s.counts = append(s.counts, counts)
	}
	for word, n := range s.idf {
		s.idf[word] = math.Log(float64(len(texts)) / n)
	}
	return s
}

func endsSentence(r rune) bool { return strings.ContainsRune("。！？；.!?;\n", r) }

// cosines are those of the texts and a weighted list of words, 0 to 1.
func (s *space) cosines(words map[string]float64) []float64 { return s.nearTo(s.weighed(words)) }

// weighed is the vector of a weighted list of words.
func (s *space) weighed(words map[string]float64) map[string]float64 {
	vector := make(map[string]float64, len(words))
	for word, weight := range words {
		vector[word] = weight * s.idf[word]
	}
	return vector
}

// nearTo returns the cosines of the texts and a vector, 0 to 1.
func (s *space) nearTo(vector map[string]float64) []float64 {
	length := norm(vector)
	cosines := make([]float64, len(s.counts))
	for i, counts := range s.counts {
		// Sums of floats depend on their order, and a map has none.
		dot, own := make([]float64, 0, 8), make([]float64, 0, len(counts))
		for word, n := range counts {
			value := float64(n) * s.idf[word]
			own = append(own, square(value))
			if weight, ok := vector[word]; ok {
				dot = append(dot, value*weight)
			}
		}
		if whole := length * math.Sqrt(sum(own)); whole > 0 {
			cosines[i] = sum(dot) / whole
		}
	}
	return cosines
}

// norm is the length of a vector.
func norm(vector map[string]float64) float64 {
	squares := make([]float64, 0, len(vector))
	for _, value := range vector {
		squares = append(squares, square(value))
	}
	return math.Sqrt(sum(squares))
}

// entry is a component of a sparse vector.
type entry struct {
	word  int
	value float64
}

// vectors are those of the texts for a classifier, of length 1, and the number
// of words: a word weighs (1 + ln tf) · ln(N/n).
func (s *space) vectors() (vectors [][]entry, words int) {
	place := make(map[string]int, len(s.idf))
	for i, word := range slices.Sorted(maps.Keys(s.idf)) {
		place[word] = i
	}
	for _, counts := range s.counts {
		v := make([]entry, 0, len(counts))
		for word, n := range counts {
			v = append(v, entry{place[word], (1 + math.Log(float64(n))) * s.idf[word]})
		}
		slices.SortFunc(v, func(a, b entry) int { return cmp.Compare(a.word, b.word) })
		length := 0.0
		for _, e := range v {
			length += square(e.value)
		}
		if length > 0 {
			for i := range v {
				v[i].value /= math.Sqrt(length)
			}
		}
		vectors = append(vectors, v)
	}
	return vectors, len(place)
}

func square(x float64) float64 { return x * x }

// sum adds up from the smallest, for the same result in any order.
func sum(values []float64) float64 {
	slices.Sort(values)
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}
