package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/secondlook"
	"sluice/shared/state/corpus"
)

// Pages are the objects of a crawl in memory, and of those that it refreshes: a page of an
// archive is not worth a request.
type Pages struct {
	crawls []string // the oldest first
	data   map[string][]byte
	keys   map[string][]string // of lines, by prefix
}

// Read reads the objects with these keys.
func Read(ctx context.Context, from clean.Opener, crawls, keys []string) (*Pages, error) {
	p := &Pages{crawls: crawls, data: map[string][]byte{}, keys: map[string][]string{}}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(objectsAtOnce)
	for _, key := range slices.Sorted(slices.Values(keys)) {
		p.keys[folderOf(key)] = append(p.keys[folderOf(key)], key)
		g.Go(func() error {
			body, err := from.Open(ctx, key)
			if err != nil {
				return err
			}
			data, err := io.ReadAll(body)
			if err = errors.Join(err, body.Close()); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			p.data[key] = data
			return nil
		})
	}
	return p, g.Wait()
}

// objectsAtOnce is how many objects are read at a time.
const objectsAtOnce = 16

// folderOf is the part of a key before its name.
func folderOf(key string) string { return key[:strings.LastIndex(key, "/")+1] }

// Crawl is what is judged of them.
func (p *Pages) Crawl() secondlook.Crawl { return secondlook.Crawl{Lines: p.lines, Page: p.page} }

func (p *Pages) lines(ctx context.Context, part string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, id := range p.crawls {
			for line, err := range p.of(ctx, part, id) {
				if !yield(line, err) {
					return
				}
			}
		}
	}
}

// of are the lines of one crawl.
func (p *Pages) of(ctx context.Context, part, crawl string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, key := range p.keys[part+"/"+crawl+"/"] {
			for line := range bytes.Lines(p.data[key]) {
				if ctx.Err() != nil {
					yield(nil, context.Cause(ctx))
					return
				}
				if len(bytes.TrimSpace(line)) > 0 && !yield(line, nil) {
					return
				}
			}
		}
	}
}

// page returns the page at a place.
func (p *Pages) page(at corpus.Location) (*clean.Page, error) {
	segment := p.data[at.File]
	if at.Offset < 0 || at.Offset >= int64(len(segment)) {
		return nil, fmt.Errorf("there is no byte %d of %s", at.Offset, at.File)
	}
	return clean.PageAt(bytes.NewReader(segment[at.Offset:]), at)
}

// texts counts the pages with a text.
func (p *Pages) texts(ctx context.Context) (n int, err error) {
	for _, part := range []string{corpus.DocumentFolder, corpus.RejectFolder} {
		for line, err := range p.lines(ctx, part) {
			var record struct{ Text string }
			if err != nil {
				return n, err
			}
			if err := json.Unmarshal(line, &record); err == nil && record.Text != "" {
				n++
			}
		}
	}
	return n, nil
}
