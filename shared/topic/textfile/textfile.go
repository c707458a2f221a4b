// Package textfile streams documents out of files of text: the input for
// vectors, weights and thresholds (METHOD A4, A6) and the pages a topic is made
// from.
//
// The bytes of a file decide its format, and its name only if they are
// ambiguous. The formats are
//
//   - plain text, a paragraph a line: a document each;
//   - JSON lines, an object each;
//   - MediaWiki XML dumps: the articles, as plain text;
//   - HTML: one document;
//   - WARC, version 0.17 and later: the HTML pages of its responses and
//     resources, the plain text of its conversions (Common Crawl's WET);
//
// each plain or compressed with gzip, Zstandard or bzip2, also several times. A
// folder means all files below it; standard input is "-".
package textfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync/atomic"
)

// MaxDocument is the largest document in bytes, as in its file after
// decompression. A larger one is skipped and reported as errTooLarge.
const MaxDocument = 16 << 20

// errTooLarge reports a document that was skipped for its size.
var errTooLarge = fmt.Errorf("larger than %d MB: split it", MaxDocument>>20)

// Document is one text of a file, in valid UTF-8.
type Document struct {
	// ID identifies the document: its URL if the file has one, else file:line,
	// file:title (dumps), file:record (WARC) or the file.
	ID          string
	Title       string // "" if there is none
	Description string // <title>, description and keywords of HTML, a line each, "" elsewhere
	Text        string // paragraphs separated by \n; never empty
}

// Options are the optional inputs of Open.
type Options struct {
	// Fields names the fields of JSON lines that hold text; they are joined in
	// this order. Without any, the text is the first of text, content, body
	// and description that is there.
	Fields []string
	// Stdin is what the path "-" reads; nil means os.Stdin.
	Stdin io.Reader
}

// Source is a list of files to read documents from, once or several times.
// One pass runs at a time; Progress may be called beside it.
type Source struct {
	files []file
	opts  Options
	total int64 // bytes of all files, -1 if unknown
	read  atomic.Int64
}

// Open checks that every path can be read and lists its files: of a crawl's
// folder the documents of its corpus, of any other folder all files below it,
// both in the order of their names. Hidden files and folders are left out,
// links to folders are not followed. The error names all paths that cannot be
// read.
func Open(paths []string, o Options) (*Source, error) {
	if len(paths) == 0 {
		return nil, errors.New("open texts: no files named")
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	s := &Source{opts: o}
	var problems []error
	for _, path := range paths {
		files, err := list(path)
		if err != nil {
			problems = append(problems, err)
		}
		s.files = append(s.files, files...)
	}
	problems = append(problems, readOnce(s.files)...)
	if len(problems) > 0 {
		return nil, fmt.Errorf("open texts: %w", errors.Join(problems...))
	}
	for _, f := range s.files {
		if f.size < 0 {
			s.total = -1
			break
		}
		s.total += f.size
	}
	return s, nil
}

// Documents reads all files from the beginning. Errors are values of the
// stream, with file and line (or page, or record): damaged parts are left out,
// and the stream continues after them if the caller does. When ctx ends, its
// error is the last value.
//
// Standard input and other streams can be read in one pass only; later passes
// get an error.
//
// Memory is bounded by a few times MaxDocument, and by 128 MB more for a
// Zstandard file with such a window. Text that is not UTF-8 is decoded from the
// guessed charset; broken characters become U+FFFD.
func (s *Source) Documents(ctx context.Context) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		s.read.Store(0)
		var before int64 // bytes of the files that are done
		for i := range s.files {
			for doc, err := range s.documentsOf(ctx, &s.files[i]) {
				if ctx.Err() != nil {
					yield(Document{}, ctx.Err())
					return
				}
				if !yield(doc, err) {
					return
				}
			}
			// Discard the rest of a broken file.
			if size := s.files[i].size; size >= 0 {
				before += size
				s.read.Store(before)
			} else {
				before = s.read.Load()
			}
		}
		if ctx.Err() != nil {
			yield(Document{}, ctx.Err())
		}
	}
}

// Progress returns how many bytes of its files the current pass has read, and
// how many there are, both as they are stored, compressed or not. Total is -1
// if the size of an input is unknown.
func (s *Source) Progress() (read, total int64) {
	read = s.read.Load()
	if s.total >= 0 {
		read = min(read, s.total) // a file may grow
	}
	return read, s.total
}

// documentsOf reads one file.
func (s *Source) documentsOf(ctx context.Context, f *file) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		raw, err := f.open(s.opts.Stdin)
		if err != nil {
			yield(Document{}, err)
			return
		}
		defer raw.Close()
		in, err := newInput(ctx, f.path, &counted{r: raw, n: &s.read}, s.opts)
		if err != nil {
			yield(Document{}, err)
			return
		}
		defer in.close()
		in.documents()(yield)
	}
}

// counted adds the bytes it reads to n.
type counted struct {
	r io.Reader
	n *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}
