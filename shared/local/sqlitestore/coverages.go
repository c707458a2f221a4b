package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"sluice/shared/state/job"
)

// Coverages implements job.Coverages. What it has read or written of a crawl it
// remembers: no other process writes.
type Coverages struct {
	s *Store

	mu    sync.Mutex
	known map[string]job.Coverage
}

var _ job.Coverages = (*Coverages)(nil)

// Coverages returns the coverage of all crawls in the store. Use one at a time.
func (s *Store) Coverages() *Coverages { return &Coverages{s: s, known: map[string]job.Coverage{}} }

// Cover implements job.Coverages.
func (c *Coverages) Cover(ctx context.Context, crawl string, more job.Coverage) error {
	c.mu.Lock()
	known, err := c.read(ctx, crawl)
	all := known.With(more)
	c.known[crawl] = all
	c.mu.Unlock()
	if err != nil || all.Equal(known) {
		return err
	}
	err = c.s.write(ctx, func(tx *tx) error {
		c.mu.Lock()
		text, err := json.Marshal(c.known[crawl]) // with what others have added meanwhile
		c.mu.Unlock()
		if err != nil {
			return err
		}
		return setMeta(tx, coverageKey(crawl), string(text))
	})
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.known, crawl)
		return fmt.Errorf("write coverage of %s: %w", crawl, err)
	}
	return nil
}

// Covered implements job.Coverages.
func (c *Coverages) Covered(ctx context.Context, crawl string) (job.Coverage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read(ctx, crawl)
}

func (c *Coverages) read(ctx context.Context, crawl string) (job.Coverage, error) {
	known, ok := c.known[crawl]
	if ok {
		return known, nil
	}
	text, found, err := c.s.Meta(ctx, coverageKey(crawl))
	if err == nil && found {
		err = json.Unmarshal([]byte(text), &known)
	}
	if err != nil {
		return job.Coverage{}, fmt.Errorf("read coverage of %s: %w", crawl, err)
	}
	c.known[crawl] = known
	return known, nil
}

func coverageKey(crawl string) string { return "coverage " + crawl }
