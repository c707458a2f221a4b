package compile

import (
	"context"
	"maps"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sluice/shared/text/segment"
	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// maxVectorWords is how many words of a file of vectors, the most frequent
// ones, are part of the vocabulary. The rest still has vectors, for topic words
// and words of the corpus, but an artifact with millions of words would take
// more memory than a function has.
const maxVectorWords = 1_000_000

// vocabulary is the words for which c(d) is computed, as texts yield them:
// those of HowNet, of the vectors, of the weights and of the topic.
type vocabulary struct {
	entries []comparand // by word, distinct
	vectors int         // how many have a vector of their own
	hownet  int         // how many HowNet covers
}

// newVocabulary collects the words and looks up their vectors. Words outside
// the vectors' vocabulary get composed ones.
func newVocabulary(ctx context.Context, language string, s *Similarity, weighed map[string]float64) (*vocabulary, error) {
	vectors := segment.Spellings(language, vectorWords(s.Vectors))
	covered := segment.Spellings(language, hownetWords(s.HowNet))
	all := maps.Clone(vectors)
	maps.Copy(all, covered)
	for word := range weighed {
		all[word] = word
	}
	v := &vocabulary{entries: make([]comparand, 0, len(all)), hownet: len(covered), vectors: len(vectors)}
	for _, word := range slices.Sorted(maps.Keys(all)) {
		v.entries = append(v.entries, comparand{word: word, hownet: covered[word]})
	}
	return v, v.fill(ctx, s, vectors)
}

// fill looks up the vectors, on all cores.
func (v *vocabulary) fill(ctx context.Context, s *Similarity, spelled map[string]string) error {
	const piece = 1024
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for entries := range slices.Chunk(v.entries, piece) {
		group.Go(func() error {
			for i := range entries {
				spelling, ok := spelled[entries[i].word]
				if !ok {
					spelling = entries[i].word
				}
				entries[i].unit, entries[i].composed = s.unit(spelling), !ok
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// words returns the words, sorted.
func (v *vocabulary) words() []string {
	words := make([]string, len(v.entries))
	for i := range v.entries {
		words[i] = v.entries[i].word
	}
	return words
}

// find returns the entry of a word or nil.
func (v *vocabulary) find(word string) *comparand {
	if i, ok := v.search(word); ok {
		return &v.entries[i]
	}
	return nil
}

func (v *vocabulary) search(word string) (int, bool) {
	return slices.BinarySearchFunc(v.entries, word, func(e comparand, word string) int {
		switch {
		case e.word < word:
			return -1
		case e.word > word:
			return 1
		}
		return 0
	})
}

// walk returns find for words that are mostly in order.
func (v *vocabulary) walk() func(word string) *comparand {
	next := 0
	return func(word string) *comparand {
		if next == len(v.entries) || v.entries[next].word != word {
			i, ok := v.search(word)
			if !ok {
				return nil
			}
			next = i
		}
		next++
		return &v.entries[next-1]
	}
}

func vectorWords(v *wordvec.Vectors) []string {
	if v == nil {
		return nil
	}
	return v.Words()[:min(v.Len(), maxVectorWords)]
}

func hownetWords(l *hownet.Lexicon) []string {
	if l == nil {
		return nil
	}
	return l.Words()
}
