package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// Trail is everything the store knows about a URL; what it does not know is
// nil or zero.
type Trail struct {
	State   ledger.State
	Entry   *ledger.Entry
	Waiting *frontier.Link // in the backlog
	Queued  *frontier.Link // in a message, waiting or in flight
	Flying  bool           // it is in flight
	Dead    *DeadLetter
	Dropped *ledger.Decision
}

// Explain returns the trail of a URL in canonical form.
func (s *Store) Explain(ctx context.Context, crawl, url string) (*Trail, error) {
	t := new(Trail)
	err := s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		k := s.key(id, url)
		_, err := c.one("SELECT state FROM urls WHERE key = ?", func(r row) {
			t.State = stateOf(r.int(0))
		}, k[:])
		if err != nil {
			return err
		}
		if t.Entry, err = entry(c, k); err != nil {
			return err
		}
		if t.Waiting, err = waitingLink(c, id, k, url); err != nil {
			return err
		}
		if t.Queued, t.Flying, err = queuedLink(c, crawl, url); err != nil {
			return err
		}
		t.Dead, err = deadLetter(c, crawl, url)
		return err
	})
	if err == nil {
		t.Dropped, err = s.Ledger().Dropped(ctx, crawl, url)
	}
	if err != nil {
		return nil, fmt.Errorf("explain %s: %w", url, err)
	}
	return t, nil
}

func waitingLink(c *conn, crawl int64, k key, url string) (*frontier.Link, error) {
	var body []byte
	found, err := c.one(`SELECT b.body FROM urls u JOIN backlog b ON b.round = u.round AND b.rank = u.rank
		WHERE u.key = ? AND b.url = ? AND b.host = (SELECT id FROM hosts WHERE crawl = ? AND name = ?)`,
		func(r row) { body = r.bytes(0) }, k[:], url, crawl, urlnorm.HostOf(url))
	if err != nil || !found {
		return nil, err
	}
	l := new(frontier.Link)
	if err := json.Unmarshal(body, l); err != nil {
		return nil, permanent("decode waiting link", err)
	}
	l.URL = url
	return l, nil
}

// queuedLink finds a link in the messages; one in flight is what counts.
func queuedLink(c *conn, crawl, url string) (link *frontier.Link, flying bool, err error) {
	err = c.query("SELECT body, status FROM messages WHERE crawl = ? AND host = ? ORDER BY status", func(r row) error {
		t, err := frontier.DecodeTask(r.bytes(0))
		if err != nil {
			return nil //nolint:nilerr // on its way to the dead letters
		}
		for i := range t.Links {
			if t.Links[i].URL == url {
				link, flying = &t.Links[i], r.int(1) == 2
			}
		}
		return nil
	}, crawl, urlnorm.HostOf(url))
	return link, flying, err
}

func deadLetter(c *conn, crawl, url string) (*DeadLetter, error) {
	var d *DeadLetter
	err := c.query(selectDead+" AND url = ?", func(r row) error {
		letter, err := readDead(r)
		d = &letter
		return err
	}, crawl, url)
	return d, err
}

// HostStatus is what a crawl has done on a host.
type HostStatus struct {
	Host    string
	Waiting int    // links in the backlog
	Fetched int    // pages
	Closed  string // the rule, "" while open
}

// Hosts returns up to n hosts of a crawl, those with most pages first.
func (s *Store) Hosts(ctx context.Context, crawl string, n int) ([]HostStatus, error) {
	return s.hostStatus(ctx, crawl, "ORDER BY fetched DESC, name LIMIT ?", max(n, 0))
}

// ClosedHosts returns the hosts of a crawl that were closed, by name.
func (s *Store) ClosedHosts(ctx context.Context, crawl string) ([]HostStatus, error) {
	return s.hostStatus(ctx, crawl, "AND closed IS NOT NULL ORDER BY name")
}

// hostStatus reads hosts of a crawl; tail ends the query and takes args.
func (s *Store) hostStatus(ctx context.Context, crawl, tail string, args ...any) ([]HostStatus, error) {
	var out []HostStatus
	err := s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		return c.query(`SELECT name, coalesce((SELECT sum(links) FROM depth WHERE host = id), 0), fetched, closed
			FROM hosts WHERE crawl = ? `+tail, func(r row) error {
			out = append(out, HostStatus{r.text(0), int(r.int(1)), int(r.int(2)), r.text(3)})
			return nil
		}, append([]any{id}, args...)...)
	})
	if err != nil {
		return nil, fmt.Errorf("list hosts: %w", err)
	}
	return out, nil
}

// HostCounts counts the hosts of a crawl: those with links queued, all, and
// those that were closed.
func (s *Store) HostCounts(ctx context.Context, crawl string) (active, all, closed int, err error) {
	err = s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		_, err := c.one(`SELECT (SELECT count(DISTINCT host) FROM messages WHERE crawl = ?), count(*), count(closed)
			FROM hosts WHERE crawl = ?`, func(r row) {
			active, all, closed = int(r.int(0)), int(r.int(1)), int(r.int(2))
		}, crawl, id)
		return err
	})
	if err != nil {
		return 0, 0, 0, fmt.Errorf("count hosts: %w", err)
	}
	return active, all, closed, nil
}
