package topic

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"sluice/shared/text/segment"
)

// Lexicon is a compiled topic. The inner sum of equation 3, over the topic
// words, depends only on the word of the text, so it is computed once for every
// word of the vocabulary, and the relevance of a text is a mean of look-ups. A
// Lexicon never changes and is safe for concurrent use.
type Lexicon struct {
	table   table
	terms   []term // the topic words, sorted
	anchors *trie
}

// Lexicon compiles the file's topic with similarity 1 for the same word and 0
// otherwise. A word weighs the same in texts and as topic word: its adjusted
// weight, else its own, else the mean weight. Words are normalised for the
// topic's language, see segment.Form: of several with the same form, as bank
// and banks in English, the greatest weight counts.
func (f *File) Lexicon() *Lexicon {
	weights := make(map[string]float64, len(f.Words)+len(f.Adjust))
	for _, word := range f.Words {
		form := f.form(word.Text)
		weights[form] = max(weights[form], word.Weight)
	}
	adjusted := make(map[string]float64, len(f.Adjust))
	for word, weight := range f.Adjust {
		form := f.form(word)
		adjusted[form] = max(adjusted[form], weight)
	}
	maps.Copy(weights, adjusted)
	topic := make(map[string]float64, len(f.Words))
	for _, word := range f.Words {
		form := f.form(word.Text)
		topic[form] = weights[form]
	}
	vocabulary := slices.Collect(maps.Keys(weights))
	return Compile(topic, weights, f.MeanWeight, SameWord, vocabulary).WithAnchors(f.anchors())
}

// form returns a word of the file as texts in the topic's language hold it.
func (f *File) form(word string) string {
	form, err := segment.Form(f.Language, word)
	if err != nil {
		return word // not a word: no text holds it
	}
	return form
}

// anchors returns the words by which an anchor passes, in the form in which
// anchor texts have them: the author's, not the related ones, some of which are
// in every title.
func (f *File) anchors() []string {
	words := make([]string, 0, len(f.Words))
	for _, word := range f.Words {
		if !word.Related {
			words = append(words, word.Text)
		}
	}
	return words
}

// WithAnchors returns the same lexicon with other words for MatchAnchor, which
// without it are the topic words as Compile got them.
func (l *Lexicon) WithAnchors(words []string) *Lexicon {
	return &Lexicon{table: l.table, terms: l.terms, anchors: newTrie(words)}
}

// MatchAnchor reports whether an anchor text contains a topic word, and returns
// the longest one at the first such place. It is a substring of the folded
// text; in scripts with spaces it must start at a word's start, and one of up
// to three letters must end at a word's end. Irrelevant pages only pass on
// links with such an anchor (METHOD A1).
func (l *Lexicon) MatchAnchor(text string) (word string, ok bool) {
	return l.anchors.first(text)
}

// Len returns the number of words in the vocabulary.
func (l *Lexicon) Len() int { return l.table.words.len() }

// Row is the lexicon's data of a word.
type Row struct {
	Word   string  `json:"word"`
	Value  float64 `json:"value"`  // c(d) = w_d · Σ_t w_t · Sim(d,t)²
	Weight float64 `json:"weight"` // w_d; also 0 if no topic word is similar
	Top    []Share `json:"top"`    // the topic words that contribute most, at most three, greatest first
}

// Share is the part that one topic word has in c(d).
type Share struct {
	Topic  string  `json:"topic"`
	Weight float64 `json:"weight"` // w_t
	Sim    float64 `json:"sim"`    // Sim(d,t) to 7 digits
	Value  float64 `json:"value"`  // w_d · w_t · Sim², as exact as Sim
}

// Row returns the data of a word; false if it is outside the vocabulary.
func (l *Lexicon) Row(word string) (Row, bool) {
	row, ok := l.table.find(word)
	if !ok {
		return Row{}, false
	}
	return l.row(row), true
}

// All returns every word of the vocabulary with its c(d), in a fixed order.
func (l *Lexicon) All() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for row := range l.Len() {
			if !yield(l.table.words.at(row), l.table.value(row)) {
				return
			}
		}
	}
}

// Heaviest returns the n rows with the greatest c(d) above 0, by descending c,
// then by word.
func (l *Lexicon) Heaviest(n int) []Row {
	rows := make([]int, l.table.similar())
	for i := range rows {
		rows[i] = i
	}
	// Rows are sorted by word, so a stable sort leaves equal ones in that order.
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Compare(l.table.value(b), l.table.value(a))
	})
	heaviest := make([]Row, 0, max(0, min(n, len(rows))))
	for _, row := range rows[:cap(heaviest)] {
		heaviest = append(heaviest, l.row(row))
	}
	return heaviest
}

// row reads a row of the table.
func (l *Lexicon) row(row int) Row {
	t := &l.table
	r := Row{Word: t.words.at(row)}
	if row >= t.similar() {
		return r
	}
	r.Value, r.Weight = t.value(row), number(t.weights, row)
	for i := range maxShares {
		term, sim := t.share(row, i)
		if term < 0 {
			break
		}
		w := l.terms[term].weight
		r.Top = append(r.Top, Share{l.terms[term].text, w, sim, r.Weight * w * sim * sim})
	}
	return r
}

// best returns the topic word with the greatest share in a row, "" if none.
func (l *Lexicon) best(row int) string {
	if row >= l.table.similar() {
		return ""
	}
	if term, _ := l.table.share(row, 0); term >= 0 {
		return l.terms[term].text
	}
	return ""
}
