package dynamoledger

import (
	"context"

	"sluice/shared/aws/gather"
)

// commits combines calls of Complete: separate journals would pay for the totals each time.
type commits struct{ calls gather.Calls[commit] }

// commit is the ends of several calls.
type commit struct {
	ends []*ending
	keys map[string]bool
}

// add writes ends together with those of other calls. A URL that the commit
// already has waits for the next one: a journal lists a URL once. Each call of
// a failed commit retries on its own, so that none fails because of another.
func (c *commits) add(ctx context.Context, crawl string, ends []*ending, write func(context.Context, string, []*ending) error) error {
	if len(ends) == 0 {
		return nil
	}
	var later []*ending
	calls, err := c.calls.Do(ctx, crawl, func(all *commit) { later = all.join(ends) }, func(ctx context.Context, all commit) error {
		return write(ctx, crawl, all.ends)
	})
	switch {
	case err == nil:
		return c.add(ctx, crawl, later, write)
	case calls == 1:
		return err
	}
	for _, e := range ends {
		e.refused = nil // that was then
	}
	return write(ctx, crawl, ends)
}

// join adds ends to a commit, and returns those that do not fit.
func (c *commit) join(ends []*ending) (later []*ending) {
	if c.keys == nil {
		c.keys = map[string]bool{}
	}
	for _, e := range ends {
		if c.keys[e.key] {
			later = append(later, e)
			continue
		}
		c.keys[e.key] = true
		c.ends = append(c.ends, e)
	}
	return later
}
