package topic

import (
	"cmp"
	"slices"
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
// mean of c(d) over its words, which are distinct, as segment.Segmenter.Words
// returns them. No words, no relevance: 0.
func (l *Lexicon) Rel(words []string) Relevance {
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
	if len(words) == 0 {
		return 0
	}
	var sum float64
	for _, word := range words {
		if row, ok := l.table.find(word); ok {
			sum += l.table.value(row)
		}
	}
	return sum / float64(len(words))
}
