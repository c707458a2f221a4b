package sqlitestore

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"sluice/shared/state/frontier"
)

// Queue implements frontier.Queue, frontier.DeadLetters and frontier.Gauge.
type Queue struct{ s *Store }

var (
	_ frontier.Queue       = (*Queue)(nil)
	_ frontier.DeadLetters = (*Queue)(nil)
	_ frontier.Gauge       = (*Queue)(nil)
)

// Queue returns the task queue of all crawls in the store.
func (s *Store) Queue() *Queue { return &Queue{s} }

// The states of a message. The values are part of the schema.
const (
	ready = iota
	delayed
	inFlight
)

// Send implements frontier.Queue: all tasks are stored, or none.
func (q *Queue) Send(ctx context.Context, out []frontier.Outgoing) error {
	bodies := make([][]byte, len(out))
	for i, o := range out {
		var err error
		if bodies[i], err = o.Task.Encode(); err != nil {
			return err
		}
	}
	err := q.s.write(ctx, func(tx *tx) error {
		now := q.s.opts.Now()
		for i, o := range out {
			if err := q.insert(tx, o, bodies[i], now); err != nil {
				return err
			}
		}
		tx.after = append(tx.after, q.s.wake.broadcast)
		return nil
	})
	if err != nil {
		return fmt.Errorf("send %d tasks: %w", len(out), err)
	}
	return nil
}

func (q *Queue) insert(tx *tx, o frontier.Outgoing, body []byte, now time.Time) error {
	t := o.Task
	status, visible := ready, int64(0)
	if o.Delay > 0 {
		status, visible = delayed, micros(now.Add(o.Delay))
	}
	best := t.Best()
	best.Priority, best.Tie = finite(best.Priority), finite(best.Tie)
	lane, rank, tie := q.s.opts.place(best)
	_, err := tx.exec(`INSERT INTO messages (crawl, host, links, priority, best_tie, lane, rank, tie, status, visible, receives, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
		t.Crawl, t.Host, len(t.Links), best.Priority, best.Tie, lane, rank, tie, status, visible, body)
	crawl, host, links := t.Crawl, t.Host, len(t.Links)
	tx.after = append(tx.after, func() { q.s.gauge.add(crawl, host, links) })
	return err
}

// finite keeps a number within what a column holds: SQLite has no NaN.
func finite(p float64) float64 {
	if math.IsNaN(p) {
		return 0
	}
	return max(-math.MaxFloat64, min(p, math.MaxFloat64))
}

// Delete implements frontier.Queue.
func (q *Queue) Delete(ctx context.Context, receipts []string) error {
	err := q.s.write(ctx, func(tx *tx) error {
		for _, receipt := range receipts {
			id, receives, ok := parseReceipt(receipt)
			if !ok {
				continue
			}
			if err := q.delete(tx, id, receives); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete %d deliveries: %w", len(receipts), err)
	}
	return nil
}

// delete removes a message that is still held by its delivery number receives.
func (q *Queue) delete(tx *tx, id, receives int64) error {
	var crawl, host string
	var links int
	found, err := tx.one(`DELETE FROM messages WHERE id = ? AND receives = ? AND status > 0 AND visible > ?
		RETURNING crawl, host, links`, func(r row) {
		crawl, host, links = r.text(0), r.text(1), int(r.int(2))
	}, id, receives, micros(q.s.opts.Now()))
	if found {
		tx.after = append(tx.after, func() { q.s.gauge.add(crawl, host, -links) })
	}
	return err
}

// Delay implements frontier.Queue. The receipt is valid until the delivery is
// visible again.
func (q *Queue) Delay(ctx context.Context, receipt string, d time.Duration) error {
	id, receives, ok := parseReceipt(receipt)
	if !ok {
		return nil
	}
	err := q.s.write(ctx, func(tx *tx) error {
		now := q.s.opts.Now()
		status, visible := ready, int64(0)
		if d > 0 {
			status, visible = delayed, micros(now.Add(d))
		}
		_, err := tx.exec(`UPDATE messages SET status = ?, visible = ?
			WHERE id = ? AND receives = ? AND status > 0 AND visible > ?`,
			status, visible, id, receives, micros(now))
		tx.after = append(tx.after, q.s.wake.broadcast)
		return err
	})
	if err != nil {
		return fmt.Errorf("delay delivery %s: %w", receipt, err)
	}
	return nil
}

// A receipt is the message and the number of its delivery.
func formatReceipt(id, receives int64) string {
	return strconv.FormatInt(id, 10) + "." + strconv.FormatInt(receives, 10)
}

func parseReceipt(s string) (id, receives int64, ok bool) {
	a, b, _ := strings.Cut(s, ".")
	id, err1 := strconv.ParseInt(a, 10, 64)
	receives, err2 := strconv.ParseInt(b, 10, 64)
	return id, receives, err1 == nil && err2 == nil && receives > 0
}
