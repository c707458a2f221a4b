package export

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"
)

// held keeps the file open that was read last.
type held struct {
	path string
	f    *os.File
}

func (h *held) open(path string) error {
	if h.path == path && h.f != nil {
		return nil
	}
	h.close()
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	h.path, h.f = path, f
	return nil
}

func (h *held) close() {
	if h.f != nil {
		_ = h.f.Close() // it was only read
	}
	h.path, h.f = "", nil
}

// lineReader reads records by their rows.
type lineReader struct {
	e *exporter
	held
	buf []byte
}

// read returns the line of a row; it is valid until the next call.
func (l *lineReader) read(r *row) ([]byte, error) {
	folder := l.e.plan.Folders[r.Folder]
	name := filepath.Join(l.e.folders[r.Folder].Dir, filepath.FromSlash(folder.Corpus[r.File].Name))
	if err := l.open(name); err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	if cap(l.buf) < int(r.Length) {
		l.buf = make([]byte, r.Length)
	}
	l.buf = l.buf[:r.Length]
	if _, err := l.f.ReadAt(l.buf, int64(r.Offset)); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	if xxh3.Hash(l.buf) != r.Sum {
		return nil, fmt.Errorf("%s was changed at byte %d while it was exported: remove %s to begin again", name, r.Offset, l.e.out)
	}
	return l.buf, nil
}
