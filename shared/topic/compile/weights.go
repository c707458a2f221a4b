package compile

import (
	"maps"
	"math"
	"slices"
	"strings"

	"sluice/shared/text/segment"
)

// Weights are the weights of words, w_d and w_t of equation 3: finite, not
// negative.
type Weights struct {
	Words      map[string]float64
	Mean       float64 // of words that are absent
	Documents  int     // texts of the corpus that the weights come from
	Background int     // texts of the background; 0: none
}

// Of returns the weight of a word. Without weights every word weighs 1.
func (w *Weights) Of(word string) float64 {
	if w == nil {
		return 1
	}
	if weight, ok := w.Words[word]; ok {
		return weight
	}
	return w.Mean
}

// Weights weighs words by equation 2 (METHOD A6): f_i/N · ln(N/N_i). Absent
// words get the mean over the words present. A word in every text weighs
// nothing.
func (c *Counts) Weights() *Weights {
	w := &Weights{Words: make(map[string]float64, len(c.In)), Documents: c.Documents}
	n := float64(c.Documents)
	for word, in := range c.In {
		w.Words[word] = float64(c.Occurrences[word]) / n * math.Log(n/float64(in))
	}
	w.Mean = w.mean()
	return w
}

// ClassWeights weighs words by how much they mark the domain against the
// background, the c(k) that METHOD B1 leaves open: the logarithm of how many
// times as likely a text of the domain contains the word, with half a text
// added on both sides, not below 0, times n/(n+shrink) for a word in n texts of
// the domain. The last factor reduces the weight of words in few of them: a
// shrink of 3 suits a corpus, 8 one that was not checked, 1 some twenty pages.
// The words of both sides are present; absent ones get the mean over all.
func ClassWeights(domain, background *Counts, shrink float64) *Weights {
	w := &Weights{
		Words:      make(map[string]float64, len(domain.In)+len(background.In)),
		Documents:  domain.Documents,
		Background: background.Documents,
	}
	for word := range background.In {
		w.Words[word] = 0
	}
	for word, n := range domain.In {
		lift := domain.share(word) / background.share(word)
		w.Words[word] = max(0, math.Log(lift)) * float64(n) / (float64(n) + shrink)
	}
	w.Mean = w.mean()
	return w
}

// atMost lowers the weights of the words that weigh less in other. Words that
// other does not have keep theirs.
func (w *Weights) atMost(other *Weights) {
	for word, weight := range other.Words {
		w.Words[word] = min(w.Words[word], weight)
	}
	w.Mean = w.mean()
}

// share estimates which share of texts contains a word; never 0 or 1.
func (c *Counts) share(word string) float64 {
	return (float64(c.In[word]) + 0.5) / (float64(c.Documents) + 1)
}

// expectedDocuments is how many texts dictionaryBackground makes up: enough for
// the rarest word of the dictionary to be expected in some of texts of a few
// hundred words.
const expectedDocuments = 1_000_000

// foreignWord is in which share of texts a word in other letters than Chinese is
// that is unknown: a name, or a word of another language.
const foreignWord = 0.001

// stopWordShare is how many words a Chinese text has for each word that is not a
// stop word: three in ten words of news are stop words.
const stopWordShare = 1.3

// frequencies returns the share of a word among the words of a language that
// are not stop words, nil for a language without figures.
func frequencies(language string) func(word string) float64 {
	switch primary(language) {
	case "zh":
		return func(word string) float64 { return stopWordShare * segment.Frequency(word) }
	case "en":
		return segment.EnglishFrequency
	}
	return nil
}

// HasFrequencies reports whether it is known how common words are in a
// language, given by its BCP 47 tag, so that FromPages needs no background.
func HasFrequencies(language string) bool { return frequencies(language) != nil }

// dictionaryBackground estimates a background for ClassWeights if there is no
// text for one: in how many of a million texts as long as those of the domain
// each word of the domain is expected, by its frequency in the language. A word
// with a share p of the words is in 1 − exp(−L·p) of texts of L words. A word
// unknown to frequency is expected in none, one in other letters than Chinese in
// one text of a thousand.
func dictionaryBackground(domain *Counts, frequency func(word string) float64) *Counts {
	length := domain.meanTokens()
	c := &Counts{
		Documents:   expectedDocuments,
		Tokens:      int(expectedDocuments * domain.meanTokens()),
		In:          make(map[string]int, len(domain.In)),
		Occurrences: make(map[string]int, len(domain.In)),
	}
	for word := range domain.In {
		mean := length * frequency(word)
		if mean == 0 && !strings.ContainsFunc(word, isHan) {
			mean = foreignWord
		}
		c.In[word] = int(math.Round(expectedDocuments * -math.Expm1(-mean)))
		c.Occurrences[word] = int(math.Round(expectedDocuments * mean))
	}
	return c
}

// Know gives weights to topic words, in the form in which texts yield them:
// those absent from the corpus, or of weight 0, get the mean weight of the
// other topic words. With the mean over all words they would vanish, since most
// words mark no topic. If no topic word has a weight, nothing changes.
func (w *Weights) Know(topicWords []string) {
	var sum float64
	var unknown []string
	for _, word := range topicWords {
		if weight := w.Words[word]; weight > 0 {
			sum += weight
		} else {
			unknown = append(unknown, word)
		}
	}
	if known := len(topicWords) - len(unknown); known > 0 {
		for _, word := range unknown {
			w.Words[word] = sum / float64(known)
		}
	}
}

// mean averages the weights in a fixed order, which sums of floats depend on.
func (w *Weights) mean() float64 {
	if len(w.Words) == 0 {
		return 0
	}
	var sum float64
	for _, word := range slices.Sorted(maps.Keys(w.Words)) {
		sum += w.Words[word]
	}
	return sum / float64(len(w.Words))
}
