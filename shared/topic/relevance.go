package topic

import (
	"cmp"
	"slices"
	"sync"
)

// topContributions is how many contributions explain a relevance.
const topContributions = 5

// Relevance is Rel of a text, and why.
type Relevance struct {
	Value float64        `json:"value"`     // equation 3; no fixed scale: compare with the topic's thresholds
	Words int            `json:"words"`     // M, the distinct words of the text
	OOV   float64        `json:"oov_ratio"` // share of them outside the vocabulary, 0 to 1
	Top   []Contribution `json:"top"`       // the words that contributed most, at most five, greatest first
}

// Contribution is the share that one word of a text has in its relevance.
type Contribution struct {
	Word  string  `json:"word"`  // of the text
	Topic string  `json:"topic"` // the topic word it is most similar to, by weight
	Value float64 `json:"value"` // c(d)/M
}

// Rel returns the relevance of a text to the topic, equation 3 (METHOD A8): the
// mean of c(d) over its distinct words. No words, no relevance: 0.
func (l *Lexicon) Rel(words []string) Relevance {
	words = l.distinct(words)
	if len(words) == 0 {
		return Relevance{}
	}
	var sum float64
	var unknown int
	var top []Contribution
	for _, word := range words {
		row, ok := l.table.find(word)
		if !ok {
			unknown++
			continue
		}
		value := l.table.value(row)
		sum += value
		if value != 0 {
			top = append(top, Contribution{word, l.best(row), value / float64(len(words))})
		}
	}
	slices.SortFunc(top, func(a, b Contribution) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Word, b.Word))
	})
	return Relevance{
		Value: sum / float64(len(words)),
		Words: len(words),
		OOV:   float64(unknown) / float64(len(words)),
		Top:   slices.Clip(top[:min(len(top), topContributions)]),
	}
}

// Value returns Rel(words).Value, bit for bit, without allocation.
func (l *Lexicon) Value(words []string) float64 {
	if len(words) <= fewWords {
		return l.mean(words, func(i int) bool { return slices.Contains(words[:i], words[i]) })
	}
	seen := l.scratch.get()
	defer l.scratch.put(seen, len(words))
	return l.mean(words, func(i int) bool {
		known := len(seen)
		seen[words[i]] = struct{}{}
		return len(seen) == known
	})
}

// mean averages c over the words that are not repeated.
func (l *Lexicon) mean(words []string, repeated func(i int) bool) float64 {
	var sum float64
	n := 0
	for i, word := range words {
		if repeated(i) {
			continue
		}
		n++
		if row, ok := l.table.find(word); ok {
			sum += l.table.value(row)
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// distinct returns the words without repetitions, in order; the same slice if
// there are none.
func (l *Lexicon) distinct(words []string) []string {
	seen := l.scratch.get()
	defer l.scratch.put(seen, len(words))
	for _, word := range words {
		seen[word] = struct{}{}
	}
	if len(seen) == len(words) {
		return words
	}
	once := make([]string, 0, len(seen))
	for _, word := range words {
		if _, ok := seen[word]; ok {
			once = append(once, word)
			delete(seen, word)
		}
	}
	return once
}

// fewWords is how many words are compared faster one by one than by a map.
const fewWords = 16

const mostKept = 4096 // words of a text whose set is used again

// scratch lends out empty sets of words, so that Value need not allocate one.
type scratch struct{ pool sync.Pool }

func (s *scratch) get() map[string]struct{} {
	if seen, ok := s.pool.Get().(map[string]struct{}); ok {
		return seen
	}
	return make(map[string]struct{}, 256)
}

// put takes a set back that held so many words. Clearing one costs what it once
// held, so that of a long text is not kept.
func (s *scratch) put(seen map[string]struct{}, held int) {
	if held > mostKept {
		return
	}
	clear(seen)
	s.pool.Put(seen)
}
