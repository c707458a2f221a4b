package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"sluice/shared/web/hosts"
)

// Leases implements hosts.Leases.
type Leases struct{ s *Store }

var _ hosts.Leases = (*Leases)(nil)

// Leases returns the host leases of the store.
func (s *Store) Leases() *Leases { return &Leases{s} }

// never is the Next of a host without a fetch so far: the zero time.
var never = micros(time.Time{})

// Acquire implements hosts.Leases.
func (l *Leases) Acquire(ctx context.Context, crawl, host, owner string, ttl time.Duration) (*hosts.Lease, error) {
	lease := &hosts.Lease{Host: host, Owner: owner}
	var state []byte
	err := l.s.write(ctx, func(tx *tx) error {
		now := l.s.opts.Now()
		held, until, next := "", int64(0), never
		_, err := tx.one("SELECT owner, until, next FROM leases WHERE host = ?", func(r row) {
			held, until, next = r.text(0), r.int(1), r.int(2)
		}, host)
		if err != nil {
			return err
		}
		switch running := held != "" && until > micros(now); {
		case running && held != owner:
			return &hosts.BusyError{Host: host, Until: fromMicros(until)}
		case !running && held != "": // its holder died, perhaps in a fetch
			next = max(next, until)
		}
		_, err = tx.exec("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)", host, owner, micros(now.Add(ttl)), next)
		if err != nil {
			return err
		}
		lease.Next = time.Time{}
		if next != never {
			lease.Next = fromMicros(next)
		}
		state = nil
		_, err = tx.one("SELECT body FROM host_states WHERE crawl = ? AND host = ?", func(r row) { state = r.bytes(0) }, crawl, host)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("acquire host %s: %w", host, err)
	}
	if state != nil {
		if err := json.Unmarshal(state, &lease.State); err != nil {
			return nil, permanent("decode state of host "+host, err)
		}
	}
	return lease, nil
}

// Release implements hosts.Leases.
func (l *Leases) Release(ctx context.Context, crawl string, lease *hosts.Lease) error {
	state, err := json.Marshal(&lease.State)
	if err != nil {
		return permanent("encode state of host "+lease.Host, err)
	}
	host, owner, next := lease.Host, lease.Owner, micros(lease.Next)
	err = l.s.write(ctx, func(tx *tx) error {
		res, err := tx.exec("UPDATE leases SET owner = NULL, until = 0, next = ? WHERE host = ? AND owner = ?", next, host, owner)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.exec("INSERT OR REPLACE INTO host_states VALUES (?, ?, ?)", crawl, host, state)
		return err
	})
	if err != nil {
		return fmt.Errorf("release host %s: %w", host, err)
	}
	return nil
}
