// Package filecorpus keeps a corpus in a folder:
//
//	warc/00001.warc.gz     what went over the wire, one gzip member a record
//	corpus/00001.jsonl     documents, one a line
//	rejects/00001.jsonl    refused pages, one a line
//
// A record reaches the operating system by one write before Put or Reject
// returns, a document after the exchange it points to. So a process that is
// killed leaves at most a torn record at the end of the last file of a kind,
// and Open cuts that off. A file that was followed by another is sealed: nothing
// is written to it again. Revise replaces files of documents as a whole.
package filecorpus

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"

	"sluice/shared/fault"
	"sluice/shared/state/corpus"
)

// Options of a corpus; the zero value is what a crawl wants.
type Options struct {
	// A file is followed by the next before it grows beyond this many bytes;
	// a single record may. The index in memory covers the last two files of a
	// kind, and Open reads as much.
	WARCSize   int64 // default 256 MiB
	CorpusSize int64 // default 128 MiB
	RejectSize int64 // default 64 MiB

	// Start is where the crawl's own files begin.
	Start Start
}

func (o Options) withDefaults() Options {
	for size, preset := range map[*int64]int64{
		&o.WARCSize:   256 << 20,
		&o.CorpusSize: 128 << 20,
		&o.RejectSize: 64 << 20,
	} {
		if *size <= 0 {
			*size = preset
		}
	}
	return o
}

// Start has the numbers of the first files of a crawl in a folder that has
// earlier crawls, too. The files of those are left unchanged, and their keys
// are ignored: a page that a refresh fetches is not a redelivery. The zero
// value is for the first crawl.
type Start struct {
	WARC      int `json:"warc"`
	Documents int `json:"documents"`
	Rejects   int `json:"rejects"`
}

// Corpus is a corpus.Store on a folder. It remembers the keys of the current
// and the previous file of documents and of rejects.
type Corpus struct {
	lock io.Closer
	jobs sync.Pool // of *job

	mu        sync.Mutex // of an exchange and its document: they go together
	warc      appender
	docs      appender
	docPlaces window[place]
	closed    bool

	rejectMu      sync.Mutex // to be locked before mu
	rejects       appender
	rejectPlaces  window[place] // those of responses; empty where the archive has none
	rejectsClosed bool
}

var _ corpus.Store = (*Corpus)(nil)

// job holds the buffers of one Put or Reject.
type job struct {
	enc      corpus.Encoder
	warc     []byte
	response corpus.Span // in warc
	line     []byte
	located  []byte // line with its location
}

// key is a record's key in the index. It is cut from a cryptographic hash, so
// that no page can choose a URL that passes for another.
type key [16]byte

func keyOf(s string) key {
	sum := sha256.Sum256([]byte(s))
	return key(sum[:16])
}

// place is a corpus.Location by file number.
type place struct {
	file           int
	offset, length int64
	removed        bool // Revise took the document out
}

// placeOf is the inverse of location; the file is 0 where that names none.
func placeOf(l corpus.Location) place {
	return place{file: warcKind.number(l.File), offset: l.Offset, length: l.Length}
}

func (p place) location() corpus.Location {
	return corpus.Location{File: warcKind.path(p.file), Offset: p.offset, Length: p.length}
}

// Put implements corpus.Store. A damaged folder or a full disk is a Retryable
// fault.
func (c *Corpus) Put(ctx context.Context, x *corpus.Exchange, d *corpus.Document) (corpus.Location, error) {
	if err := ctx.Err(); err != nil {
		return corpus.Location{}, err
	}
	if err := corpus.Check(x, d); err != nil {
		return corpus.Location{}, err
	}
	k := keyOf(d.Key())
	if p, ok := c.find(k); ok {
		d.WARC = p.location()
		return d.WARC, nil
	}
	j := c.acquire()
	defer c.release(j)
	blank := *d
	blank.WARC = corpus.Location{}
	var err error
	if j.line, err = blank.AppendJSON(j.line[:0]); err != nil {
		return corpus.Location{}, err
	}
	j.warc, j.response = corpus.AppendExchange(j.warc[:0], x, &j.enc)

	p, err := c.put(k, j)
	if err != nil {
		return corpus.Location{}, fmt.Errorf("put document %s: %w", d.Key(), err)
	}
	d.WARC = p.location()
	return d.WARC, nil
}

// Add puts a document whose exchange is in the folder already, at d.WARC, even if
// Revise has removed it.
func (c *Corpus) Add(ctx context.Context, d *corpus.Document) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	line, err := d.AppendJSON(nil)
	if err != nil {
		return err
	}
	k := keyOf(d.Key())
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return corpus.ErrClosed
	}
	if p, ok := c.docPlaces.find(k); ok && !p.removed {
		return nil
	}
	file, _, err := c.docs.append(line)
	if err != nil {
		return fmt.Errorf("add document %s: %w", d.Key(), writeFault(err))
	}
	c.docPlaces.add(file, k, placeOf(d.WARC))
	return nil
}

func (c *Corpus) find(k key) (place, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return place{}, false
	}
	return c.docPlaces.find(k)
}

// put writes the contents of j, unless another call with the same key was
// first. If the line cannot be written, its exchange is left behind, which is
// harmless.
func (c *Corpus) put(k key, j *job) (place, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return place{}, corpus.ErrClosed
	}
	if p, ok := c.docPlaces.find(k); ok {
		return p, nil
	}
	file, offset, err := c.warc.append(j.warc)
	if err != nil {
		return place{}, writeFault(err)
	}
	p := place{file: file, offset: offset + j.response.Offset, length: j.response.Length}
	j.located = corpus.AppendLocated(j.located[:0], j.line, p.location())
	if file, _, err = c.docs.append(j.located); err != nil {
		return place{}, writeFault(err)
	}
	c.docPlaces.add(file, k, p)
	return p, nil
}

// Sync implements corpus.Store: what Put and Reject return for is written.
func (*Corpus) Sync(ctx context.Context) error { return ctx.Err() }

// Reject implements corpus.Store.
func (c *Corpus) Reject(ctx context.Context, r *corpus.Reject) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	j := c.acquire()
	defer c.release(j)
	blank := *r
	if j.warc = j.warc[:0]; r.Exchange != nil {
		blank.WARC = corpus.Location{}
		j.warc, j.response = corpus.AppendExchange(j.warc, r.Exchange, &j.enc)
	} else {
		j.warc = corpus.AppendOutlinks(j.warc, r, &j.enc)
	}
	var err error
	if j.line, err = blank.AppendJSON(j.line[:0]); err != nil {
		return err
	}

	c.rejectMu.Lock()
	defer c.rejectMu.Unlock()
	if c.rejectsClosed {
		return corpus.ErrClosed
	}
	k := keyOf(r.Key())
	p, ok := c.rejectPlaces.find(k)
	if !ok {
		if p, err = c.reject(k, r, j); err != nil {
			return fmt.Errorf("record reject of %s: %w", r.Key(), err)
		}
	}
	if r.WARC = (corpus.Location{}); p.file > 0 {
		r.WARC = p.location()
	}
	r.Segment = r.WARC.File
	return nil
}

// reject writes the contents of j and returns the place of the reject's response.
// If the line cannot be written, its exchange is left behind, which is harmless.
func (c *Corpus) reject(k key, r *corpus.Reject, j *job) (place, error) {
	p := placeOf(r.WARC)
	if len(j.warc) > 0 {
		file, offset, err := c.archive(j.warc)
		if err != nil {
			return place{}, err
		}
		if r.Exchange != nil {
			p = place{file: file, offset: offset + j.response.Offset, length: j.response.Length}
			j.located = corpus.AppendLocated(j.located[:0], j.line, p.location())
			j.line, j.located = j.located, j.line
		}
	}
	file, _, err := c.rejects.append(j.line)
	if err != nil {
		return place{}, writeFault(err)
	}
	c.rejectPlaces.add(file, k, p)
	return p, nil
}

// archive appends records to the WARC file, and returns where they are.
func (c *Corpus) archive(records []byte) (file int, offset int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if file, offset, err = c.warc.append(records); err != nil {
		err = writeFault(err)
	}
	return file, offset, err
}

// Close closes the corpus and unlocks the folder. Everything that was put is in
// the files already; Close makes the system write them to the disk. A second
// call does nothing.
func (c *Corpus) Close() error {
	c.rejectMu.Lock()
	defer c.rejectMu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed, c.rejectsClosed = true, true
	err := errors.Join(c.warc.close(), c.docs.close(), c.rejects.close())
	return errors.Join(err, c.lock.Close())
}

func writeFault(err error) error { return fault.New(fault.Broken, "corpus_write", err) }

func (c *Corpus) acquire() *job {
	if j, ok := c.jobs.Get().(*job); ok {
		return j
	}
	return new(job)
}

// release hands the buffers of a job on, unless a huge page blew them up.
func (c *Corpus) release(j *job) {
	if cap(j.warc)+cap(j.line)+cap(j.located) <= 4<<20 {
		c.jobs.Put(j)
	}
}
