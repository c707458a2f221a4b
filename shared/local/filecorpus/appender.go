package filecorpus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sluice/shared/state/corpus"
)

// A kind is one of the three sequences of numbered files.
type kind struct{ dir, ext string }

var (
	warcKind   = kind{dir: corpus.ArchiveFolder, ext: ".warc.gz"}
	docKind    = kind{dir: corpus.DocumentFolder, ext: ".jsonl"}
	rejectKind = kind{dir: corpus.RejectFolder, ext: ".jsonl"}
)

// path returns the path of file n below the corpus folder, with slashes.
func (k kind) path(n int) string { return fmt.Sprintf("%s/%05d%s", k.dir, n, k.ext) }

// number is the inverse of path; 0 where path is not of this kind.
func (k kind) number(path string) int {
	digits, ok := strings.CutPrefix(path, k.dir+"/")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSuffix(digits, k.ext))
	if err != nil || n < 1 || k.path(n) != path {
		return 0
	}
	return n
}

// last returns the highest number of a file in dir, 0 without files. Files with
// other names are ignored.
func (k kind) last(dir string) (int, error) {
	entries, err := os.ReadDir(filepath.Join(dir, k.dir))
	if err != nil {
		return 0, fmt.Errorf("list %s files: %w", k.dir, err)
	}
	n := 0
	for _, e := range entries {
		n = max(n, k.number(k.dir+"/"+e.Name()))
	}
	return n, nil
}

// file is what an appender needs of an *os.File.
type file interface {
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
}

// appender writes whole records to the files of one kind.
type appender struct {
	dir    string
	kind   kind
	limit  int64              // a file grows beyond it by its only record at most
	header func(n int) []byte // what file n begins with; nil for nothing

	file   file // nil before the first record
	n      int  // of file
	size   int64
	broken error // the file may end with a torn record
}

// append writes rec by a single write and returns its file and offset. After an
// error nothing of it is in the file.
func (a *appender) append(rec []byte) (n int, offset int64, err error) {
	if a.broken != nil {
		return 0, 0, a.broken
	}
	if a.file == nil || a.size > 0 && a.size+int64(len(rec)) > a.limit {
		if err := a.next(); err != nil {
			return 0, 0, err
		}
	}
	if a.size == 0 && a.header != nil {
		if err := a.write(a.header(a.n)); err != nil {
			return 0, 0, err
		}
	}
	offset = a.size
	if err := a.write(rec); err != nil {
		return 0, 0, err
	}
	return a.n, offset, nil
}

func (a *appender) write(rec []byte) error {
	if _, err := a.file.WriteAt(rec, a.size); err != nil {
		if undo := a.file.Truncate(a.size); undo != nil {
			a.broken = fmt.Errorf("%s may end with a torn record, to be mended by the next start: %w",
				a.kind.path(a.n), errors.Join(err, undo))
			return a.broken
		}
		return fmt.Errorf("append to %s: %w", a.kind.path(a.n), err)
	}
	a.size += int64(len(rec))
	return nil
}

// next seals the current file and begins another.
func (a *appender) next() error {
	path := filepath.Join(a.dir, filepath.FromSlash(a.kind.path(a.n+1)))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("begin %s: %w", a.kind.path(a.n+1), err)
	}
	sealed := a.file
	a.file, a.size, a.n = f, 0, a.n+1
	if sealed == nil {
		return nil
	}
	if err := errors.Join(sealed.Sync(), sealed.Close()); err != nil {
		return fmt.Errorf("seal %s: %w", a.kind.path(a.n-1), err)
	}
	return nil
}

// seal ends the current file; the next record begins another.
func (a *appender) seal() error {
	if err := a.close(); err != nil {
		return err
	}
	a.file, a.size = nil, 0
	return a.broken
}

func (a *appender) close() error {
	if a.file == nil {
		return nil
	}
	if err := errors.Join(a.file.Sync(), a.file.Close()); err != nil {
		return fmt.Errorf("close %s: %w", a.kind.path(a.n), err)
	}
	return nil
}
