package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"sluice/shared/web/hosts"
)

// Reopen opens the hosts of a crawl that a rule closed, and lets those that failed be asked
// after delay. No task may be at hand.
func (b *Backlog) Reopen(ctx context.Context, crawl string, delay time.Duration, rule string) error {
	err := b.s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		if err := tx.flush(); err != nil { // rows of depth not yet written
			return err
		}
		_, err := tx.exec("UPDATE depth SET open = 1 WHERE host IN (SELECT id FROM hosts WHERE crawl = ? AND closed = ?)", id, rule)
		if err != nil {
			return err
		}
		if _, err := tx.exec("UPDATE hosts SET closed = NULL WHERE crawl = ? AND closed = ?", id, rule); err != nil {
			return err
		}
		return b.s.forgive(tx, crawl, delay)
	})
	if err != nil {
		return fmt.Errorf("open hosts of crawl %s again: %w", crawl, err)
	}
	return nil
}

// forgive forgets the failures of the hosts of a crawl, and ends the pauses that they led to.
func (s *Store) forgive(tx *tx, crawl string, delay time.Duration) error {
	failing, err := failing(tx.conn, crawl)
	if err != nil {
		return err
	}
	for host, st := range failing {
		st.Forgive()
		body, err := json.Marshal(st)
		if err != nil {
			return permanent("encode state of host "+host, err)
		}
		asked, err := crawlDelay(tx, host)
		if err != nil {
			return err
		}
		next := micros(s.opts.Now().Add(max(delay, asked)))
		if _, err := tx.exec("UPDATE host_states SET body = ? WHERE crawl = ? AND host = ?", body, crawl, host); err != nil {
			return err
		}
		if _, err := tx.exec("UPDATE leases SET next = min(next, ?) WHERE host = ?", next, host); err != nil {
			return err
		}
		if _, err := tx.exec("UPDATE messages SET visible = min(visible, ?) WHERE crawl = ? AND host = ? AND status = 1", next, crawl, host); err != nil {
			return err
		}
	}
	return nil
}

// FailingHosts are the hosts of a crawl whose last connections failed, so many of them at
// least.
func (s *Store) FailingHosts(ctx context.Context, crawl string, least int) (names []string, err error) {
	err = s.read(ctx, func(c *conn) error {
		found, err := failing(c, crawl)
		maps.DeleteFunc(found, func(_ string, st *hosts.State) bool { return st.Failures < least })
		names = slices.Sorted(maps.Keys(found))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list failing hosts: %w", err)
	}
	return names, nil
}

// Failures counts the connections to a host of a crawl that failed in a row, and says why
// the last did.
func (s *Store) Failures(ctx context.Context, crawl, host string) (n int, cause string, err error) {
	err = s.read(ctx, func(c *conn) error {
		found, err := failing(c, crawl)
		if st := found[host]; st != nil {
			n, cause = st.Failures, st.Cause
		}
		return err
	})
	if err != nil {
		return 0, "", fmt.Errorf("count failures of %s: %w", host, err)
	}
	return n, cause, nil
}

// failing returns the states of the hosts of a crawl whose last connections failed.
func failing(c *conn, crawl string) (map[string]*hosts.State, error) {
	found := map[string]*hosts.State{}
	err := c.query("SELECT host, body FROM host_states WHERE crawl = ?", func(r row) error {
		st := new(hosts.State)
		if err := json.Unmarshal(r.bytes(1), st); err != nil {
			return permanent("decode state of host "+r.text(0), err)
		}
		if st.Failures > 0 {
			found[r.text(0)] = st
		}
		return nil
	}, crawl)
	return found, err
}
