package sqlitestore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// Backlog implements frontier.Backlog, frontier.Directory and frontier.Raiser.
type Backlog struct{ s *Store }

var (
	_ frontier.Backlog   = (*Backlog)(nil)
	_ frontier.Directory = (*Backlog)(nil)
	_ frontier.Raiser    = (*Backlog)(nil)
)

// Backlog returns the waiting links of all crawls in the store.
func (s *Store) Backlog() *Backlog { return &Backlog{s} }

// batchRows is how many rows a statement takes at most: the driver's time for
// a statement grows with the square of its parameters.
const batchRows = 16

// waiting is a link to add, encoded.
type waiting struct {
	key    key
	host   string
	url    string
	round  int64
	rank   float64 // the negative priority
	tie    float64 // negative, too
	parent string
	body   []byte // the link without its URL
}

// better reports whether a comes before b by frontier.Backlog's order; what
// that leaves open is decided by the bytes, so that the order of arrival
// decides nothing.
func (a *waiting) better(b *waiting) bool {
	return cmp.Or(cmp.Compare(a.round, b.round), cmp.Compare(a.rank, b.rank), cmp.Compare(a.tie, b.tie),
		cmp.Compare(a.parent, b.parent), bytes.Compare(a.body, b.body)) < 0
}

// Add implements frontier.Backlog: all links are stored, or none.
func (b *Backlog) Add(ctx context.Context, crawl string, links []frontier.Link) error {
	return b.put(ctx, crawl, links, frontier.Adding)
}

// Raise implements frontier.Raiser.
func (b *Backlog) Raise(ctx context.Context, crawl string, links []frontier.Link) error {
	return b.put(ctx, crawl, links, frontier.Raising)
}

// Reorder implements frontier.Raiser.
func (b *Backlog) Reorder(ctx context.Context, crawl string, links []frontier.Link) error {
	return b.put(ctx, crawl, links, frontier.Reordering)
}

func (b *Backlog) put(ctx context.Context, crawl string, links []frontier.Link, how frontier.Manner) error {
	if len(links) == 0 {
		return nil
	}
	id, err := b.s.crawlID(ctx, crawl)
	if err != nil {
		return fmt.Errorf("add %d links: %w", len(links), err)
	}
	all, err := b.encode(id, links)
	if err != nil {
		return fmt.Errorf("add %d links: %w", len(links), err)
	}
	err = b.s.write(ctx, func(tx *tx) error {
		for chunk := range slices.Chunk(all, batchRows) {
			if err := tx.putLinks(id, chunk, how); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("add %d links: %w", len(links), err)
	}
	return nil
}

// encode prepares links to be stored, the best of those with one URL.
func (b *Backlog) encode(crawl int64, links []frontier.Link) ([]*waiting, error) {
	out := make([]*waiting, 0, len(links))
	seen := make(map[key]int, len(links))
	for _, l := range links {
		w := &waiting{
			key: b.s.key(crawl, l.URL), host: urlnorm.HostOf(l.URL), url: l.URL,
			round: int64(l.Round), rank: 0 - l.Priority, tie: 0 - l.Tie, parent: l.Parent,
		}
		l.URL = ""
		var err error
		if w.body, err = json.Marshal(&l); err != nil {
			return nil, permanent("encode link "+w.url, err)
		}
		i, ok := seen[w.key]
		switch {
		case !ok:
			seen[w.key] = len(out)
			out = append(out, w)
		case w.better(out[i]):
			out[i] = w
		}
	}
	return out, nil
}

// putLinks stores those links that may replace what waits.
func (tx *tx) putLinks(crawl int64, links []*waiting, how frontier.Manner) error {
	known, err := tx.places(links)
	if err != nil {
		return err
	}
	hosts := map[string]int64{}
	fresh := links[:0:0]
	for _, w := range links {
		host, err := tx.hostID(hosts, crawl, w.host)
		if err != nil {
			return err
		}
		old, ok := known[w.key]
		if how != frontier.Adding && !ok {
			continue
		}
		if ok {
			old.url = w.url
			if wins, err := tx.wins(host, w, &old, how); err != nil {
				return err
			} else if !wins {
				continue
			}
			if err := tx.unwait(host, &old); err != nil {
				return err
			}
		}
		tx.addDepth(host, w.round, 1)
		fresh = append(fresh, w)
	}
	return tx.insertLinks(hosts, fresh)
}

// places returns the round, rank and tie of those links that wait already.
func (tx *tx) places(links []*waiting) (map[key]waiting, error) {
	args := make([]any, len(links))
	for i, w := range links {
		args[i] = w.key[:]
	}
	known := map[key]waiting{}
	err := tx.queryN("SELECT key, round, rank, tie FROM (VALUES [(?)]) CROSS JOIN urls ON key = column1 WHERE round IS NOT NULL", len(args), args, func(r row) error {
		known[key(r.bytes(0))] = waiting{round: r.int(1), rank: r.float(2), tie: r.float(3)}
		return nil
	})
	return known, err
}

// wins compares a link with the one that waits under its URL; only equals, and those
// of another order, need the rest of the waiting one.
func (tx *tx) wins(host int64, w, old *waiting, how frontier.Manner) (bool, error) {
	if how == frontier.Reordering {
		err := tx.readWaiting(host, old)
		return w.parent == old.parent, err
	}
	if w.round != old.round || w.rank != old.rank || w.tie != old.tie {
		return w.better(old), nil
	}
	err := tx.readWaiting(host, old)
	return err == nil && w.better(old), err
}

// readWaiting reads the body and parent of a link that waits.
func (tx *tx) readWaiting(host int64, w *waiting) error {
	_, err := tx.one("SELECT body FROM backlog WHERE host = ? AND round = ? AND rank = ? AND tie = ? AND url = ?",
		func(r row) { w.body = r.bytes(0) }, host, w.round, w.rank, w.tie, w.url)
	if err != nil {
		return err
	}
	var l frontier.Link
	if err := json.Unmarshal(w.body, &l); err != nil {
		return permanent("decode waiting link "+w.url, err)
	}
	w.parent = l.Parent
	return nil
}

// unwait takes a link out of the backlog; its URL keeps its place for the
// caller to overwrite.
func (tx *tx) unwait(host int64, w *waiting) error {
	tx.addDepth(host, w.round, -1)
	_, err := tx.exec("DELETE FROM backlog WHERE host = ? AND round = ? AND rank = ? AND tie = ? AND url = ?", host, w.round, w.rank, w.tie, w.url)
	return err
}

func (tx *tx) insertLinks(hosts map[string]int64, links []*waiting) error {
	if len(links) == 0 {
		return nil
	}
	places := make([]any, 0, 4*len(links))
	rows := make([]any, 0, 6*len(links))
	for _, w := range links {
		places = append(places, w.key[:], w.round, w.rank, w.tie)
		rows = append(rows, hosts[w.host], w.round, w.rank, w.tie, w.url, w.body)
	}
	_, err := tx.execN(`INSERT INTO urls (key, state, round, rank, tie) VALUES [(?, 0, ?, ?, ?)]
		ON CONFLICT DO UPDATE SET round = excluded.round, rank = excluded.rank, tie = excluded.tie`, len(links), places)
	if err != nil {
		return err
	}
	_, err = tx.execN("INSERT INTO backlog VALUES [(?, ?, ?, ?, ?, ?)]", len(links), rows)
	return err
}

// hostID returns the row of a host, which it gets at first use; seen saves
// looking twice.
func (tx *tx) hostID(seen map[string]int64, crawl int64, name string) (int64, error) {
	if id, ok := seen[name]; ok {
		return id, nil
	}
	var id int64
	found, err := tx.one("SELECT id FROM hosts WHERE crawl = ? AND name = ?", func(r row) { id = r.int(0) }, crawl, name)
	if err == nil && !found {
		_, err = tx.one("INSERT INTO hosts (crawl, name) VALUES (?, ?) RETURNING id", func(r row) { id = r.int(0) }, crawl, name)
	}
	seen[name] = id
	return id, err
}

// Remove implements frontier.Backlog.
func (b *Backlog) Remove(ctx context.Context, crawl, host string, urls []string) error {
	err := b.s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		links := make([]*waiting, len(urls))
		for i, u := range urls {
			links[i] = &waiting{key: b.s.key(id, u), url: u}
		}
		hostID, err := tx.hostID(map[string]int64{}, id, host)
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(links, batchRows) {
			if err := tx.removeLinks(hostID, host, chunk); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("remove %d links of %s: %w", len(urls), host, err)
	}
	return nil
}

func (tx *tx) removeLinks(host int64, name string, links []*waiting) error {
	known, err := tx.places(links)
	if err != nil {
		return err
	}
	for _, w := range links {
		old, ok := known[w.key]
		if !ok || urlnorm.HostOf(w.url) != name {
			continue
		}
		delete(known, w.key) // the same URL again is absent
		old.url = w.url
		if err := tx.unwait(host, &old); err != nil {
			return err
		}
		if _, err := tx.exec("UPDATE urls SET round = NULL, rank = NULL, tie = NULL WHERE key = ?", w.key[:]); err != nil {
			return err
		}
	}
	return nil
}

// permanent classifies an error that would come again.
func permanent(what string, err error) error {
	return fault.New(fault.Permanent, "store", fmt.Errorf("%s: %w", what, err))
}
