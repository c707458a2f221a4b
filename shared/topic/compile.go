package topic

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Similarity returns, for a topic word t, a function for the similarity Sim(d,
// t), 0 to 1, of words d of texts (METHOD A5). Compile calls it once for each
// t, and calls each function from one goroutine at a time, different ones
// concurrently.
type Similarity func(t string) func(d string) float64

// SameWord is the identity as similarity: 1 for the same word, else 0.
func SameWord(t string) func(d string) float64 {
	return func(d string) float64 {
		if d == t {
			return 1
		}
		return 0
	}
}

// Compile computes c(d) for each word d of the vocabulary. The topic has the
// weights w_t of the topic words, weights has w_d of the words of texts; words
// absent from it have the mean weight (METHOD A6). A word outside the
// vocabulary has c = 0, so for the whole sum the caller lists all words with a
// similarity to some topic word.
//
// It uses all cores, and the result does not depend on their number: the same
// input gives the same lexicon, bit for bit.
func Compile(topic, weights map[string]float64, mean float64, sim Similarity, vocabulary []string) *Lexicon {
	words := slices.Compact(slices.Sorted(slices.Values(vocabulary)))
	terms := make([]term, 0, len(topic))
	for _, text := range slices.Sorted(maps.Keys(topic)) {
		terms = append(terms, term{text, topic[text]})
	}
	l := &Lexicon{
		table: newTable(words, sumUp(words, terms, sim), func(d string) float64 {
			if weight, ok := weights[d]; ok {
				return weight
			}
			return mean
		}),
		terms: terms,
	}
	l.anchors = newTrie(slices.Sorted(maps.Keys(topic)))
	return l
}

// newTable lays out the sums of the words.
func newTable(words []string, sums []sum, weight func(d string) float64) table {
	var t table
	first := make([]string, 0, len(words))
	var others []string
	for i, d := range words {
		s, w := &sums[i], weight(d)
		if w*s.total == 0 {
			others = append(others, d) // most words: known, without a similarity
			continue
		}
		first = append(first, d)
		t.appendRow(w*s.total, w, &s.top)
	}
	t.words = newWordList(append(first, others...))
	t.fillSlots()
	return t
}

// term is a topic word and its weight w_t.
type term struct {
	text   string
	weight float64
}

// sum is the inner sum of equation 3 for one word: Σ_t w_t · Sim(d,t)².
type sum struct {
	total float64
	top   [maxShares]share // the greatest, those that are above 0
}

// share is the contribution of a topic word to a sum.
type share struct {
	term       int
	sim, value float64
}

// add adds a topic word. The conversions keep compilers from fusing a product
// with a sum, which would round it differently from one machine to another.
func (s *sum) add(term int, weight, sim float64) {
	value := float64(float64(weight*sim) * sim)
	s.total += value
	for i := range s.top {
		if value > s.top[i].value {
			copy(s.top[i+1:], s.top[i:])
			s.top[i] = share{term, sim, value}
			return
		}
	}
}

// Sizes of the pieces that are worked on at once.
const (
	columnsAtOnce = 32 // topic words: each takes 8 bytes per word of the vocabulary
	rowsAtOnce    = 4096
)

// sumUp computes the sums of all words. Similarities are computed topic word by
// topic word, since a topic word's vector and concepts are looked up once then;
// they are added in the order of the terms, since sums of floats depend on it.
func sumUp(words []string, terms []term, similarity Similarity) []sum {
	sums := make([]sum, len(words))
	columns := make([][]float64, min(len(terms), columnsAtOnce))
	for i := range columns {
		columns[i] = make([]float64, len(words))
	}
	for first := 0; first < len(terms); first += columnsAtOnce {
		block := terms[first:min(first+columnsAtOnce, len(terms))]
		onAllCores(len(block), func(i int) {
			similarTo := similarity(block[i].text)
			for row, d := range words {
				columns[i][row] = similarTo(d)
			}
		})
		onAllCores((len(words)+rowsAtOnce-1)/rowsAtOnce, func(piece int) {
			for row := piece * rowsAtOnce; row < min((piece+1)*rowsAtOnce, len(words)); row++ {
				for i := range block {
					if sim := columns[i][row]; sim != 0 {
						sums[row].add(first+i, block[i].weight, sim)
					}
				}
			}
		})
	}
	return sums
}

// onAllCores calls do for every i from 0 to n-1.
func onAllCores(n int, do func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}
