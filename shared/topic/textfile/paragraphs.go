package textfile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
)

// paragraphs reads plain text: every line that is not blank is a document.
func (in *input) paragraphs() iter.Seq2[Document, error] {
	return in.eachLine(func(line, place string) (Document, error) {
		return Document{ID: place, Text: line}, nil
	})
}

// eachLine makes a document of every line that is not blank. Place is the
// line's file:line, for errors; a document without text is left out.
func (in *input) eachLine(parse func(line, place string) (Document, error)) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		l := lines{r: in.r}
		for {
			raw, err := l.next()
			place := in.path + ":" + strconv.Itoa(l.number)
			switch {
			case errors.Is(err, errTooLarge):
				err = fmt.Errorf("%s: skip line: %w", place, err)
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(Document{}, in.broken(err))
				return
			}
			var doc Document
			if line := strings.TrimSpace(string(raw)); line != "" && err == nil {
				if doc, err = parse(line, place); err != nil {
					err = fmt.Errorf("%s: %w", place, err)
				}
			}
			if (err != nil || doc.Text != "") && !yield(doc, err) {
				return
			}
		}
	}
}
