package compile

import (
	"errors"
	"fmt"
	"math"

	"sluice/shared/topic"
)

const (
	// fewTexts is the least number of texts, on the topic and off it, from
	// which words are judged.
	fewTexts = 10

	// A word is proposed only if it is in so many texts on the topic and has
	// this class weight: e times as likely there as elsewhere, and more than
	// that for rare words. It is also the least weight of topic words.
	leastTexts  = 3
	leastWeight = 1

	// A word of the topic is cut if so many texts on the topic have it and its
	// class weight is below this.
	textsAgainst = 5
	weakWeight   = 0.5

	// Shrinkage of class weights (ClassWeights): for a corpus that is on the
	// topic as a whole, and for texts classified by a crawl or a cut, not by
	// people.
	shrinkCorpus = 3
	shrinkCrawl  = 8

	// proposed is the default number of proposed words.
	proposed = 300

	maxTopicWords = 5_000 // of a topic file
)

// RefineOptions are the optional inputs of Refine and RefineAgainst.
type RefineOptions struct {
	Add int // how many words to propose at most; 0: 300, below 0: no words
	Max int // how many words of the topic to keep at most, RefineAgainst only; 0: all that are good

	// Prose has cut the texts into words. It knows how they were written, and which
	// are names: these are not proposed. nil: words are proposed in the form in which
	// they are compared.
	Prose *Prose
}

func (o RefineOptions) written(form string) string {
	if o.Prose == nil {
		return form
	}
	return o.Prose.Written(form)
}

func (o RefineOptions) proper(form string) bool { return o.Prose != nil && o.Prose.Proper(form) }

func (o RefineOptions) add() int {
	if o.Add == 0 {
		return proposed
	}
	return max(0, o.Add)
}

// Refinement is what texts reveal about the words of a topic.
type Refinement struct {
	Threshold  float64     `json:"threshold"`  // the relevance that split the texts; 0 if the crawl or the user did
	Clamped    bool        `json:"clamped"`    // the texts gave no plausible threshold: perhaps none is on the topic
	Relevant   int         `json:"relevant"`   // texts on the topic
	Background int         `json:"background"` // texts that they were compared with
	Kept       []Candidate `json:"kept"`       // in the order of the topic file
	Cut        []Candidate `json:"cut"`        // in the order of the topic file
	Added      []Candidate `json:"added"`      // the best first
	Weights    *Weights    `json:"-"`          // of all words of the texts (METHOD B1)
}

// Candidate is a word and the evidence for it.
type Candidate struct {
	Word       string  `json:"word"`         // as the topic file has it
	Weight     float64 `json:"weight"`       // suggested, with two decimals; 0: none
	Class      float64 `json:"class_weight"` // how much it marks the texts on the topic
	Relevant   int     `json:"relevant"`     // how many of them have the word
	Background int     `json:"background"`   // how many of the others have it
	Related    bool    `json:"related"`      // no word of the author's: see topic.Word
	Reason     string  `json:"reason"`
}

// rank orders candidates: by how much a word marks the topic and by how much of
// the topic it marks.
func (c *Candidate) rank() float64 { return c.Class * math.Log1p(float64(c.Relevant)) }

// Refine learns the words of a topic from the texts of a crawl, without labels
// (METHOD A7, B1). It compares the pages that the crawl kept with those that it
// passed over, and ignores texts without a verdict. With fewer than 10 of
// either, it scores all texts by the topic and splits them at Otsu's cut.
//
// Topic words that mark the topic get their class weight, at least 1, unless the
// author weighed them; related words that do not are cut; those that no text on
// the topic has are kept. The best of the other words are proposed as related
// ones if texts of several hosts or sections have them. No class weight exceeds the
// word's weight against the language as a whole: a frequent word marks a topic
// less, even if it is rare in the pages that a crawl passed over.
//
// It is an error if fewer than 10 texts are on the topic, or off it.
func Refine(l *topic.Lexicon, file *topic.File, crawl *Samples, o RefineOptions) (*Refinement, error) {
	if crawl.Len() == 0 {
		return nil, errors.New("refine topic: there are no texts: give the folder of a crawl")
	}
	fallback, err := fallbackOf(l, file)
	if err != nil {
		return nil, err
	}
	texts := crawl.split(l, fallback)
	domain, background := texts.on, texts.off
	switch {
	case domain.Documents < fewTexts:
		return nil, fmt.Errorf("refine topic: %d of %d texts are on the topic, fewer than %d: crawl more pages, or add words that the texts use",
			domain.Documents, crawl.Len(), fewTexts)
	case background.Documents < fewTexts:
		return nil, fmt.Errorf("refine topic: %d texts are off the topic, fewer than %d: add texts about other things to compare with",
			background.Documents, fewTexts)
	}
	weights := classWeights(domain, background, shrinkCrawl, leastTexts)
	if primary(file.Language) == "zh" {
		weights.atMost(classWeights(domain, dictionaryBackground(domain, frequencies(file.Language)), shrinkCrawl, leastTexts))
	}
	r := refiner{file: file, domain: domain, background: background, places: texts.places, weights: weights, options: o}
	result := r.refine(0, o.add())
	result.Threshold, result.Clamped = texts.threshold, texts.clamped
	return result, nil
}

// RefineAgainst learns the words of a topic from a domain corpus and a
// background corpus (METHOD A7), which reduces many candidates to good ones.
// Unlike Refine it knows which texts are on the topic, so it also cuts words
// that no text of the domain has, and words beyond Max.
//
// It is an error if either corpus has fewer than 10 texts.
func RefineAgainst(file *topic.File, domain, background *Counts, o RefineOptions) (*Refinement, error) {
	for _, corpus := range []struct {
		name   string
		counts *Counts
	}{{"domain", domain}, {"background", background}} {
		if n := corpus.counts.Documents; n < fewTexts {
			return nil, fmt.Errorf("refine topic: the %s corpus has %d texts, fewer than %d: add some", corpus.name, n, fewTexts)
		}
	}
	r := refiner{file: file, domain: domain, background: background, weights: classWeights(domain, background, shrinkCorpus, leastTexts), strict: true, options: o}
	return r.refine(o.Max, o.add()), nil
}

// classWeights weighs words by the domain against the background; a word in
// fewer than least texts of the domain has no weight.
func classWeights(domain, background *Counts, shrink float64, least int) *Weights {
	w := ClassWeights(domain, background, shrink)
	for word := range w.Words {
		if domain.In[word] < least {
			w.Words[word] = 0
		}
	}
	w.Mean = w.mean()
	return w
}
