package textfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"sluice/shared/web/page"
)

// input is one file while it is read, decompressed.
type input struct {
	ctx     context.Context // of the pass: an input lives no longer
	path    string
	opts    Options
	r       *bufio.Reader
	closers []func()
}

// newInput opens the layers of a file down to text.
func newInput(ctx context.Context, path string, raw io.Reader, opts Options) (*input, error) {
	in := &input{ctx: ctx, path: path, opts: opts}
	var err error
	if in.r, in.closers, err = unpack(raw); err != nil {
		in.close()
		return nil, in.broken(err)
	}
	// A few bytes of a bomb unpack to much: look at the context behind them.
	text := io.Reader(&interruptible{ctx: ctx, r: in.r})
	switch mark, _ := in.r.Peek(3); {
	case bytes.HasPrefix(mark, []byte("\xEF\xBB\xBF")):
		_, _ = in.r.Discard(3) // they are in the buffer
	case bytes.HasPrefix(mark, []byte("\xFF\xFE")), bytes.HasPrefix(mark, []byte("\xFE\xFF")):
		text = transform.NewReader(text, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	}
	in.r = bufio.NewReaderSize(text, bufferSize)
	return in, nil
}

func (in *input) close() {
	for _, c := range slices.Backward(in.closers) {
		c()
	}
}

// broken is the error of a file that cannot be read any further.
func (in *input) broken(err error) error {
	if in.ctx.Err() != nil {
		return in.ctx.Err()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("read %s: it breaks off (%w): the rest is lost; copy or fetch it again", in.path, err)
	}
	return fmt.Errorf("read %s: %w: the rest of the file is lost", in.path, err)
}

// documents reads the file according to its format.
func (in *input) documents() iter.Seq2[Document, error] {
	head, err := in.r.Peek(bufferSize)
	if len(head) == 0 {
		if errors.Is(err, io.EOF) {
			return func(func(Document, error) bool) {}
		}
		return one(Document{}, in.broken(err))
	}
	name := plainName(in.path)
	first := bytes.TrimLeft(head, " \t\r\n\v\f")
	switch {
	case bytes.HasPrefix(head, []byte("WARC/")):
		return in.warc()
	case foreign(head) != "":
		return one(Document{}, fmt.Errorf("read %s: it is %s", in.path, foreign(head)))
	case binary(head):
		return one(Document{}, fmt.Errorf("read %s: it is binary data, not text", in.path))
	case bytes.Contains(head, []byte("<mediawiki")) && bytes.HasPrefix(first, []byte("<")), bytes.HasPrefix(first, []byte("<page>")):
		return in.dump()
	case isHTML(head, name):
		return in.html()
	case named(name, ".xml") && bytes.HasPrefix(first, []byte("<")):
		return one(Document{}, fmt.Errorf("read %s: of XML only MediaWiki dumps are read: convert it to text or JSON lines", in.path))
	case named(name, ".json") && bytes.HasPrefix(first, []byte("[")):
		return one(Document{}, fmt.Errorf("read %s: it is one JSON array: write an object a line, with jq -c '.[]' say", in.path))
	case named(name, ".jsonl", ".ndjson", ".json-lines", ".jsonlines"), isObject(first):
		return in.jsonLines()
	}
	return in.paragraphs()
}

// one is a stream of one value.
func one(d Document, err error) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) { yield(d, err) }
}

// plainName returns the name of a file without endings of compressions, in
// lower case.
func plainName(path string) string {
	name := strings.ToLower(filepath.Base(path))
	for ext := filepath.Ext(name); slices.Contains([]string{".gz", ".zst", ".bz2"}, ext); ext = filepath.Ext(name) {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

func named(name string, endings ...string) bool {
	return slices.Contains(endings, filepath.Ext(name))
}

func isHTML(head []byte, name string) bool {
	contentType := ""
	if named(name, ".html", ".htm", ".xhtml", ".shtml") {
		contentType = "text/html"
	}
	return page.Sniff(head, contentType, "") == page.HTML
}

// isObject says whether text begins like a JSON object rather than like
// something else in braces.
func isObject(text []byte) bool {
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t\r\n")
	return len(text) > 0 && (text[0] == '"' || text[0] == '}')
}

// binary says whether more than one byte in fifty is a control character that
// no text has, or several are zero.
func binary(head []byte) bool {
	n, zero := 0, 0
	for _, b := range head {
		if b < ' ' && (b < '\t' || b > '\r') && b != 0x1b || b == 0x7f {
			n++
		}
		if b == 0 {
			zero++
		}
	}
	return n*50 > len(head) || zero > 8
}

// interruptible ends a stream with its context.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}
