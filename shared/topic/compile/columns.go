package compile

import (
	"context"
	"maps"
	"slices"

	"sluice/shared/topic"
)

// columns computes the similarities of a vocabulary to topic words, a column
// for each, and counts them by source.
type columns struct {
	similarity *Similarity
	vocabulary *vocabulary
	number     map[string]int // of the topic words
	counts     [][use + 1]int // by topic word: pairs by evidence
}

func newColumns(s *Similarity, v *vocabulary, weights map[string]float64) *columns {
	c := &columns{similarity: s, vocabulary: v, number: make(map[string]int, len(weights))}
	for i, word := range slices.Sorted(maps.Keys(weights)) {
		c.number[word] = i
	}
	c.counts = make([][use + 1]int, len(weights))
	return c
}

// of returns the similarity to the topic words, of words of the vocabulary.
// Once the context ends it is 0, so that compilation is over at once.
func (c *columns) of(ctx context.Context) topic.Similarity {
	none := func(string) float64 { return 0 }
	return func(t string) func(d string) float64 {
		target := c.vocabulary.find(t)
		if ctx.Err() != nil || target == nil {
			return none
		}
		column, counts := c.similarity.column(target), &c.counts[c.number[t]]
		next := c.vocabulary.walk()
		return func(d string) float64 {
			e := next(d)
			if e == nil {
				return 0
			}
			sim, evidence := column.similarity(e)
			counts[evidence]++
			return sim
		}
	}
}

// pairs sums up the counts of all columns.
func (c *columns) pairs() (pairs [use + 1]int) {
	for _, column := range c.counts {
		for evidence, n := range column {
			pairs[evidence] += n
		}
	}
	return pairs
}
