package compile

import (
	"context"
	"fmt"
	"iter"

	"sluice/shared/topic/textfile"
)

// Background reads texts to compare a topic with from files of text, as
// textfile.Open does. From a crawl's folder it reads only the rejected pages
// that were recorded with their main text: the documents may be on this topic.
//
// It skips damaged texts and reports why to skipped. The sequence's only error
// is that of ctx.
func Background(ctx context.Context, paths []string, o textfile.Options, skipped func(error)) (iter.Seq2[textfile.Document, error], error) {
	var parts []iter.Seq2[textfile.Document, error]
	for _, path := range paths {
		source, err := textfile.Open([]string{path}, o)
		switch {
		case err != nil:
			return nil, fmt.Errorf("read background: %w", err)
		case ofCrawl(path):
			parts = append(parts, passedOver(ctx, path))
		default:
			parts = append(parts, source.Documents(ctx))
		}
	}
	return func(yield func(textfile.Document, error) bool) {
		for _, part := range parts {
			for doc, err := range part {
				switch {
				case ctx.Err() != nil:
					yield(textfile.Document{}, ctx.Err())
					return
				case err != nil:
					skipped(err)
				case !yield(doc, nil):
					return
				}
			}
		}
	}, nil
}

// passedOver are the pages off topic of a crawl's folder that have a main text.
func passedOver(ctx context.Context, path string) iter.Seq2[textfile.Document, error] {
	return func(yield func(textfile.Document, error) bool) {
		for t, err := range offTopic(ctx, path) {
			if (err != nil || t.text != "") && !yield(textfile.Document{Title: t.title, Description: t.description, Text: t.text}, err) {
				return
			}
		}
	}
}
