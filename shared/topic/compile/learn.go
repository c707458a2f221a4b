package compile

import (
	"context"
	"fmt"

	"sluice/shared/topic"
	"sluice/shared/topic/textfile"
)

// learnedWeight reduces the weights of learned words: without it a text that has
// many of them, and no word of the author, is on the topic.
const learnedWeight = 0.5

// Learn returns a topic with the words that a crawl shows to be missing, their
// weights, and thresholds calibrated by its pages (METHOD B4): what Refine and
// Compile make of the crawl's folder. Source is the topic file, with the words of
// the author, which stay; crawled is the topic that the crawl runs with, whose
// strategy and limits stay. Texts that cannot be read do not count.
//
// It is an error if the folder has too few pages on the topic or off it (see
// Refine).
func Learn(ctx context.Context, source []byte, crawled *topic.Compiled, dir string) (*topic.Compiled, *Refinement, error) {
	name := crawled.File.Name
	file, err := topic.Parse(name, source)
	if err != nil {
		return nil, nil, fmt.Errorf("learn topic: %w", err)
	}
	prose, err := NewProse(file.Language, crawled.UserWords)
	if err != nil {
		return nil, nil, fmt.Errorf("learn topic: %w", err)
	}
	read := func(ctx context.Context, words func(string) []string) (*Samples, error) {
		return ReadSamples(ctx, []string{dir}, textfile.Options{}, words, func(error) {})
	}
	samples, err := read(ctx, prose.Words)
	if err != nil {
		return nil, nil, fmt.Errorf("learn topic: %w", err)
	}
	refined, err := Refine(crawled.Lexicon, file, samples, RefineOptions{Prose: prose})
	if err != nil {
		return nil, nil, err
	}
	for i := range refined.Added {
		refined.Added[i].Weight = rounded(refined.Added[i].Weight * learnedWeight)
	}
	changed, err := refined.Apply(name, source)
	if err != nil {
		return nil, nil, err
	}
	if file, err = topic.Parse(name, changed); err != nil {
		return nil, nil, fmt.Errorf("learn topic: %w", err)
	}
	learned, _, err := Compile(ctx, Inputs{File: file, Similarity: DefaultSimilarity(), Weights: refined.Weights, Samples: read})
	if err != nil {
		return nil, nil, err
	}
	whole := *crawled.File
	whole.Words, whole.MeanWeight = learned.File.Words, learned.File.MeanWeight
	whole.Thresholds = learned.File.Thresholds
	// Links that wait were judged by the words before: those judged from now on must
	// be on the same scale.
	scale := crawled.File.Thresholds.Priority / learned.File.Thresholds.Priority
	whole.Thresholds.Priority = crawled.File.Thresholds.Priority
	whole.Weights.Alpha, whole.Weights.Beta = min(1, scale*whole.Weights.Alpha), min(1, scale*whole.Weights.Beta)
	learned.File = &whole
	return learned, refined, nil
}
