package topiccmd

import (
	"context"
	"errors"
	"iter"
	"strings"

	"sluice/shared/text/segment"
	"sluice/shared/topic/textfile"
)

// trainCorpus is text to train vectors on.
type trainCorpus struct {
	source    *textfile.Source
	segmenter *segment.Segmenter
	language  string
	damage    *skips

	passes    int // begun so far
	documents int // of the first pass

	onRead func(pass int, read, total int64) // called with the progress of a pass, in bytes
}

var (
	errNoText  = errors.New("the files hold no text")
	errChanged = errors.New("the texts give other documents when they are read again: name files that do not change")
)

// Sentences implements wordvec.Corpus: the paragraphs of the documents, cut on
// all cores, in their order.
func (c *trainCorpus) Sentences(ctx context.Context) iter.Seq2[[]string, error] {
	c.passes++
	pass, first := c.passes, c.passes == 1
	damage := func(error) {} // told once
	if first {
		damage = c.damage.add
	}
	return func(yield func([]string, error) bool) {
		documents := 0
		for sentences, err := range inOrder(readable(ctx, c.source, damage), c.cut) {
			if err != nil {
				yield(nil, err)
				return
			}
			documents++
			read, total := c.source.Progress()
			c.onRead(pass, read, total)
			for _, sentence := range sentences {
				if !yield(sentence, nil) {
					return
				}
			}
		}
		switch {
		case first && documents == 0:
			yield(nil, errNoText)
		case first:
			c.documents = documents
		case documents != c.documents:
			yield(nil, errChanged)
		}
	}
}

// cut cuts a document into paragraphs, and those into words.
func (c *trainCorpus) cut(doc textfile.Document) [][]string {
	var sentences [][]string
	for paragraph := range strings.SplitSeq(bodyOf(&doc), "\n") {
		var words []string
		for token := range c.segmenter.Tokens(paragraph) {
			words = append(words, token.Text)
		}
		if len(words) > 0 {
			sentences = append(sentences, words)
		}
	}
	return sentences
}
