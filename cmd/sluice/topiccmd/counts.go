package topiccmd

import (
	"context"
	"fmt"
	"slices"

	"sluice/cmd/sluice/cli"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
	"sluice/shared/topic/textfile"
)

// textCounter counts the words of texts.
type textCounter struct {
	s         cli.Streams
	fields    []string
	segmenter compile.Cutter
	skips     *skips
}

// count counts the words of files, which make up the corpus of that name.
func (c *textCounter) count(ctx context.Context, name string, paths []string) (*compile.Counts, error) {
	source, err := openTexts(c.s, paths, c.fields)
	if err != nil {
		return nil, err
	}
	counts, err := compile.Count(ctx, whole(readable(ctx, source, c.skips.add)), c.segmenter)
	if err != nil {
		return nil, fmt.Errorf("count words of the %s: %w", name, err)
	}
	if counts.Documents == 0 {
		return nil, fmt.Errorf("the %s has no words: there is no text in %v", name, paths)
	}
	return counts, nil
}

// topicalWords is how many distinct topic words make a text one on the topic,
// where nothing else tells: one word may mean something else.
const topicalWords = 2

// split counts the words of general text: of texts on the topic, by their
// words, and of the others.
func (c *textCounter) split(ctx context.Context, paths []string, file *topic.File) (domain, background *compile.Counts, err error) {
	source, err := openTexts(c.s, paths, c.fields)
	if err != nil {
		return nil, nil, err
	}
	topical := formsOf(file)
	domain, background = &compile.Counts{}, &compile.Counts{}
	for words, err := range inOrder(readable(ctx, source, c.skips.add), c.cut) {
		if err != nil {
			return nil, nil, fmt.Errorf("count words: %w", err)
		}
		found := make(map[string]bool)
		for _, word := range words {
			if topical[word.Text] {
				found[word.Text] = true
			}
		}
		if len(found) >= topicalWords {
			domain.Add(slices.Values(words))
		} else {
			background.Add(slices.Values(words))
		}
	}
	if domain.Documents == 0 || background.Documents == 0 {
		return nil, nil, fmt.Errorf("%d texts have %d topic words or more, %d have not: both kinds are needed; name other text, or the domain's by --corpus",
			domain.Documents, topicalWords, background.Documents)
	}
	return domain, background, nil
}

func (c *textCounter) cut(doc textfile.Document) []segment.Token {
	return slices.Collect(c.segmenter.Tokens(bodyOf(&doc)))
}
