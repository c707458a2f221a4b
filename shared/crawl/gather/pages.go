package gather

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/sync/errgroup"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/records"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

const (
	atOnce     = 8         // objects that are read at a time
	maxSegment = 256 << 20 // bytes of a segment
)

// pages are those of a crawl that are in the corpus.
type pages struct {
	of  []*corpus.Document // of the host, without their texts; those that count
	all int                // of all hosts, a page that was fetched twice once
}

// pages reads the corpus of the crawl.
func (a *analysis) pages(ctx context.Context) (*pages, error) {
	keys, err := a.ports.Objects.Keys(ctx, corpus.DocumentFolder+"/"+a.job.ID+"/")
	if err != nil {
		return nil, err
	}
	found := make([][]*corpus.Document, len(keys))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i, key := range keys {
		g.Go(func() (err error) {
			found[i], err = a.lines(gctx, key)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("read corpus: %w", err)
	}
	p, seen := &pages{}, map[string]bool{}
	for _, lines := range found {
		for _, d := range lines {
			if !seen[d.FinalURL] {
				seen[d.FinalURL] = true
				p.all++
			}
			if u, err := urlnorm.Parse(d.FinalURL); err == nil && u.Host() == a.host {
				p.of = append(p.of, d)
			}
		}
	}
	p.of, err = a.counting(ctx, p.of)
	return p, err
}

func (a *analysis) lines(ctx context.Context, key string) (lines []*corpus.Document, err error) {
	body, err := a.ports.Objects.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	err = corpus.EachLine(body, func(l corpus.Line) error {
		d := new(corpus.Document)
		if err := json.Unmarshal(l.Raw, d); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		d.Text = ""
		lines = append(lines, d)
		return nil
	})
	return lines, errors.Join(err, body.Close())
}

// counting returns the documents that the ledger points at.
func (a *analysis) counting(ctx context.Context, all []*corpus.Document) (those []*corpus.Document, err error) {
	for some := range slices.Chunk(all, records.LookUp) {
		urls := make([]string, len(some))
		for i, d := range some {
			urls[i] = d.FinalURL
		}
		entries, err := a.ports.Ledger.Entries(ctx, a.job.ID, urls)
		if err != nil {
			return nil, fmt.Errorf("look up pages: %w", err)
		}
		for i, e := range entries {
			if e != nil && e.Verdict == ledger.Kept && e.Segment == some[i].WARC.File {
				those = append(those, some[i])
			}
		}
	}
	return those, nil
}

// archive reads pages again, one segment at a time in memory.
type archive struct {
	objects Objects
	key     string
	data    []byte // nil: it cannot be read
}

// page returns the page at a place; nil for one that cannot be read.
func (r *archive) page(ctx context.Context, at corpus.Location) (*reading.Arrival, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if at.File != r.key {
		data, err := r.read(ctx, at.File)
		if err != nil {
			return nil, err
		}
		r.key, r.data = at.File, data
	}
	return pageAt(r.data, at), nil
}

// pageAt returns the page at a place of a segment; nil for one that cannot be read.
func pageAt(segment []byte, at corpus.Location) *reading.Arrival {
	if at.Offset < 0 || at.Offset >= int64(len(segment)) {
		return nil
	}
	p, err := clean.PageAt(bytes.NewReader(segment[at.Offset:]), at)
	if err != nil {
		return nil
	}
	a, rule, _ := p.Arrival()
	if rule != "" {
		return nil
	}
	return a
}

// read returns a segment; nil for one that is gone or too large.
func (r *archive) read(ctx context.Context, key string) ([]byte, error) {
	body, err := r.objects.Open(ctx, key)
	if f := fault.Of(err); f != nil {
		if f.Class == fault.Permanent {
			err = nil
		}
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(body, maxSegment+1))
	if err = errors.Join(err, body.Close()); err != nil || len(data) > maxSegment {
		return nil, err
	}
	return data, nil
}
