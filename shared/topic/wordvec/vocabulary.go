package wordvec

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// roomToCount is how many more words than the largest vocabulary are counted at
// once, at least, before the rarest are forgotten.
const roomToCount = 1 << 16

// vocabulary is the words that are trained, by falling count.
type vocabulary struct {
	words  []string
	counts []int64
	index  map[string]int32
	total  int64 // of counts
}

// countWords reads the corpus once. Its memory is bounded by limit: if there
// are too many distinct words the rarest are forgotten, as in word2vec, and
// recur with a count that is too low.
func countWords(ctx context.Context, c Corpus, minCount int64, limit int) (*vocabulary, error) {
	counts := make(map[string]int64)
	forget := int64(0)
	for sentence, err := range c.Sentences(ctx) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("count words: %w", err)
		}
		for _, word := range sentence {
			word = phrase(word)
			if n, ok := counts[word]; ok {
				counts[word] = n + 1
			} else if checkWord(word) == nil {
				counts[strings.Clone(word)] = 1 // words share the memory of their text
			}
		}
		for len(counts) > 4*limit+roomToCount {
			forget++
			maps.DeleteFunc(counts, func(_ string, n int64) bool { return n <= forget })
		}
	}
	maps.DeleteFunc(counts, func(_ string, n int64) bool { return n < minCount })
	return newVocabulary(counts, limit), nil
}

// newVocabulary orders words by descending count, then alphabetically, and
// keeps the first limit of them.
func newVocabulary(counts map[string]int64, limit int) *vocabulary {
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	words = slices.Clone(words[:min(len(words), limit)])
	v := &vocabulary{words: words, counts: make([]int64, len(words)), index: make(map[string]int32, len(words))}
	for i, word := range words {
		v.counts[i] = counts[word]
		v.index[word] = int32(i)
		v.total += counts[word]
	}
	return v
}
