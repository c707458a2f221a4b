package compile

import (
	"context"
	"iter"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"sluice/shared/text/segment"
)

// Counts are the statistics of a corpus that its words are weighed by
// (METHOD A6): of content words, which are those that relevance counts. The
// zero value is an empty corpus.
type Counts struct {
	Documents   int            // N, texts with at least one word
	Tokens      int            // words of all texts with their repetitions, whether content or not
	In          map[string]int // N_i: texts that contain the word
	Occurrences map[string]int // f_i: occurrences in all texts
}

// meanTokens returns how many words a text has in the mean, content or not,
// without stop words.
func (c *Counts) meanTokens() float64 {
	if c.Documents == 0 {
		return 0
	}
	return float64(c.Tokens) / float64(c.Documents)
}

// Add counts one text. It ignores a text without words.
func (c *Counts) Add(words iter.Seq[segment.Token]) {
	c.add(tallyOf(words))
}

// add counts a text by its tally. Words of texts share memory with them, so
// those that are kept are copied.
func (c *Counts) add(t tally) {
	if t.tokens == 0 {
		return
	}
	if c.In == nil {
		c.In, c.Occurrences = make(map[string]int), make(map[string]int)
	}
	c.Documents++
	c.Tokens += t.tokens
	for word, n := range t.content {
		if _, known := c.In[word]; !known {
			word = strings.Clone(word)
		}
		c.In[word]++
		c.Occurrences[word] += n
	}
}

// tally counts the content words of one text.
type tally struct {
	tokens  int
	content map[string]int
}

func tallyOf(words iter.Seq[segment.Token]) tally {
	t := tally{content: make(map[string]int)}
	for word := range words {
		t.tokens++
		if word.Content {
			t.content[word.Text]++
		}
	}
	return t
}

// Cutter cuts a text into words, as segment.Segmenter and Prose do.
type Cutter interface {
	Tokens(text string) iter.Seq[segment.Token]
}

// Count counts the words of texts, which it segments on all cores; memory is
// bounded by the vocabulary and the longest texts. It stops at the first error
// of the sequence: a caller that can skip texts filters errors out.
func Count(ctx context.Context, texts iter.Seq2[string, error], segmenter Cutter) (*Counts, error) {
	cutters := runtime.GOMAXPROCS(0)
	in := make(chan string, cutters)
	out := make(chan tally, cutters)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(in)
		for text, err := range texts {
			if err != nil {
				return err
			}
			select {
			case in <- text:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range cutters {
		group.Go(func() error {
			for text := range in {
				select {
				case out <- tallyOf(segmenter.Tokens(text)):
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	var err error
	go func() {
		err = group.Wait()
		close(out)
	}()
	counts := &Counts{}
	for t := range out {
		counts.add(t)
	}
	if err != nil {
		return nil, err
	}
	return counts, nil
}
