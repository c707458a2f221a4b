package filecorpus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"sluice/shared/corpus"
)

// ErrBusy says that another process holds the folder.
var ErrBusy = errors.New("another process is writing to it")

// Open opens the corpus in dir, which is made if it is not there, and mends
// what a killed process left: a torn record at the end of the last file of a
// kind is cut off, and so is a last document whose exchange is not there.
// Anything else that is not as this package wrote it is an error that says
// where; Open then changes nothing in that file.
//
// The folder is locked until Close or the end of the process.
func Open(dir string, opts Options) (*Corpus, error) {
	opts = opts.withDefaults()
	for _, k := range []kind{warcKind, docKind, rejectKind} {
		if err := os.MkdirAll(filepath.Join(dir, k.dir), 0o755); err != nil {
			return nil, fmt.Errorf("make output folder: %w", err)
		}
	}
	lock, err := Lock(dir)
	if err != nil {
		return nil, err
	}
	c := &Corpus{lock: lock}
	if err := c.recover(dir, opts); err != nil {
		return nil, errors.Join(fmt.Errorf("open corpus in %s: %w", dir, err), c.Close())
	}
	return c, nil
}

// Lock takes the lock of a folder that exists, until Close or the end of the
// process, or returns ErrBusy.
func Lock(dir string) (io.Closer, error) {
	f, err := os.OpenFile(filepath.Join(dir, ".corpus.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock output folder: %w", err)
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(fmt.Errorf("lock output folder %s: %w", dir, err), f.Close())
	}
	return f, nil
}

// recover brings files and index to the state after the last whole record.
func (c *Corpus) recover(dir string, opts Options) error {
	rejects, err := scanLast(dir, rejectKind)
	if err != nil {
		return err
	}
	docs, err := scanLast(dir, docKind)
	if err != nil {
		return err
	}
	warc, err := scanWARC(dir, docs.lines())
	if err != nil {
		return err
	}
	if err := docs.dropDangling(warc); err != nil {
		return err
	}

	for _, l := range rejects.lines() {
		c.rejectKeys.add(l.file, l.key, struct{}{})
	}
	for _, l := range docs.lines() {
		c.docPlaces.add(l.file, l.key, l.place)
	}
	c.rejects = appender{dir: dir, kind: rejectKind, limit: opts.RejectSize}
	c.docs = appender{dir: dir, kind: docKind, limit: opts.CorpusSize}
	c.warc = appender{dir: dir, kind: warcKind, limit: opts.WARCSize, header: warcInfo(opts.Info)}
	return errors.Join(
		c.rejects.resume(rejects.n, rejects.end),
		c.docs.resume(docs.n, docs.end),
		c.warc.resume(warc.n, warc.end),
	)
}

func warcInfo(fields []corpus.Field) func(n int) []byte {
	return func(n int) []byte {
		info := corpus.Info{
			Filename: filepath.Base(warcKind.path(n)),
			Date:     time.Now(),
			Fields:   fields,
		}
		return corpus.AppendInfo(nil, &info, new(corpus.Encoder))
	}
}

// resume goes on in file n, of which what stands before end is whole.
func (a *appender) resume(n int, end int64) error {
	if n == 0 {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(a.dir, filepath.FromSlash(a.kind.path(n))), os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("reopen %s: %w", a.kind.path(n), err)
	}
	a.file, a.n, a.size = f, n, end
	if err := f.Truncate(end); err != nil {
		return fmt.Errorf("cut torn record off %s: %w", a.kind.path(n), err)
	}
	return nil
}
