package filecorpus

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// Revise passes every document through revise, in file order, and replaces the
// files in which one changed. Lines include their line feed. The result of
// revise replaces the line; nil removes it. revise must not keep its argument, and
// of the corpus may call only Reject, without an exchange.
//
// A file is replaced as a whole, once all of its lines are revised: after an
// error or a kill some files are replaced and others not. Puts wait.
func (c *Corpus) Revise(ctx context.Context, revise func(line []byte) ([]byte, error)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return corpus.ErrClosed
	}
	return c.docs.reviseFrom(ctx, 1, func(line []byte) ([]byte, error) {
		revised, err := revise(line)
		if err == nil && revised == nil {
			err = c.removed(line)
		}
		return revised, err
	})
}

// removed notes that a document is no longer in the corpus: Put leaves it out,
// Add brings it back.
func (c *Corpus) removed(document []byte) error {
	l, err := parseLine(document, docKind)
	if err == nil {
		c.docPlaces.change(l.key, func(p *place) { p.removed = true })
	}
	return err
}

// ReviseRejects is Revise for the rejects from file start on; revise may call Add. A
// reject that was removed may be recorded again.
func (c *Corpus) ReviseRejects(ctx context.Context, start int, revise func(line []byte) ([]byte, error)) error {
	c.rejectMu.Lock()
	defer c.rejectMu.Unlock()
	if c.rejectsClosed {
		return corpus.ErrClosed
	}
	c.rejectPlaces = window[place]{}
	return c.rejects.reviseFrom(ctx, start, revise)
}

func (a *appender) reviseFrom(ctx context.Context, start int, revise func([]byte) ([]byte, error)) error {
	for n := max(start, 1); n <= a.n; n++ {
		if err := a.revise(ctx, n, revise); err != nil {
			return fmt.Errorf("revise %s: %w", a.kind.path(n), err)
		}
	}
	return nil
}

// revise revises file n.
func (a *appender) revise(ctx context.Context, n int, revise func([]byte) ([]byte, error)) error {
	path := filepath.Join(a.dir, filepath.FromSlash(a.kind.path(n)))
	old, err := os.Open(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil // moved away
	case err != nil:
		return err
	}
	part, err := os.Create(path + PartSuffix)
	if err != nil {
		return errors.Join(err, old.Close())
	}
	size, changed, err := reviseLines(ctx, old, part, revise)
	err = errors.Join(err, old.Close())
	if err == nil && changed {
		err = part.Sync()
	}
	err = errors.Join(err, part.Close())
	if err != nil || !changed {
		return errors.Join(err, os.Remove(path+PartSuffix))
	}
	return a.replace(n, path, size)
}

// replace puts the revised file n in its place.
func (a *appender) replace(n int, path string, size int64) error {
	if n != a.n || a.file == nil {
		return os.Rename(path+PartSuffix, path)
	}
	// The last file is open, to be written on: some systems rename no open file.
	if err := a.file.Close(); err != nil {
		a.broken = err
		return err
	}
	err := os.Rename(path+PartSuffix, path)
	if err != nil {
		size = a.size // the old file is still there
	}
	if rerr := a.resume(n, size); rerr != nil {
		a.broken = rerr
		err = errors.Join(err, rerr)
	}
	return err
}

// reviseLines copies lines to w as revise would have them.
func reviseLines(ctx context.Context, r io.Reader, w io.Writer, revise func([]byte) ([]byte, error)) (size int64, changed bool, err error) {
	out := bufio.NewWriterSize(w, 256<<10)
	err = eachLine(ctx, r, func(old []byte) error {
		line, err := revise(old)
		if err != nil {
			return err
		}
		changed = changed || !bytes.Equal(line, old)
		if _, err := out.Write(line); err != nil {
			return writeFault(err)
		}
		size += int64(len(line))
		return nil
	})
	if err != nil {
		return 0, false, err
	}
	return size, changed, out.Flush()
}
