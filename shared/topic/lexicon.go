package topic

import (
	"maps"
	"slices"
)

// Similarity is Sim(d, t) of a word of a text and a topic word, 0 to 1
// (METHOD A5).
type Similarity func(d, t string) float64

// SameWord is the similarity that knows nothing but identity: 1 for the same
// word, else 0.
func SameWord(d, t string) float64 {
	if d == t {
		return 1
	}
	return 0
}

// row is what the lexicon knows of one word.
type row struct {
	value float64 // c(d) = w_d · Σ_t w_t · Sim(d,t)²
	topic string  // the t with the greatest share of it
}

// Lexicon is a compiled topic. In equation 3 the inner sum over the topic words
// depends on the word of the text alone, so it is computed once for every word
// of the vocabulary, and the relevance of a text is a mean of look-ups. A
// Lexicon never changes and is safe for concurrent use.
type Lexicon struct {
	rows    map[string]row
	anchors *trie
	scratch scratch
}

// Compile computes c(d) for each word d of the vocabulary. The topic gives the
// weights w_t of the topic words, weights gives w_d of the words of texts,
// those absent from it weigh mean (METHOD A6). A word outside the vocabulary
// has c = 0, so whoever wants the whole sum lists all words with a similarity
// to some topic word.
func Compile(topic, weights map[string]float64, mean float64, sim Similarity, vocabulary []string) *Lexicon {
	words := slices.Sorted(maps.Keys(topic)) // a fixed order: sums of floats depend on it
	l := &Lexicon{
		rows:    make(map[string]row, len(vocabulary)),
		anchors: newTrie(words),
	}
	for _, d := range vocabulary {
		weight, ok := weights[d]
		if !ok {
			weight = mean
		}
		var sum, most float64
		var best string
		for _, t := range words {
			s := sim(d, t)
			share := topic[t] * s * s
			sum += share
			if share > most {
				most, best = share, t
			}
		}
		l.rows[d] = row{value: weight * sum, topic: best}
	}
	return l
}

// Lexicon compiles the file's topic with similarity 1 for the same word and 0
// otherwise. A word weighs the same as word of a text and as topic word: its
// adjusted weight, else its own, else the mean weight.
func (f *File) Lexicon() *Lexicon {
	weights := make(map[string]float64, len(f.Words)+len(f.Adjust))
	topic := make(map[string]float64, len(f.Words))
	for _, word := range f.Words {
		weights[word.Text] = word.Weight
	}
	maps.Copy(weights, f.Adjust)
	for _, word := range f.Words {
		topic[word.Text] = weights[word.Text]
	}
	return Compile(topic, weights, f.MeanWeight, SameWord, slices.Collect(maps.Keys(weights)))
}

// MatchAnchor reports whether an anchor text contains a topic word, as
// substring of the folded text, and which: the longest one at the first place
// where there is one. Pages that are not relevant pass on only the links whose
// anchor does (METHOD A1).
func (l *Lexicon) MatchAnchor(text string) (word string, ok bool) {
	return l.anchors.first(text)
}
