package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sluice/shared/state/ledger"
)

// Entries implements ledger.Reader.
func (l *Ledger) Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error) {
	if len(urls) == 0 {
		return nil, ctx.Err()
	}
	out := make([]*ledger.Entry, len(urls))
	err := l.s.lookUp(ctx, crawl, urls, func(c *conn, keys []any, places map[key][]int) error {
		return entries(c, keys, places, out)
	})
	if err != nil {
		return nil, fmt.Errorf("read %d entries: %w", len(urls), err)
	}
	return out, nil
}

// lookUp calls read with the keys of URLs, a batch at a time, and the places of
// each among the URLs.
func (s *Store) lookUp(ctx context.Context, crawl string, urls []string, read func(c *conn, keys []any, places map[key][]int) error) error {
	return s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		places := make(map[key][]int, len(urls))
		keys := make([]any, 0, len(urls))
		for i, u := range urls {
			k := s.key(id, u)
			if places[k] = append(places[k], i); len(places[k]) == 1 {
				keys = append(keys, k[:])
			}
		}
		for chunk := range slices.Chunk(keys, 2*batchRows) {
			if err := read(c, chunk, places); err != nil {
				return err
			}
		}
		return nil
	})
}

func entries(c *conn, keys []any, places map[key][]int, out []*ledger.Entry) error {
	return c.queryN(`SELECT u.key, e.body, e.trace FROM (VALUES [(?)]) CROSS JOIN urls u ON u.key = column1 JOIN entries e ON e.id = u.entry`,
		len(keys), keys, func(r row) error {
			e := new(ledger.Entry)
			if err := json.Unmarshal(r.bytes(1), e); err != nil {
				return permanent("decode entry", err)
			}
			e.Trace = r.bytes(2)
			for _, i := range places[key(r.bytes(0))] {
				out[i] = e
			}
			return nil
		})
}
