package compile

import (
	"errors"
	"fmt"

	"sluice/shared/topic"
)

// fallbackShare times the mean c(t) of the topic words is the fallback: the
// relevance of 16 words among which one is a topic word of mean weight.
const fallbackShare = 0.06

// calibrate returns a copy of the file with the thresholds and the λ that its
// author did not set, on the scale of the topic's relevance (METHOD A8, A11),
// and what they were computed from. They come from Otsu's cuts, which split the
// texts in two by their main text, their description and their title:
//
//   - body: the cut of the main texts;
//   - description: 0.12 of the cut of the descriptions, or of the relevance that
//     only one in twenty of the texts above the body threshold stays below,
//     whichever is less, but at least 0.1 of the fallback;
//   - anchor: the cut of the titles;
//   - priority: 0.5·β·anchor, where β is 0 0.5·α·description; λ is 0.75 of it.
//
// If a crawl has judged the texts, at least ten of either kind, half of each
// cut counts, within 0.1 and 8 times the fallback; otherwise all of it, within
// 0.5 and 1.5 times. Cuts outside that range are limited to it and listed in
// Clamped.
//
// The fallback is 0.06 of the mean c(t) of the topic words, half of that for
// main texts. It replaces the cuts of parts that no sample has, or that are the
// same in all samples. Samples may be nil or empty; priority is then 4/3 of the
// fallback.
//
// The spread is the distribution of c(d) over the vocabulary, of Rel over the
// samples, and of Rel over the samples below the body threshold: the noise that
// descriptions and anchors must exceed. A text counts as often as it represents
// others.
//
// It is an error if no topic word has a relevance, or if the weights are so
// great that a threshold would exceed the range of a topic file.
func calibrate(l *topic.Lexicon, file *topic.File, s *Samples) (*topic.File, *topic.Calibration, error) {
	if s == nil {
		s = &Samples{}
	}
	fallback, err := fallbackOf(l, file)
	if err != nil {
		return nil, nil, err
	}
	calibrated := *file
	c := &calibrator{
		file:   &calibrated,
		told:   &topic.Calibration{Samples: s.Len(), Fallback: fallback},
		rel:    relevances(s, s.scorer(l)),
		judged: judged(s.texts),
	}
	c.setBody()
	c.setDescription()
	c.setAnchor()
	c.setPriority()
	if err := calibrated.Validate(); err != nil {
		return nil, nil, fmt.Errorf("calibrate topic: one topic word among 16 has the relevance %.3g; change the weights of the words: %w", fallback, err)
	}
	c.spread(l)
	return &calibrated, c.told, nil
}

// fallbackOf returns the threshold of relevance without samples.
func fallbackOf(l *topic.Lexicon, file *topic.File) (float64, error) {
	var sum float64
	for _, word := range file.Words {
		sum += l.Value([]string{comparedAs(file, word.Text)})
	}
	if sum <= 0 {
		return 0, errors.New("calibrate topic: no topic word has a relevance: give some of them weights above 0")
	}
	return fallbackShare * sum / float64(len(file.Words)), nil
}

// relevance is Rel of the parts of a text; -1 for a missing part.
type relevance struct{ description, anchor, body float64 }

// relevances scores the samples, each as often as it represents a text.
func relevances(s *Samples, rel func([]int32) float64) []relevance {
	score := func(part []int32) float64 {
		if len(part) == 0 {
			return -1
		}
		return rel(part)
	}
	var all []relevance
	for _, t := range s.texts {
		r := relevance{score(t.description), score(t.anchor), score(t.body)}
		for range t.times {
			all = append(all, r)
		}
	}
	return all
}

func (r relevance) ofDescription() float64 { return r.description }
func (r relevance) ofAnchor() float64      { return r.anchor }
func (r relevance) ofBody() float64        { return r.body }

// spread computes the distributions of c and Rel.
func (c *calibrator) spread(l *topic.Lexicon) {
	var words []float64
	for _, value := range l.All() {
		words = append(words, value)
	}
	c.told.Spread = append(c.told.Spread, topic.Spread("word", words, 0))
	t := c.file.Thresholds
	for _, part := range []struct {
		name      string
		of        func(relevance) float64
		threshold float64
	}{
		{"description", relevance.ofDescription, t.Description},
		{"anchor", relevance.ofAnchor, t.Anchor},
		{"body", relevance.ofBody, t.Body},
	} {
		c.told.Spread = append(c.told.Spread,
			topic.Spread(part.name, c.values(part.of, every), part.threshold),
			topic.Spread("background "+part.name, c.values(part.of, c.offTopic), part.threshold))
	}
}
