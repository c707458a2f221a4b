// Package compile compiles topics: it weighs words by a corpus, computes their
// similarity by HowNet and word vectors, sums up what each means for the topic,
// and calibrates thresholds on samples (METHOD A3 to A8, A11, B1). The result
// is a topic.Compiled, which functions in the cloud load without this package.
package compile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

// Inputs are what a topic is compiled from.
type Inputs struct {
	File       *topic.File
	Similarity Similarity
	Weights    *Weights // of words; nil: all weigh File.MeanWeight

	// Samples reads the texts to calibrate thresholds on, split by words, which
	// knows the words found by the compilation. It may be nil.
	Samples func(ctx context.Context, words func(text string) []string) (*Samples, error)

	Digests Digests
}

// Digests identify the files that were read, "" for none. The artifact keeps
// them.
type Digests struct{ Vectors, HowNet, Weights string }

// Compile compiles a topic: c(d) = w_d · Σ_t w_t · Sim(d,t)² for every word d
// of HowNet, the vectors, the weights and the topic (METHOD A8), so that Rel by
// the lexicon equals the double sum over these words; other words have c = 0.
// It calibrates thresholds that the author of the file did not set. The same
// inputs give the same artifact, byte for byte, on any number of cores.
func Compile(ctx context.Context, in Inputs) (*topic.Compiled, *Report, error) {
	c := compilation{Inputs: in}
	for _, step := range []func(context.Context) error{c.prepare, c.sumUp, c.learnWords, c.calibrate, c.seal} {
		if err := step(ctx); err != nil {
			return nil, nil, fmt.Errorf("compile topic %s: %w", in.File.Name, err)
		}
	}
	return c.compiled, c.report(), nil
}

// compilation is the state passed between the steps of Compile, in their order.
type compilation struct {
	Inputs

	weights    *weighed
	vocabulary *vocabulary

	columns  *columns
	compiled *topic.Compiled

	plain *segment.Segmenter // with only the dictionary
	bytes int                // of the artifact
}

// prepare checks the inputs, and fixes words and weights.
func (c *compilation) prepare(ctx context.Context) error {
	err := errors.Join(c.File.Validate(), c.Similarity.Validate())
	if err != nil {
		return err
	}
	if c.weights, err = weigh(c.File, c.Weights); err != nil {
		return err
	}
	c.vocabulary, err = newVocabulary(ctx, c.File.Language, &c.Similarity, c.weights.words)
	return err
}

// sumUp computes the lexicon.
func (c *compilation) sumUp(ctx context.Context) error {
	w := c.weights
	c.columns = newColumns(&c.Similarity, c.vocabulary, w.topic)
	lexicon := topic.Compile(w.topic, w.words, w.mean, c.columns.of(ctx), c.vocabulary.words())
	c.compiled = &topic.Compiled{
		File:      outcome(c.File, w),
		Lexicon:   lexicon.WithAnchors(anchors(c.File)),
		UserWords: texts(c.File),
		Meta: topic.Meta{
			Language:   c.File.Language,
			Segmenter:  segment.FingerprintOf(c.File.Language),
			Similarity: topic.Blend{Th1: c.Similarity.Th1, Th2: c.Similarity.Th2, Alpha: c.Similarity.Alpha, Beta: c.Similarity.Beta},
			Vectors:    c.Digests.Vectors,
			HowNet:     c.Digests.HowNet,
			Weights:    c.Digests.Weights,
			MeanWeight: w.mean,
		},
	}
	return ctx.Err() // after cancellation the columns are incomplete
}

// learnWords adds words that the segmenter does not know.
func (c *compilation) learnWords(context.Context) (err error) {
	if c.plain, err = segment.NewFor(c.File.Language, nil); err != nil {
		return fmt.Errorf("make segmenter: %w", err)
	}
	c.compiled.UserWords = append(c.compiled.UserWords, newWords(c.compiled, c.plain)...)
	return nil
}

// calibrate sets the thresholds, by samples that the segmenter cuts which the
// topic will run with.
func (c *compilation) calibrate(ctx context.Context) (err error) {
	var samples *Samples
	if c.Samples != nil {
		segmenter, err := segment.NewFor(c.File.Language, c.compiled.UserWords)
		if err != nil {
			return fmt.Errorf("make segmenter: %w", err)
		}
		if samples, err = c.Samples(ctx, segmenter.Words); err != nil {
			return err
		}
	}
	c.compiled.File, c.compiled.Meta.Calibration, err = calibrate(c.compiled.Lexicon, c.compiled.File, samples)
	return err
}

// seal gives the topic the ID of its artifact.
func (c *compilation) seal(context.Context) error {
	data, err := topic.Encode(c.compiled)
	if err != nil {
		return err
	}
	c.bytes = len(data)
	c.compiled.ID = hex.EncodeToString(data[len(data)-sha256.Size:])
	return nil
}

// texts returns the topic words, the related ones among them, as the file has
// them, folded.
func texts(file *topic.File) []string {
	words := make([]string, 0, len(file.Words))
	for _, word := range file.Words {
		words = append(words, word.Text)
	}
	return words
}

// anchors returns the topic words that select anchors: only the author's, as in
// an artifact that is read again.
func anchors(file *topic.File) []string {
	var words []string
	for _, word := range file.Words {
		if !word.Related {
			words = append(words, word.Text)
		}
	}
	return words
}

// outcome returns a copy of the file with the weights that the topic was
// compiled with. A topic word that weighs 0 in the corpus keeps its weight in
// the file, which cannot hold 0; the lexicon has the 0.
func outcome(file *topic.File, w *weighed) *topic.File {
	result := *file
	result.Implied = false // an artifact names its strategy
	result.MeanWeight = w.mean
	result.Words = slices.Clone(file.Words)
	for i := range result.Words {
		if weight := w.of(result.Words[i].Text); weight > 0 {
			result.Words[i].Weight = weight
		}
	}
	result.Adjust = maps.Clone(file.Adjust)
	return &result
}
