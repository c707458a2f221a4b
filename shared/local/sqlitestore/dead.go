package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"sluice/shared/state/frontier"
)

// DeadLetter is a link that could not be dealt with, or a message that was no
// task.
type DeadLetter struct {
	Crawl  string
	ID     string        // the URL of the link
	Link   frontier.Link // zero for a message that was no task
	Body   []byte        // of such a message
	Reason string
	At     time.Time
}

// Bury implements frontier.DeadLetters.
func (q *Queue) Bury(ctx context.Context, t *frontier.Task, reason string) error {
	letters, err := encodeLinks(t.Links)
	if err != nil {
		return fmt.Errorf("bury task %s: %w", t.ID, err)
	}
	err = q.s.write(ctx, func(tx *tx) error { return q.bury(tx, t, letters, reason) })
	if err != nil {
		return fmt.Errorf("bury task %s: %w", t.ID, err)
	}
	return nil
}

func encodeLinks(links []frontier.Link) ([][]byte, error) {
	out := make([][]byte, len(links))
	for i := range links {
		var err error
		if out[i], err = json.Marshal(&links[i]); err != nil {
			return nil, permanent("encode link "+links[i].URL, err)
		}
	}
	return out, nil
}

const insertDead = `INSERT INTO dead (crawl, url, link, body, reason, at) VALUES (?, ?, ?, ?, ?, ?)
	ON CONFLICT DO UPDATE SET link = excluded.link, reason = excluded.reason, at = excluded.at`

func (q *Queue) bury(tx *tx, t *frontier.Task, letters [][]byte, reason string) error {
	for i, l := range t.Links {
		_, err := tx.exec(insertDead, t.Crawl, l.URL, letters[i], nil, reason, micros(q.s.opts.Now()))
		if err != nil {
			return err
		}
	}
	return nil
}

// discard moves a received message to the dead letters: its links or, if it is
// not a task, its body.
func (q *Queue) discard(ctx context.Context, m message, t *frontier.Task, reason string) error {
	var letters [][]byte
	if t != nil {
		var err error
		if letters, err = encodeLinks(t.Links); err != nil {
			return err
		}
	}
	err := q.s.write(ctx, func(tx *tx) error {
		var err error
		if t != nil {
			err = q.bury(tx, t, letters, reason)
		} else {
			_, err = tx.exec(insertDead, m.crawl, fmt.Sprintf("message:%d", m.id), nil, m.body, reason, micros(q.s.opts.Now()))
		}
		if err != nil {
			return err
		}
		return q.delete(tx, m.id, m.receives)
	})
	if err != nil {
		return fmt.Errorf("discard message %d: %w", m.id, err)
	}
	return nil
}

// DeadCount returns the number of dead letters of a crawl.
func (q *Queue) DeadCount(ctx context.Context, crawl string) (int, error) {
	var n int
	err := q.s.read(ctx, func(c *conn) error {
		_, err := c.one("SELECT count(*) FROM dead WHERE crawl = ?", func(r row) { n = int(r.int(0)) }, crawl)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("count dead letters: %w", err)
	}
	return n, nil
}

// DeadLetters returns the dead letters of a crawl, by URL.
func (q *Queue) DeadLetters(ctx context.Context, crawl string) ([]DeadLetter, error) {
	var out []DeadLetter
	err := q.s.read(ctx, func(c *conn) error {
		return c.query(selectDead+" ORDER BY url", func(r row) error {
			d, err := readDead(r)
			out = append(out, d)
			return err
		}, crawl)
	})
	if err != nil {
		return nil, fmt.Errorf("read dead letters: %w", err)
	}
	return out, nil
}

// Unbury deletes dead letters of a crawl by their ids.
func (q *Queue) Unbury(ctx context.Context, crawl string, ids []string) error {
	err := q.s.write(ctx, func(tx *tx) error {
		for _, id := range ids {
			if _, err := tx.exec("DELETE FROM dead WHERE crawl = ? AND url = ?", crawl, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete %d dead letters: %w", len(ids), err)
	}
	return nil
}

const selectDead = "SELECT crawl, link, body, reason, at, url FROM dead WHERE crawl = ?"

func readDead(r row) (DeadLetter, error) {
	d := DeadLetter{Crawl: r.text(0), ID: r.text(5), Body: r.bytes(2), Reason: r.text(3), At: fromMicros(r.int(4))}
	if r.null(1) {
		return d, nil
	}
	return d, json.Unmarshal(r.bytes(1), &d.Link)
}
