package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sluice/shared/state/frontier"
)

// Best implements frontier.Backlog.
func (b *Backlog) Best(ctx context.Context, crawl, host string, round, n int) ([]frontier.Link, error) {
	if n <= 0 {
		return nil, nil
	}
	var out []frontier.Link
	err := b.s.readCrawl(ctx, crawl, func(c *conn, id int64) (err error) {
		out, err = b.best(c, id, host, round, n)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read best links of %s: %w", host, err)
	}
	return out, nil
}

// best merges the best links of each round; there is more than one only where
// a round has left some over.
func (b *Backlog) best(c *conn, crawl int64, host string, round, n int) ([]frontier.Link, error) {
	type run struct{ host, round int64 }
	var runs []run
	err := c.query("SELECT host, round FROM depth WHERE host = (SELECT id FROM hosts WHERE crawl = ? AND name = ?) AND round <= ? AND open = 1",
		func(r row) error {
			runs = append(runs, run{r.int(0), r.int(1)})
			return nil
		}, crawl, host, round)
	if err != nil {
		return nil, err
	}
	var out []frontier.Link
	for _, from := range runs {
		err := c.query("SELECT url, body FROM backlog WHERE host = ? AND round = ? ORDER BY rank, tie, url LIMIT ? + 0", func(r row) error {
			l, err := b.s.decode(r.text(0), r.bytes(1))
			out = append(out, l)
			return err
		}, from.host, from.round, n)
		if err != nil {
			return nil, err
		}
	}
	if len(runs) > 1 {
		slices.SortFunc(out, frontier.BestFirst)
	}
	return out[:min(n, len(out))], nil
}

// knownLinks is how many links are remembered: the best of a host are read again and
// again before they are queued.
const knownLinks = 4 << 10

// decode returns a waiting link.
func (s *Store) decode(url string, body []byte) (frontier.Link, error) {
	text := string(body)
	l, ok := s.links.Get(text)
	if !ok {
		if err := json.Unmarshal(body, &l); err != nil {
			return l, permanent("decode waiting link "+url, err)
		}
		s.links.Put(text, l)
	}
	l.URL = url
	return l, nil
}

// Waiting implements frontier.Directory. It walks an index by order and
// takes each host at its best round.
func (b *Backlog) Waiting(ctx context.Context, crawl string, round, skip, n int) ([]frontier.HostDepth, error) {
	if n <= 0 {
		return nil, nil
	}
	var out []frontier.HostDepth
	err := b.s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		return c.query(`SELECT name, rank, tie, (SELECT sum(links) FROM depth a WHERE a.host = d.host AND a.round <= ?1)
			FROM depth d WHERE crawl = ?2 AND open = 1 AND round <= ?1 AND NOT EXISTS (
				SELECT 1 FROM depth a WHERE a.host = d.host AND a.round <= ?1
				AND (a.rank, a.tie, a.round) < (d.rank, d.tie, d.round))
			ORDER BY rank, tie, name LIMIT ?3 + 0 OFFSET ?4 + 0`, func(r row) error {
			out = append(out, frontier.HostDepth{Host: r.text(0), Best: 0 - r.float(1), Tie: 0 - r.float(2), Links: int(r.int(3))})
			return nil
		}, round, id, n, max(skip, 0))
	})
	if err != nil {
		return nil, fmt.Errorf("list waiting hosts: %w", err)
	}
	return out, nil
}

// Close implements frontier.Backlog.
func (b *Backlog) Close(ctx context.Context, crawl, host, rule string) error {
	err := b.s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		if err := tx.flush(); err != nil { // rows of depth not yet written
			return err
		}
		_, err := tx.exec(`INSERT INTO hosts (crawl, name, closed) VALUES (?, ?, ?)
			ON CONFLICT (crawl, name) DO UPDATE SET closed = coalesce(closed, excluded.closed)`, id, host, rule)
		if err != nil {
			return err
		}
		_, err = tx.exec("UPDATE depth SET open = 0 WHERE host = (SELECT id FROM hosts WHERE crawl = ? AND name = ?)", id, host)
		return err
	})
	if err != nil {
		return fmt.Errorf("close host %s: %w", host, err)
	}
	return nil
}
