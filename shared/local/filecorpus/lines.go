package filecorpus

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Place is the place of a document in the files of documents, valid until the
// next Revise.
type Place struct {
	file   int32
	size   int32 // with its line feed
	offset int64
}

// Documents passes every document to visit, in the order of Revise, with the
// place by which Document reads it again. Lines include their line feed; visit
// must not keep them, nor call the corpus. Puts wait.
func (c *Corpus) Documents(ctx context.Context, visit func(at Place, line []byte) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := 1; n <= c.docs.n; n++ {
		if err := c.docs.visit(ctx, n, visit); err != nil {
			return fmt.Errorf("read %s: %w", c.docs.kind.path(n), err)
		}
	}
	return nil
}

// visit reads file n.
func (a *appender) visit(ctx context.Context, n int, visit func(Place, []byte) error) error {
	f, err := os.Open(filepath.Join(a.dir, filepath.FromSlash(a.kind.path(n))))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil // moved away
	case err != nil:
		return err
	}
	defer func() { _ = f.Close() }() // only read
	at := Place{file: int32(n)}
	return eachLine(ctx, f, func(line []byte) error {
		at.size = int32(len(line))
		err := visit(at, line)
		at.offset += int64(len(line))
		return err
	})
}

// eachLine reads lines with their line feeds; bytes after the last one are not
// a record. visit must not keep them.
func eachLine(ctx context.Context, r io.Reader, visit func(line []byte) error) error {
	in := bufio.NewReaderSize(r, 256<<10)
	var buf []byte
	for {
		err := ctx.Err()
		if err != nil {
			return err
		}
		if buf, err = readLine(in, buf[:0]); errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(buf); err != nil {
			return err
		}
	}
}

// Document reads the document at a place again.
func (c *Corpus) Document(at Place) ([]byte, error) {
	path := c.docs.kind.path(int(at.file))
	f, err := os.Open(filepath.Join(c.docs.dir, filepath.FromSlash(path)))
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	line := make([]byte, at.size)
	if _, err := f.ReadAt(line, at.offset); err != nil {
		return nil, fmt.Errorf("read document at byte %d of %s: %w", at.offset, path, err)
	}
	return line, nil
}
