package dynamoledger

import (
	"context"
	"errors"
	"sync"
	"time"
)

// commits combines calls of Complete. The tasks of a batch wait for the same
// segment and so end at the same time; separate journals would pay for the
// totals each time.
//
// The first call for a crawl waits a moment, then writes the ends that others
// have added.
type commits struct {
	mu   sync.Mutex
	open map[string]*commit // by crawl, until it is written
}

// commit is the ends of several calls.
type commit struct {
	calls int
	ends  []*ending
	keys  map[string]bool
	done  chan struct{}
	err   error // once done
}

// errUnwritten is the error of a commit whose writer panicked.
var errUnwritten = errors.New("ends were not written")

// gathering is how long the first call waits for others: a fraction of the time
// of a write.
const gathering = 5 * time.Millisecond

// add writes ends together with those of other calls. A URL that the commit
// already has waits for the next one: a journal lists a URL once. Each call of
// a failed commit retries on its own, so that none fails because of another.
func (c *commits) add(ctx context.Context, crawl string, ends []*ending, write func(context.Context, string, []*ending) error) error {
	if len(ends) == 0 {
		return nil
	}
	now, later, first := c.join(crawl, ends)
	if first {
		c.lead(ctx, crawl, now, write)
	}
	select {
	case <-now.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	switch {
	case now.err == nil:
		return c.add(ctx, crawl, later, write)
	case now.calls == 1:
		return now.err
	}
	for _, e := range ends {
		e.refused = nil // that was then
	}
	return write(ctx, crawl, ends)
}

// join adds ends to the open commit of the crawl, and reports whether it is
// new. It returns the ends that do not fit as later.
func (c *commits) join(crawl string, ends []*ending) (now *commit, later []*ending, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now = c.open[crawl]
	if first = now == nil; first {
		now = &commit{keys: map[string]bool{}, done: make(chan struct{}), err: errUnwritten}
		if c.open == nil {
			c.open = map[string]*commit{}
		}
		c.open[crawl] = now
	}
	now.calls++
	for _, e := range ends {
		if now.keys[e.key] {
			later = append(later, e)
			continue
		}
		now.keys[e.key] = true
		now.ends = append(now.ends, e)
	}
	return now, later, first
}

// lead writes a commit for all of its calls. The deadline of the first call
// applies, its cancellation does not.
func (c *commits) lead(ctx context.Context, crawl string, own *commit, write func(context.Context, string, []*ending) error) {
	time.Sleep(gathering)
	c.mu.Lock()
	delete(c.open, crawl) // from now on no call adds to it
	c.mu.Unlock()
	defer close(own.done)
	all := context.WithoutCancel(ctx)
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		all, cancel = context.WithDeadline(all, deadline)
		defer cancel()
	}
	own.err = write(all, crawl, own.ends)
}
