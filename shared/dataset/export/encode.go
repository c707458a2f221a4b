package export

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"sluice/shared/state/corpus"
)

// encoder writes the records of a shard. Its output depends on nothing but
// them, and so does how much of it has been written after each.
type encoder interface {
	// add takes a record: its line, and what that says. Neither is kept.
	add(line []byte, d *corpus.Document) error
	// close writes what is left.
	close() error
}

// ending is how the files of a format are called.
func (f Format) ending() string {
	switch f {
	case JSONL:
		return ".jsonl.zst"
	case Text:
		return ".txt.zst"
	}
	return ".parquet"
}

// newEncoder returns what writes the format to w.
func newEncoder(w io.Writer, opts *Options) (encoder, error) {
	switch opts.Format {
	case JSONL:
		z, err := newZstd(w)
		return &lineEncoder{z}, err
	case Text:
		z, err := newZstd(w)
		return &textEncoder{z: z}, err
	}
	return newParquetEncoder(w, opts)
}

// newZstd compresses in one frame, since some readers take but the first of a
// file, and in this goroutine, so that output comes when it is due.
func newZstd(w io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
}

// lineEncoder writes JSON lines.
type lineEncoder struct{ z *zstd.Encoder }

func (e *lineEncoder) add(line []byte, _ *corpus.Document) error {
	_, err := e.z.Write(line)
	return err
}

func (e *lineEncoder) close() error { return closeZstd(e.z) }

// closeZstd ends a frame. Without records there would be none, and an empty
// file is not a Zstandard file.
func closeZstd(z *zstd.Encoder) error {
	if err := z.Flush(); err != nil {
		return err
	}
	return z.Close()
}

// textEncoder writes texts alone: a line a paragraph, an empty line between two
// texts, and so none in a text.
type textEncoder struct {
	z     *zstd.Encoder
	begun bool
	buf   bytes.Buffer
}

func (e *textEncoder) add(_ []byte, d *corpus.Document) error {
	e.buf.Reset()
	if e.begun {
		e.buf.WriteByte('\n')
	}
	e.begun = true
	e.buf.WriteString(plainText(d.Text))
	_, err := e.z.Write(e.buf.Bytes())
	return err
}

func (e *textEncoder) close() error { return closeZstd(e.z) }

// plainText is a text as the text format has it: its lines that are not empty,
// each with its end.
func plainText(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			b.WriteString(l)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// characters is how much text a record has in a format.
func (f Format) characters(d *corpus.Document) int64 {
	if f == Text {
		return count(plainText(d.Text))
	}
	return count(d.Text)
}

func count(text string) int64 {
	n := int64(0)
	for range text {
		n++
	}
	return n
}

// countingWriter knows how much went through it.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err == nil && n < len(p) {
		err = fmt.Errorf("write: %w", io.ErrShortWrite)
	}
	return n, err
}
