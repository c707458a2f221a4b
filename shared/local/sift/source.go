package sift

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"

	"sluice/shared/state/corpus"
)

// unreadableError says that an input cannot be read.
type unreadableError struct{ error }

func (e *unreadableError) Unwrap() error { return e.error }

func unreadable(format string, args ...any) error {
	return &unreadableError{fmt.Errorf(format, args...)}
}

// source is an input while it is read.
type source struct {
	input
	kind    Kind
	size    int64
	file    *os.File
	raw     *counted
	text    io.Reader // unpacked, except for the gzip members of a WARC file
	packed  bool      // places in text are not places in the file
	seen    Counts    // records and those skipped
	closers []func()
}

// openSource opens an input and finds out what it is; all is added to total
// that is read of it. The error is an unreadableError.
func openSource(ctx context.Context, in input, total *atomic.Int64) (*source, error) {
	info, err := os.Stat(in.path)
	switch {
	case err != nil:
		return nil, unreadable("read archive: %w", err)
	case info.IsDir():
		return nil, unreadable("read %s: it is a folder: name its files", in.path)
	case !info.Mode().IsRegular():
		return nil, unreadable("read %s: it is not a regular file, and might be needed twice: save it to one", in.path)
	}
	file, err := os.Open(in.path)
	if err != nil {
		return nil, unreadable("read archive: %w", err)
	}
	src := &source{input: in, size: info.Size(), file: file}
	src.seen = newCounts()
	src.raw = &counted{ctx: ctx, r: file, total: total}
	if err := src.open(); err != nil {
		src.close()
		return nil, err
	}
	return src, nil
}

// open decides the kind and takes off the compression.
func (src *source) open() error {
	b := bufio.NewReaderSize(src.raw, headSize)
	packed, err := b.Peek(headSize)
	if len(packed) == 0 {
		if errors.Is(err, io.EOF) {
			return unreadable("read %s: it is empty", src.path)
		}
		return unreadable("read %s: %w", src.path, err)
	}
	if src.kind, err = kindOf(unpackHead(packed), src.name); err != nil {
		return unreadable("read %s: %w", src.path, err)
	}
	src.text = b
	switch {
	case isZstd(packed):
		z, err := newZstd(b)
		if err != nil {
			return unreadable("read %s: %w", src.path, err)
		}
		src.closers = append(src.closers, z.Close)
		src.text, src.packed = z, true
	case bytes.HasPrefix(packed, []byte(gzipMagic)) && src.kind == JSONL:
		z, err := gzip.NewReader(b)
		if err != nil {
			return unreadable("read %s: %w", src.path, err)
		}
		src.text, src.packed = z, true
	}
	return nil
}

func (src *source) close() {
	for _, c := range src.closers {
		c()
	}
	_ = src.file.Close() // only read
}

// tasks returns what there is to read, in order. An error is the last value.
func (src *source) tasks() iter.Seq2[*task, error] {
	if src.kind == JSONL {
		return src.lines
	}
	return src.records
}

// broken says that the rest of the input cannot be read: a reject at place, or
// where nothing was read before, or reading as such fails, an error.
func (src *source) broken(place string, err error) (*task, error) {
	if src.raw.failed || src.seen.Records == 0 {
		return nil, unreadable("read %s: %w", src.path, err)
	}
	return refused(&corpus.Reject{URL: place, Rule: RuleDamaged, Detail: "the rest is lost: " + err.Error()}), nil
}

// counted counts what it reads, and ends with its context.
type counted struct {
	ctx   context.Context // of the run: a source lives no longer
	r     io.Reader
	n     int64
	total *atomic.Int64

	failed bool // by another error than the end
}

func (c *counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		c.failed = true
		return 0, err
	}
	n, err := c.r.Read(p)
	c.failed = err != nil && !errors.Is(err, io.EOF)
	c.n += int64(n)
	c.total.Add(int64(n))
	return n, err
}
