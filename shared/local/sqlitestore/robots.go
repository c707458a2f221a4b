package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"sluice/shared/web/hosts"
)

// Robots implements hosts.RobotsCache.
type Robots struct{ s *Store }

var _ hosts.RobotsCache = (*Robots)(nil)

// Robots returns the robots.txt rules of all crawls in the store.
func (s *Store) Robots() *Robots { return &Robots{s} }

// Robots implements hosts.RobotsCache.
func (c *Robots) Robots(ctx context.Context, authority string, since time.Time) (*hosts.Rules, error) {
	var body []byte
	var found bool
	err := c.s.read(ctx, func(c *conn) (err error) {
		found, err = c.one("SELECT body FROM robots WHERE authority = ?", func(r row) { body = r.bytes(0) }, authority)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read robots of %s: %w", authority, err)
	}
	if !found {
		return nil, nil
	}
	rules := new(hosts.Rules)
	if err := json.Unmarshal(body, rules); err != nil {
		return nil, permanent("decode robots of "+authority, err)
	}
	if !rules.Hold(c.s.opts.Now(), since) {
		return nil, nil
	}
	return rules, nil
}

// PutRobots implements hosts.RobotsCache.
func (c *Robots) PutRobots(ctx context.Context, authority string, r *hosts.Rules) error {
	body, err := json.Marshal(r)
	if err != nil {
		return permanent("encode robots of "+authority, err)
	}
	err = c.s.write(ctx, func(tx *tx) error {
		_, err := tx.exec("INSERT OR REPLACE INTO robots VALUES (?, ?)", authority, body)
		return err
	})
	if err != nil {
		return fmt.Errorf("write robots of %s: %w", authority, err)
	}
	return nil
}
