package hownet

// Column is the similarity of many words to one topic word. Words share
// concepts, so it caches theirs: the whole of HowNet takes some milliseconds.
// It takes 8 bytes for each distinct concept, 140 KB for HowNet. A Column is
// not safe for concurrent use; different ones are.
type Column struct {
	lexicon  *Lexicon
	word     string
	concepts []int32
	known    []float64 // by concept; below 0: not yet
}

// Column returns the column of a topic word, nil if the word is not covered.
func (l *Lexicon) Column(t string) *Column {
	concepts := l.words[t]
	if len(concepts) == 0 {
		return nil
	}
	known := make([]float64, len(l.concepts))
	for i := range known {
		known[i] = -1
	}
	return &Column{lexicon: l, word: t, concepts: concepts, known: known}
}

// Similarity is Lexicon.Similarity of d and the topic word. A nil Column covers
// no word.
func (c *Column) Similarity(d string) (sim float64, ok bool) {
	if c == nil {
		return 0, false
	}
	concepts := c.lexicon.words[d]
	if len(concepts) == 0 {
		return 0, false
	}
	if d == c.word {
		return 1, true
	}
	for _, i := range concepts {
		if c.known[i] < 0 {
			c.known[i] = c.nearest(i)
		}
		sim = max(sim, c.known[i])
	}
	return sim, true
}

// nearest compares a concept with those of the topic word.
func (c *Column) nearest(i int32) float64 {
	sim := 0.0
	for _, j := range c.concepts {
		sim = max(sim, c.lexicon.conceptSimilarity(i, j, sim))
	}
	return sim
}
