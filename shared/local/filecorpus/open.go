package filecorpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sluice/shared/state/corpus"
)

// ErrBusy says that another process holds the folder.
var ErrBusy = errors.New("another process is writing to it")

// Open opens the corpus in dir, which is made if it is not there, and mends
// what a killed process left: a torn record at the end of the last file of a
// kind is cut off, and so are the last documents and rejects from one on whose
// exchange is not there.
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

// lockName is the file whose lock is the folder's.
const lockName = ".corpus.lock"

// Lock takes the lock of a folder that exists, until Close or the end of the
// process, or returns ErrBusy.
func Lock(dir string) (io.Closer, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock output folder: %w", err)
	}
	err = lockFile(f)
	for range 5 { // Busy may hold it for a moment
		if !errors.Is(err, ErrBusy) {
			break
		}
		time.Sleep(10 * time.Millisecond)
		err = lockFile(f)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock output folder %s: %w", dir, err), f.Close())
	}
	return f, nil
}

// Busy reports whether a process holds the lock of a folder. It writes nothing.
func Busy(dir string) (bool, error) {
	f, err := os.Open(filepath.Join(dir, lockName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at lock: %w", err)
	}
	err = shareFile(f)
	busy := errors.Is(err, ErrBusy)
	if busy {
		err = nil
	}
	return busy, errors.Join(err, f.Close())
}

// recover restores files and index to the state after the last whole record.
func (c *Corpus) recover(dir string, opts Options) error {
	if err := removeParts(dir); err != nil {
		return err
	}
	rejects, err := scanLast(dir, rejectKind, opts.Start.Rejects)
	if err != nil {
		return err
	}
	docs, err := scanLast(dir, docKind, opts.Start.Documents)
	if err != nil {
		return err
	}
	warc, err := scanWARC(dir, slices.Concat(docs.lines(), rejects.lines()), opts.Start.WARC)
	if err != nil {
		return err
	}
	if err := errors.Join(docs.dropDangling(docKind, warc), rejects.dropDangling(rejectKind, warc)); err != nil {
		return err
	}

	for _, l := range rejects.lines() {
		c.rejectPlaces.add(l.file, l.key, l.place)
	}
	for _, l := range docs.lines() {
		c.docPlaces.add(l.file, l.key, l.place)
	}
	c.rejects = appender{dir: dir, kind: rejectKind, limit: opts.RejectSize}
	c.docs = appender{dir: dir, kind: docKind, limit: opts.CorpusSize}
	c.warc = appender{dir: dir, kind: warcKind, limit: opts.WARCSize, header: warcInfo}
	return errors.Join(
		c.rejects.begin(rejects.n, rejects.end, opts.Start.Rejects),
		c.docs.begin(docs.n, docs.end, opts.Start.Documents),
		c.warc.begin(warc.n, warc.end, opts.Start.WARC),
	)
}

// Turn begins another crawl in the folder: the files that are there are sealed,
// what is stored from now on goes into new ones, and no earlier record is
// remembered. Where the folder is opened again for that crawl, Options have to
// name the Start.
func (c *Corpus) Turn() (Start, error) {
	c.rejectMu.Lock()
	defer c.rejectMu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return Start{}, corpus.ErrClosed
	}
	if err := errors.Join(c.warc.seal(), c.docs.seal(), c.rejects.seal()); err != nil {
		return Start{}, err
	}
	c.docPlaces, c.rejectPlaces = window[place]{}, window[place]{}
	return Start{WARC: c.warc.n + 1, Documents: c.docs.n + 1, Rejects: c.rejects.n + 1}, nil
}

// removeParts removes what a killed Revise was about to put in the place of a
// file.
func removeParts(dir string) error {
	var errs []error
	for _, k := range []kind{docKind, rejectKind} {
		parts, err := filepath.Glob(filepath.Join(dir, k.dir, "[0-9]*"+k.ext+PartSuffix))
		errs = append(errs, err)
		for _, path := range parts {
			errs = append(errs, os.Remove(path))
		}
	}
	return errors.Join(errs...)
}

// warcInfo is how the WARC file n begins.
func warcInfo(n int) []byte {
	return corpus.AppendInfo(nil, &corpus.Info{Filename: filepath.Base(warcKind.path(n)), Date: time.Now()}, new(corpus.Encoder))
}

// begin continues in file n or, if that is an earlier crawl's, after it.
func (a *appender) begin(n int, end int64, start int) error {
	if a.n = n; n < max(start, 1) {
		return nil
	}
	return a.resume(n, end)
}

// resume continues in file n, whose records before end are whole.
func (a *appender) resume(n int, end int64) error {
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
