package topiccmd

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic/textfile"
)

// skips reports the documents that could not be read and were left out.
type skips struct {
	w    io.Writer
	told int
	all  int
}

// mostSkips is how many are reported one by one: a file in which every line is
// broken would fill the screen.
const mostSkips = 20

func (s *skips) add(err error) {
	s.all++
	if s.told < mostSkips {
		s.told++
		fmt.Fprintln(s.w, "left out:", cli.Clean(err.Error()))
	}
}

// end sums up those that were not reported.
func (s *skips) end() {
	if more := s.all - s.told; more > 0 {
		fmt.Fprintf(s.w, "left out: %d more\n", more)
	}
}

// readable are the documents that can be read; damage gets the errors of the others.
// An error is that of ctx.
func readable(ctx context.Context, source *textfile.Source, damage func(error)) iter.Seq2[textfile.Document, error] {
	return func(yield func(textfile.Document, error) bool) {
		for doc, err := range source.Documents(ctx) {
			switch {
			case ctx.Err() != nil:
				yield(textfile.Document{}, ctx.Err())
				return
			case err != nil:
				damage(err)
			case !yield(doc, nil):
				return
			}
		}
	}
}

// whole are the documents as words are counted in them: title and text.
func whole(docs iter.Seq2[textfile.Document, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for doc, err := range docs {
			if !yield(bodyOf(&doc), err) {
				return
			}
		}
	}
}

// bodyOf is the part of a document whose relevance decides about the corpus.
func bodyOf(doc *textfile.Document) string { return doc.Title + "\n" + doc.Text }

// inOrder applies f to all values on all cores and yields the results in the
// order of the values. At most a few for each core are under way at a time. An
// error ends the sequence.
func inOrder[T, R any](values iter.Seq2[T, error], f func(T) R) iter.Seq2[R, error] {
	type result struct {
		value R
		err   error
	}
	return func(yield func(R, error) bool) {
		queue := make(chan chan result, 4*runtime.GOMAXPROCS(0))
		stop := make(chan struct{})
		free := make(chan struct{}, runtime.GOMAXPROCS(0))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer close(queue)
			for value, err := range values {
				one := make(chan result, 1)
				select {
				case queue <- one:
				case <-stop:
					return
				}
				if err != nil {
					one <- result{err: err}
					return
				}
				free <- struct{}{}
				go func() {
					one <- result{value: f(value)}
					<-free
				}()
			}
		}()
		// The reader of values ends before the caller continues: a source makes
		// one pass at a time.
		defer func() { <-ended }()
		defer close(stop)
		for one := range queue {
			r := <-one
			if !yield(r.value, r.err) || r.err != nil {
				return
			}
		}
	}
}

// moreFiles adds the arguments behind flags to the one list of files that was
// given: a pattern of the shell leaves them there.
func moreFiles(args []string, lists ...*[]string) error {
	if len(args) == 0 {
		return nil
	}
	var given []*[]string
	for _, list := range lists {
		if len(*list) > 0 {
			given = append(given, list)
		}
	}
	if len(given) != 1 {
		return cli.Usage(fmt.Errorf("unexpected argument %q: give each file a flag of its own", args[0]))
	}
	*given[0] = append(*given[0], args...)
	return nil
}

// openTexts opens files of text. A folder means the texts in it: a crawl's
// for its documents.
func openTexts(s cli.Streams, paths, fields []string) (*textfile.Source, error) {
	return textfile.Open(paths, textfile.Options{Fields: fields, Stdin: s.In})
}
