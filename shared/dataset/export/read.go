package export

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"
)

// lineReader reads records by their rows.
type lineReader struct {
	e    *exporter
	name string // of the open file
	f    *os.File
	buf  []byte
}

// read returns the line of a row; it is valid until the next call.
func (l *lineReader) read(r *row) ([]byte, error) {
	folder := l.e.plan.Folders[r.Folder]
	name := filepath.Join(l.e.folders[r.Folder].Dir, filepath.FromSlash(folder.Corpus[r.File].Name))
	if l.name != name {
		l.close()
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read documents: %w", err)
		}
		l.name, l.f = name, f
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

func (l *lineReader) close() {
	if l.f != nil {
		_ = l.f.Close() // it was only read
	}
	l.name, l.f = "", nil
}
