package sqlitestore

import (
	"context"
	"fmt"

	"sluice/shared/text/boilerplate"
)

// Boilerplate implements boilerplate.Store.
type Boilerplate struct {
	s     *Store
	cache *sketches
}

var _ boilerplate.Store = (*Boilerplate)(nil)

// Boilerplate returns what was learned of the hosts of all crawls in the store.
func (s *Store) Boilerplate() *Boilerplate { return &Boilerplate{s, newSketches()} }

// Update implements boilerplate.Store. A sketch only ever gains, so one that is
// remembered and would not change does not change as it is now, either: most
// pages of a crawl are read from nowhere.
func (b *Boilerplate) Update(ctx context.Context, crawl, host string, pages []boilerplate.Page) (*boilerplate.Learned, error) {
	id, err := b.s.crawlID(ctx, crawl)
	if err != nil {
		return nil, fmt.Errorf("update boilerplate of %s: %w", host, err)
	}
	at := hostKey{id, host}
	held := b.cache.get(at)
	for {
		if held == nil {
			if held, err = b.read(ctx, at); err != nil {
				return nil, err
			}
		}
		sketch := held.sketch.Clone()
		if !sketch.Add(pages...) {
			b.cache.put(at, held)
			return held.learned, nil
		}
		next := &known{sketch, sketch.Learned(), held.revision + 1}
		done, err := b.write(ctx, at, next)
		switch {
		case err != nil:
			return nil, fmt.Errorf("update boilerplate of %s: %w", host, err)
		case done:
			b.cache.put(at, next)
			return next.learned, nil
		}
		held = nil // another was faster
	}
}

// Sketch implements boilerplate.Store.
func (b *Boilerplate) Sketch(ctx context.Context, crawl, host string) (*boilerplate.Sketch, error) {
	id, err := b.s.crawlID(ctx, crawl)
	if err != nil {
		return nil, fmt.Errorf("read boilerplate of %s: %w", host, err)
	}
	k, err := b.read(ctx, hostKey{id, host})
	if err != nil {
		return nil, err
	}
	return k.sketch, nil
}

// Taught returns the hosts for which boilerplate is known, or was known
// earlier: pages of other hosts need not be cleaned again.
func (b *Boilerplate) Taught(ctx context.Context, crawl string) ([]string, error) {
	var hosts []string
	err := b.s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		return c.query("SELECT host FROM sketches WHERE crawl = ? AND taught", func(r row) error {
			hosts = append(hosts, r.text(0))
			return nil
		}, id)
	})
	if err != nil {
		return nil, fmt.Errorf("list hosts with boilerplate: %w", err)
	}
	return hosts, nil
}

// known is a sketch as read, with the lines learned from it. It does not
// change.
type known struct {
	sketch   *boilerplate.Sketch
	learned  *boilerplate.Learned
	revision int64 // 0: there is none
}

func (b *Boilerplate) read(ctx context.Context, at hostKey) (*known, error) {
	k := &known{sketch: new(boilerplate.Sketch)}
	var body []byte
	err := b.s.read(ctx, func(c *conn) error {
		_, err := c.one("SELECT body, revision FROM sketches WHERE crawl = ? AND host = ?", func(r row) {
			body, k.revision = r.bytes(0), r.int(1)
		}, at.crawl, at.name)
		return err
	})
	if err == nil && k.revision > 0 {
		k.sketch, err = boilerplate.Decode(body)
	}
	if err != nil {
		return nil, fmt.Errorf("read boilerplate of %s: %w", at.name, err)
	}
	k.learned = k.sketch.Learned()
	return k, nil
}

// write puts a sketch in the place of the one before it, and reports whether
// that was still there.
func (b *Boilerplate) write(ctx context.Context, at hostKey, k *known) (done bool, err error) {
	err = b.s.write(ctx, func(tx *tx) error {
		version := k.learned.Version()
		sql := "UPDATE sketches SET body = ?, version = ?, taught = max(taught, ?), revision = ? WHERE crawl = ? AND host = ? AND revision = ? - 1"
		args := []any{k.sketch.Encode(), version, version != "", k.revision, at.crawl, at.name, k.revision}
		if k.revision == 1 {
			sql = "INSERT INTO sketches (body, version, taught, revision, crawl, host) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
			args = args[:6]
		}
		res, err := tx.exec(sql, args...)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		done = n > 0
		return err
	})
	return done, err
}
