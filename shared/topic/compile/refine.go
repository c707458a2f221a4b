package compile

import (
	"errors"
	"fmt"
	"math"

	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

const (
	// fewTexts is the least number of texts, on the topic and off it, from
	// which words are judged.
	fewTexts = 10

	// A word has to stand in so many texts on the topic, and to have this class
	// weight, to be proposed: to be e times as likely there as elsewhere, and
	// more than that where few of the texts have it. It is the least weight that
	// topic words are given, too.
	leastTexts  = 3
	leastWeight = 1

	// A word of the topic is cut where so many texts on the topic have it and
	// yet its class weight is below this.
	textsAgainst = 5
	weakWeight   = 0.5

	// How much evidence class weights ask for (ClassWeights): of a corpus that is
	// on the topic as a whole, and of texts that a crawl or a cut, not people,
	// took for that.
	shrinkCorpus = 3
	shrinkCrawl  = 8

	// proposed is how many words are proposed where the caller does not say.
	proposed = 300

	maxTopicWords = 5_000 // of a topic file
)

// RefineOptions are the optional inputs of Refine and RefineAgainst.
type RefineOptions struct {
	Add int // how many words to propose at most; 0: 300, below 0: none
	Max int // how many words of the topic to keep at most, RefineAgainst only; 0: all that are good
}

func (o RefineOptions) add() int {
	if o.Add == 0 {
		return proposed
	}
	return max(0, o.Add)
}

// Refinement is what texts say about the words of a topic.
type Refinement struct {
	Threshold  float64     `json:"threshold"`  // the relevance that split the texts; 0 where the crawl, or the user, had
	Clamped    bool        `json:"clamped"`    // the texts gave no sane threshold: perhaps none is on the topic
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
	Weight     float64 `json:"weight"`       // to give it in the topic, two decimals; 0: none
	Class      float64 `json:"class_weight"` // how much it marks the texts on the topic
	Relevant   int     `json:"relevant"`     // how many of them have it
	Background int     `json:"background"`   // how many of the others have it
	Related    bool    `json:"related"`      // no word of the author's: see topic.Word
	Reason     string  `json:"reason"`
}

// rank orders candidates: by how much a word marks the topic and by how much of
// the topic it marks.
func (c *Candidate) rank() float64 { return c.Class * math.Log1p(float64(c.Relevant)) }

// Refine learns the words of a topic from the texts of a crawl, without labels
// (METHOD A7, B1). What the crawl kept passes for the topic, and is compared with
// what it passed over; texts that it did not judge are left out then. With fewer
// than 10 of either, the topic at hand scores all texts, and Otsu's cut splits
// them.
//
// Topic words that mark the topic get their class weight, at least 1; those that
// do not are cut; those that no text on the topic has are kept. Of the other
// words the best are proposed, as related ones. No class weight is greater than
// the word has against the language as a whole: what is frequent there marks a
// topic less, however rare it is in the pages that a crawl passed over.
//
// It is an error if fewer than 10 texts are on the topic, or off it.
func Refine(l *topic.Lexicon, file *topic.File, crawl *Samples, o RefineOptions) (*Refinement, error) {
	if crawl.Len() == 0 {
		return nil, errors.New("refine topic: there are no texts: name the folder of a crawl")
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
	weights.atMost(classWeights(domain, DictionaryBackground(domain, segment.Frequency), shrinkCrawl, leastTexts))
	r := refiner{file: file, domain: domain, background: background, weights: weights}
	result := r.refine(0, o.add())
	result.Threshold, result.Clamped = texts.threshold, texts.clamped
	return result, nil
}

// RefineAgainst learns the words of a topic from a domain corpus and a
// background corpus (METHOD A7): many candidates go in, the good ones stay.
// Unlike Refine it knows what is on the topic, so words that no text of the
// domain has are cut as well, and so are those beyond Max.
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
	r := refiner{file: file, domain: domain, background: background, weights: classWeights(domain, background, shrinkCorpus, leastTexts), strict: true}
	return r.refine(o.Max, o.add()), nil
}

// classWeights weighs words by the domain against the background; what stands
// in fewer than least texts of the domain weighs nothing.
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
