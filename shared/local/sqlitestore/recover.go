package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"sluice/shared/web/hosts"
)

// Recover resets the state that a killed process left. The caller holds the
// folder's lock, so no other process is running: deliveries in flight become
// visible at once, and the leases of hosts end. Such a delivery does not count
// as received, since the end of the process says nothing about its task. Hosts
// that were leased may have been asked a moment ago: their next fetch is no
// earlier than hostDelay, or the Crawl-delay of their robots.txt, from now.
func (s *Store) Recover(ctx context.Context, hostDelay time.Duration) error {
	err := s.write(ctx, func(tx *tx) error {
		if err := s.freeHosts(tx, hostDelay); err != nil {
			return err
		}
		_, err := tx.exec("UPDATE messages SET status = 0, visible = 0, receives = receives - 1 WHERE status = 2")
		if err != nil {
			return err
		}
		tx.after = append(tx.after, s.wake.broadcast)
		return err
	})
	if err != nil {
		return fmt.Errorf("recover store: %w", err)
	}
	return nil
}

// freeHosts ends all host leases.
func (s *Store) freeHosts(tx *tx, delay time.Duration) error {
	var held []string
	err := tx.query("SELECT host FROM leases WHERE owner IS NOT NULL", func(r row) error {
		held = append(held, r.text(0))
		return nil
	})
	if err != nil {
		return err
	}
	for _, host := range held {
		asked, err := crawlDelay(tx, host)
		if err != nil {
			return err
		}
		next := micros(s.opts.Now().Add(max(delay, asked)))
		if _, err := tx.exec("UPDATE leases SET owner = NULL, until = 0, next = max(next, ?) WHERE host = ?", next, host); err != nil {
			return err
		}
	}
	return nil
}

// crawlDelay returns the Crawl-delay of a host's robots.txt, if that is known.
func crawlDelay(tx *tx, host string) (time.Duration, error) {
	var delay time.Duration
	err := tx.query("SELECT body FROM robots WHERE authority IN (?, ?) OR authority GLOB ? OR authority GLOB ?", func(r row) error {
		rules := new(hosts.Rules)
		if err := json.Unmarshal(r.bytes(0), rules); err != nil {
			return permanent("decode robots of "+host, err)
		}
		delay = max(delay, rules.CrawlDelay())
		return nil
	}, "http://"+host, "https://"+host, "http://"+host+":*", "https://"+host+":*")
	return delay, err
}
