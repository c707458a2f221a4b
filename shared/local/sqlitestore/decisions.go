package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"sluice/shared/rank"
	"sluice/shared/state/ledger"
)

// dropped is a decision to store, encoded.
type dropped struct {
	key   key
	order rank.Order
	body  []byte
}

// Drop implements ledger.Decisions. Navigation is dropped on page after page:
// only what is new or better is written.
func (l *Ledger) Drop(ctx context.Context, crawl string, ds []ledger.Decision) error {
	if len(ds) == 0 {
		return ctx.Err()
	}
	id, err := l.s.crawlID(ctx, crawl)
	if err != nil {
		return fmt.Errorf("drop %d links: %w", len(ds), err)
	}
	all, err := l.encodeDrops(id, ds)
	if err != nil {
		return fmt.Errorf("drop %d links: %w", len(ds), err)
	}
	err = l.s.write(ctx, func(tx *tx) error {
		for chunk := range slices.Chunk(all, batchRows) {
			if err := tx.drop(chunk); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("drop %d links: %w", len(ds), err)
	}
	return nil
}

// encodeDrops prepares decisions to be stored, the best of those about one URL.
func (l *Ledger) encodeDrops(crawl int64, ds []ledger.Decision) ([]*dropped, error) {
	out := make([]*dropped, 0, len(ds))
	seen := make(map[key]int, len(ds))
	for i := range ds {
		d := &dropped{key: l.s.key(crawl, ds[i].Link.URL), order: ds[i].Link.Order()}
		at, ok := seen[d.key]
		if ok && d.order.Compare(out[at].order) >= 0 {
			continue
		}
		var err error
		if d.body, err = json.Marshal(&ds[i]); err != nil {
			return nil, permanent("encode decision about "+ds[i].Link.URL, err)
		}
		if ok {
			out[at] = d
		} else {
			seen[d.key] = len(out)
			out = append(out, d)
		}
	}
	return out, nil
}

func (tx *tx) drop(ds []*dropped) error {
	keys := make([]any, len(ds))
	for i, d := range ds {
		keys[i] = d.key[:]
	}
	known := map[key]rank.Order{}
	err := tx.queryN("SELECT key, priority, tie FROM (VALUES [(?)]) CROSS JOIN dropped ON key = column1", len(keys), keys, func(r row) error {
		known[key(r.bytes(0))] = rank.Order{Priority: r.float(1), Tie: r.float(2)}
		return nil
	})
	if err != nil {
		return err
	}
	var args []any
	for _, d := range ds {
		if p, ok := known[d.key]; !ok || d.order.Compare(p) < 0 {
			args = append(args, d.key[:], d.order.Priority, d.order.Tie, d.body)
		}
	}
	if len(args) == 0 {
		return nil
	}
	_, err = tx.execN("INSERT OR REPLACE INTO dropped (key, priority, tie, body) VALUES [(?, ?, ?, ?)]", len(args)/4, args)
	return err
}

// EachDropped returns the decisions about links of all crawls.
func (s *Store) EachDropped(ctx context.Context) iter.Seq2[[]ledger.Decision, error] {
	return func(yield func([]ledger.Decision, error) bool) {
		for last := (key{}); ; {
			var list []ledger.Decision
			err := s.read(ctx, func(c *conn) error {
				return c.query("SELECT key, body FROM dropped WHERE key > ? ORDER BY key LIMIT ?", func(r row) error {
					last = key(r.bytes(0))
					var d ledger.Decision
					if err := json.Unmarshal(r.bytes(1), &d); err != nil {
						return permanent("decode decision", err)
					}
					list = append(list, d)
					return nil
				}, last[:], chunkRows)
			})
			if err != nil {
				err = fmt.Errorf("read decisions: %w", err)
			}
			if err == nil && len(list) == 0 || !yield(list, err) || err != nil {
				return
			}
		}
	}
}

// Dropped implements ledger.Decisions.
func (l *Ledger) Dropped(ctx context.Context, crawl, url string) (*ledger.Decision, error) {
	var body []byte
	var found bool
	err := l.s.readCrawl(ctx, crawl, func(c *conn, id int64) (err error) {
		k := l.s.key(id, url)
		found, err = c.one("SELECT body FROM dropped WHERE key = ?", func(r row) { body = r.bytes(0) }, k[:])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read decision about %s: %w", url, err)
	}
	if !found {
		return nil, nil
	}
	d := new(ledger.Decision)
	if err := json.Unmarshal(body, d); err != nil {
		return nil, permanent("decode decision about "+url, err)
	}
	return d, nil
}
