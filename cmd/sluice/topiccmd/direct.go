package topiccmd

import (
	"errors"
	"fmt"
	"sync"

	"sluice/cmd/sluice/cli"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
)

// directSum computes equation 3 as it stands (METHOD A8): the sum over the words
// of a text and the topic words, with weights by A6 and similarities by A5. It
// shares the sources with the compiled topic, and none of the results, so that
// one is checked by the other. It is safe for concurrent use.
type directSum struct {
	lexicon *topic.Lexicon // tells which words belong to the vocabulary
	blend   topic.Blend
	vectors *spelledVectors
	hownet  *spelledHowNet
	weights map[string]float64 // w_d, by form
	mean    float64            // w_d of all others
	topic   []directTerm
	known   sync.Map // c(d) by word: a text of a topic repeats its words
}

// directTerm is a topic word.
type directTerm struct {
	directWord
	weight float64
}

// directWord is a word with what its similarity to others rests on.
type directWord struct {
	form   string
	unit   []float32
	hownet string
}

func newDirectSum(c *topic.Compiled, sources *compileSources) (*directSum, error) {
	from, err := sources.load()
	if err != nil {
		return nil, err
	}
	if err := checkSources(&c.Meta, &from.digests); err != nil {
		return nil, cli.Usage(err)
	}
	d := &directSum{
		lexicon: c.Lexicon, blend: c.Meta.Similarity,
		vectors: spellVectors(c.File.Language, from.vectors), hownet: spellHowNet(c.File.Language, from.hownet),
	}
	return d, d.weigh(c.File, from.weights)
}

// checkSources refuses other files than those that the topic was compiled from.
func checkSources(meta *topic.Meta, given *compile.Digests) error {
	var problems []error
	for _, source := range []struct{ flag, compiled, given string }{
		{"vectors", meta.Vectors, given.Vectors},
		{"hownet", meta.HowNet, given.HowNet},
		{"weights", meta.Weights, given.Weights},
	} {
		switch {
		case source.compiled == source.given:
		case source.given == "":
			problems = append(problems, fmt.Errorf("--%s is missing: the topic was compiled with it", source.flag))
		case source.compiled == "":
			problems = append(problems, fmt.Errorf("--%s: the topic was compiled without it", source.flag))
		default:
			problems = append(problems, fmt.Errorf("--%s: the topic was compiled with another (digest %.12s, this one has %.12s)", source.flag, source.compiled, source.given))
		}
	}
	return errors.Join(problems...)
}

// weigh settles the weights (A6): a word that the file adjusts has that weight,
// a topic word the one that its author gave, any other that of the corpus or the
// mean. Of several topic words with one form the heaviest counts.
func (d *directSum) weigh(file *topic.File, corpus *compile.Weights) error {
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
		d.topic = append(d.topic, directTerm{d.word(form), weight})
	}
	return nil
}

// rel is equation 3 for distinct words.
func (d *directSum) rel(words []string) float64 {
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
func (d *directSum) value(word string) float64 {
	if known, ok := d.known.Load(word); ok {
		value, _ := known.(float64)
		return value
	}
	var sum float64
	if _, ok := d.lexicon.Row(word); ok {
		w := d.word(word)
		for i := range d.topic {
			sim := d.sim(&w, &d.topic[i].directWord)
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

func (d *directSum) word(form string) directWord {
	return directWord{form, d.vectors.unit(form), d.hownet.spell(form)}
}

// sim is algorithm 1 (METHOD A5), step by step.
func (d *directSum) sim(a, b *directWord) float64 {
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

// dot is the cosine of two vectors of unit length; 0 where one is missing.
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
