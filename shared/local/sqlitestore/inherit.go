package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"sluice/shared/state/frontier"
)

// What a crawl that refreshes another takes over from it is read some rows at a
// time, so that it may be written elsewhere meanwhile.

// EachTrace returns the traces of the entries of all crawls, in the order in
// which they were written.
func (s *Store) EachTrace(ctx context.Context) iter.Seq2[[][]byte, error] {
	return func(yield func([][]byte, error) bool) {
		for last := int64(0); ; {
			var traces [][]byte
			err := s.read(ctx, func(c *conn) error {
				return c.query("SELECT id, trace FROM entries WHERE id > ? AND trace IS NOT NULL ORDER BY id LIMIT ?", func(r row) error {
					last = r.int(0)
					traces = append(traces, r.bytes(1))
					return nil
				}, last, chunkRows)
			})
			if err != nil {
				err = fmt.Errorf("read traces: %w", err)
			}
			if err == nil && len(traces) == 0 || !yield(traces, err) || err != nil {
				return
			}
		}
	}
}

// EachWaiting returns the links that wait in the backlog of a crawl, those of
// closed hosts, too.
func (s *Store) EachWaiting(ctx context.Context, crawl string) iter.Seq2[[]frontier.Link, error] {
	return func(yield func([]frontier.Link, error) bool) {
		last := waitingRow{host: -1}
		for {
			links, err := s.nextWaiting(ctx, crawl, &last)
			if err != nil {
				err = fmt.Errorf("read waiting links: %w", err)
			}
			if err == nil && len(links) == 0 || !yield(links, err) || err != nil {
				return
			}
		}
	}
}

// waitingAfter selects the links after one in the order of the table. The "+"
// reserves the table's key for the row values, which continue where the last
// chunk ended: a search for each host would begin with its first row every
// time.
const waitingAfter = `SELECT host, round, rank, tie, url, body FROM backlog
	WHERE (host, round, rank, tie, url) > (?, ?, ?, ?, ?) AND +host IN (SELECT id FROM hosts WHERE crawl = ?)
	ORDER BY host, round, rank, tie, url LIMIT ?`

// nextWaiting reads the links behind last, and moves it on.
func (s *Store) nextWaiting(ctx context.Context, crawl string, last *waitingRow) ([]frontier.Link, error) {
	var links []frontier.Link
	err := s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		return c.query(waitingAfter, func(r row) error {
			*last = waitingRow{host: r.int(0), round: r.int(1), rank: r.float(2), tie: r.float(3), url: r.text(4)}
			var l frontier.Link
			if err := json.Unmarshal(r.bytes(5), &l); err != nil {
				return permanent("decode waiting link", err)
			}
			l.URL = last.url
			links = append(links, l)
			return nil
		}, last.host, last.round, last.rank, last.tie, last.url, id, chunkRows)
	})
	return links, err
}

// EachQueued returns the links of the tasks of a crawl. It skips messages that
// are not tasks.
func (s *Store) EachQueued(ctx context.Context, crawl string) iter.Seq2[[]frontier.Link, error] {
	return func(yield func([]frontier.Link, error) bool) {
		for last := int64(0); ; {
			var links []frontier.Link
			more := false
			err := s.read(ctx, func(c *conn) error {
				return c.query("SELECT id, body FROM messages WHERE crawl = ? AND id > ? ORDER BY id LIMIT ?", func(r row) error {
					last, more = r.int(0), true
					if t, err := frontier.DecodeTask(r.bytes(1)); err == nil {
						links = append(links, t.Links...)
					}
					return nil
				}, crawl, last, chunkRows/frontier.MaxLinks)
			})
			if err != nil {
				err = fmt.Errorf("read queued links: %w", err)
			}
			if err == nil && !more || !yield(links, err) || err != nil {
				return
			}
		}
	}
}

// DropTasks takes the tasks of a crawl out of the queue.
func (s *Store) DropTasks(ctx context.Context, crawl string) error {
	err := s.write(ctx, func(tx *tx) error {
		err := tx.query("SELECT host, links FROM messages WHERE crawl = ?", func(r row) error {
			host, links := r.text(0), int(r.int(1))
			tx.after = append(tx.after, func() { s.gauge.add(crawl, host, -links) })
			return nil
		}, crawl)
		if err != nil {
			return err
		}
		_, err = tx.exec("DELETE FROM messages WHERE crawl = ?", crawl)
		return err
	})
	if err != nil {
		return fmt.Errorf("drop tasks of %s: %w", crawl, err)
	}
	return nil
}
