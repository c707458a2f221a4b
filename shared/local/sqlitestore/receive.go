package sqlitestore

import (
	"context"
	"fmt"
	"time"

	"sluice/shared/state/frontier"
)

// starveTurn is how often a receive begins with the lowest lane that holds
// something, so that it is not starved by the others.
const starveTurn = 8

// message is a message received for delivery.
type message struct {
	id, receives int64
	crawl, host  string
	body         []byte
}

// Receive implements frontier.Queue. Without a message it waits for
// Options.Poll, in real time, or until a message is sent or becomes visible.
func (q *Queue) Receive(ctx context.Context, limit int) ([]frontier.Delivery, error) {
	if limit <= 0 {
		return nil, ctx.Err()
	}
	poll := time.NewTimer(q.s.opts.Poll)
	defer poll.Stop()
	for {
		woken := q.s.wake.wait() // before looking: a send in between counts
		taken, next, err := q.take(ctx, limit)
		if err != nil {
			return nil, fmt.Errorf("receive tasks: %w", err)
		}
		out, err := q.deliver(ctx, taken)
		if err != nil || len(out) > 0 {
			return out, err
		}
		if len(taken) > 0 {
			continue // all were dead: look on
		}
		if done, err := q.sleep(ctx, woken, poll.C, next); done {
			return nil, err
		}
	}
}

// sleep waits for something to become visible; done means that the polling
// time is over.
func (q *Queue) sleep(ctx context.Context, woken <-chan struct{}, poll <-chan time.Time, next int64) (done bool, err error) {
	var due <-chan time.Time
	if next > 0 {
		t := time.NewTimer(time.Duration(next-micros(q.s.opts.Now())+1) * time.Microsecond)
		defer t.Stop()
		due = t.C
	}
	select {
	case <-woken:
	case <-due:
	case <-poll:
		return true, nil
	case <-ctx.Done():
		return true, ctx.Err()
	case <-q.s.closing:
		return true, errClosed
	}
	return false, nil
}

// take makes up to limit visible messages invisible. With none it returns
// when the next one becomes visible, 0 for never.
func (q *Queue) take(ctx context.Context, limit int) (taken []message, next int64, err error) {
	low := q.s.opts.Lanes > 1 && q.s.turn.Add(1)%starveTurn == 0
	err = q.s.write(ctx, func(tx *tx) error {
		taken, next = nil, 0
		now := micros(q.s.opts.Now())
		_, err := tx.exec("UPDATE messages SET status = 0 WHERE status > 0 AND visible <= ?", now)
		if err != nil {
			return err
		}
		if low {
			if taken, err = q.hold(tx, taken, limit, `SELECT id, receives, crawl, host, body FROM messages WHERE status = 0
				AND lane = (SELECT lane FROM messages WHERE status = 0 ORDER BY lane DESC LIMIT 1) ORDER BY rank, tie, id LIMIT ? + 0`); err != nil {
				return err
			}
		}
		if taken, err = q.hold(tx, taken, limit, `SELECT id, receives, crawl, host, body FROM messages
			WHERE status = 0 ORDER BY lane, rank, tie, id LIMIT ? + 0`); err != nil || len(taken) > 0 {
			return err
		}
		_, err = tx.one("SELECT visible FROM messages WHERE status > 0 ORDER BY visible LIMIT 1", func(r row) { next = r.int(0) })
		return err
	})
	return taken, next, err
}

// hold takes what a query finds, until limit messages are taken in all.
func (q *Queue) hold(tx *tx, taken []message, limit int, sql string) ([]message, error) {
	if len(taken) == limit {
		return taken, nil
	}
	from := len(taken)
	err := tx.query(sql, func(r row) error {
		taken = append(taken, message{id: r.int(0), receives: r.int(1) + 1, crawl: r.text(2), host: r.text(3), body: r.bytes(4)})
		return nil
	}, limit-len(taken))
	if err != nil {
		return nil, err
	}
	visible := micros(q.s.opts.Now().Add(q.s.opts.Visibility))
	for _, m := range taken[from:] {
		if _, err := tx.exec("UPDATE messages SET status = 2, visible = ?, receives = ? WHERE id = ?", visible, m.receives, m.id); err != nil {
			return nil, err
		}
	}
	return taken, nil
}

// deliver decodes messages and sends those to the dead letters that cannot be
// decoded or were received too often.
func (q *Queue) deliver(ctx context.Context, taken []message) ([]frontier.Delivery, error) {
	out := make([]frontier.Delivery, 0, len(taken))
	for _, m := range taken {
		task, err := frontier.DecodeTask(m.body)
		switch {
		case err != nil:
			err = q.discard(ctx, m, nil, err.Error())
		case m.receives > int64(q.s.opts.MaxReceives):
			err = q.discard(ctx, m, task, fmt.Sprintf("received %d times without success", m.receives-1))
		default:
			out = append(out, frontier.Delivery{Task: task, Receipt: formatReceipt(m.id, m.receives), Receives: int(m.receives)})
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
