package s3corpus

import (
	"context"
	"fmt"

	"sluice/shared/state/corpus"
)

// Store is the corpus of one crawl. It keeps exchanges and rejects; documents
// are made from them later, with the exchange's metadata and the ledger.
//
// It remembers the keys of the latest records of this process, and of its batch
// if there are batches. Two processes or batches may each store a page.
type Store struct {
	s     *Segments
	crawl string
}

var _ corpus.Store = (*Store)(nil)

// Store returns the corpus of a crawl.
func (s *Segments) Store(crawl string) *Store { return &Store{s: s, crawl: crawl} }

// Put implements corpus.Store. It waits if tasks add pages faster than S3
// accepts them, and then returns that write's errors.
func (st *Store) Put(ctx context.Context, x *corpus.Exchange, d *corpus.Document) (corpus.Location, error) {
	if err := ctx.Err(); err != nil {
		return corpus.Location{}, err
	}
	if err := corpus.Check(x, d); err != nil {
		return corpus.Location{}, err
	}
	s := st.s
	j := s.acquire()
	defer s.release(j)
	j.data, j.span = corpus.AppendExchange(j.data[:0], x, &j.enc)

	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.group(st.crawl)
	if err := g.room(ctx); err != nil {
		return corpus.Location{}, fmt.Errorf("put document %s: %w", d.Key(), err)
	}
	k := keyOf(d.Key())
	loc, known := g.places.find(k)
	if !known {
		seg := g.segment()
		loc = seg.add(j.data, j.span)
		seg.documents++
		g.places.add(k, loc)
		g.advance()
	}
	d.WARC = loc
	return loc, nil
}

// Reject implements corpus.Store; see Put.
func (st *Store) Reject(ctx context.Context, r *corpus.Reject) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	s := st.s
	j := s.acquire()
	defer s.release(j)
	var err error
	if j.data, j.span, err = corpus.AppendReject(j.data[:0], r, &j.enc); err != nil {
		return err
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.group(st.crawl)
	if err := g.room(ctx); err != nil {
		return fmt.Errorf("record reject of %s: %w", r.Key(), err)
	}
	k := keyOf(r.Key())
	loc, known := g.rejects.find(k)
	if !known {
		seg := g.segment()
		loc = seg.add(j.data, j.span)
		if r.Exchange == nil { // it is the place of the reject
			loc = corpus.Location{File: loc.File}
		}
		seg.rejects++
		g.rejects.add(k, loc)
		g.advance()
	}
	r.Segment = loc.File
	if r.WARC = (corpus.Location{}); loc.Length > 0 {
		r.WARC = loc
	}
	return nil
}

// Sync implements corpus.Store by a group commit: one request makes durable
// what all tasks of the crawl have put. It is sent when every unfinished task
// waits, or MaxWait after the first of them. When ctx is done Sync returns, and
// its records may still be written with those of the others.
func (st *Store) Sync(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	st.s.mu.Lock()
	defer st.s.mu.Unlock()
	if err := st.s.group(st.crawl).sync(ctx); err != nil {
		return fmt.Errorf("sync corpus of %s: %w", st.crawl, err)
	}
	return nil
}
