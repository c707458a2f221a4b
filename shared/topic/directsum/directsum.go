// Package directsum computes relevance without a compiled lexicon, to check one.
package directsum

import (
	"fmt"
	"sync"

	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// Sum computes equation 3 directly (METHOD A8): the sum over the words of a
// text and the topic words, with weights by A6 and similarities by A5. It
// shares the sources with the compiled topic but none of the results, so that
// each checks the other. It is safe for concurrent use.
type Sum struct {
	lexicon *topic.Lexicon // which words belong to the vocabulary
	blend   topic.Blend
	vectors *spelledVectors
	hownet  *spelledHowNet
	weights map[string]float64 // w_d, by form
	mean    float64            // w_d of all others
	topic   []term
	known   sync.Map // c(d) by word: a text of a topic repeats its words
}

// term is a topic word.
type term struct {
	word
	weight float64
}

// word is a word with the data of its similarities.
type word struct {
	form   string
	unit   []float32
	hownet string
}

// Sources are the inputs of a compiled topic beside its file; each may be nil.
type Sources struct {
	Vectors *wordvec.Vectors
	HowNet  *hownet.Lexicon
	Weights *compile.Weights
}

// New returns the sum for a topic. The sources must be those that the topic was
// compiled from.
func New(c *topic.Compiled, from Sources) (*Sum, error) {
	d := &Sum{
		lexicon: c.Lexicon, blend: c.Meta.Similarity,
		vectors: spellVectors(c.File.Language, from.Vectors), hownet: spellHowNet(c.File.Language, from.HowNet),
	}
	if err := d.weigh(c.File, from.Weights); err != nil {
		return nil, err
	}
	return d, nil
}

// weigh sets the weights (A6): a word that the file adjusts has that weight, a
// topic word its author's, any other that of the corpus or the mean. Of several
// topic words with one form the heaviest counts.
func (d *Sum) weigh(file *topic.File, corpus *compile.Weights) error {
	d.weights, d.mean = make(map[string]float64), file.MeanWeight
	if corpus != nil {
		if !file.Given.MeanWeight {
			d.mean = corpus.Mean
		}
		for word, weight := range corpus.Words {
			form, err := segment.Form(file.Language, word)
			if _, exact := corpus.Words[form]; err == nil && (form == word || !exact) {
				d.weights[form] = max(d.weights[form], weight)
			}
		}
	}
	adjusted := make(map[string]float64, len(file.Adjust))
	for word, weight := range file.Adjust {
		form, err := segment.Form(file.Language, word)
		if err != nil {
			return fmt.Errorf("adjusted word: %w", err)
		}
		adjusted[form] = max(adjusted[form], weight)
	}
	topical := make(map[string]float64, len(file.Words))
	for _, word := range file.Words {
		form, err := segment.Form(file.Language, word.Text)
		if err != nil {
			return fmt.Errorf("topic word: %w", err)
		}
		weight, known := d.weights[form]
		switch by, ok := adjusted[form]; {
		case ok:
			weight = by
		case word.Given:
			weight = word.Weight
		case !known:
			weight = d.mean
		}
		topical[form] = max(topical[form], weight)
	}
	for _, own := range []map[string]float64{adjusted, topical} {
		for form, weight := range own {
			d.weights[form] = weight
		}
	}
	for form, weight := range topical {
		d.topic = append(d.topic, term{d.word(form), weight})
	}
	return nil
}

// Rel is equation 3 for distinct words.
func (d *Sum) Rel(words []string) float64 {
	if len(words) == 0 {
		return 0
	}
	var sum float64
	for _, word := range words {
		sum += d.value(word)
	}
	return sum / float64(len(words))
}

// value is c(d): the inner sum, 0 outside the vocabulary.
func (d *Sum) value(word string) float64 {
	if known, ok := d.known.Load(word); ok {
		value, _ := known.(float64)
		return value
	}
	var sum float64
	if _, ok := d.lexicon.Row(word); ok {
		w := d.word(word)
		for i := range d.topic {
			sim := d.sim(&w, &d.topic[i].word)
			sum += d.topic[i].weight * sim * sim
		}
		weight, ok := d.weights[word]
		if !ok {
			weight = d.mean
		}
		sum *= weight
	}
	d.known.Store(word, sum)
	return sum
}

func (d *Sum) word(form string) word {
	return word{form, d.vectors.unit(form), d.hownet.spell(form)}
}

// sim is algorithm 1 (METHOD A5), step by step.
func (d *Sum) sim(a, b *word) float64 {
	if a.form == b.form {
		return 1
	}
	simD, simH := dot(a.unit, b.unit), d.hownet.similarity(a.hownet, b.hownet)
	if simD < 0 {
		return 0
	}
	if simD < d.blend.Th1 {
		simD = 0
	}
	if simH < d.blend.Th2 {
		simH = 0
	}
	sim := d.blend.Alpha * simD
	if simH != 0 {
		sim = d.blend.Beta*simH + (1-d.blend.Beta)*simD
	}
	if sim < d.blend.Th1 {
		return 0
	}
	return sim
}

// dot is the cosine of two unit vectors; 0 if one is missing.
func dot(a, b []float32) float64 {
	if a == nil || b == nil {
		return 0
	}
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return min(1, max(-1, sum))
}
