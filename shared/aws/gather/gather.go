// Package gather combines concurrent calls that write to the same item, which pays for each write.
package gather

import (
	"context"
	"errors"
	"sync"
	"time"
)

// wait is how long the first call waits for others: about the time of a write. The tasks of a
// batch wait for the same segment, and so end at the same time.
const wait = 10 * time.Millisecond

// errUnwritten is the error of calls whose writer panicked.
var errUnwritten = errors.New("not written")

// Calls combines calls by a key. The zero value is ready; it is safe for concurrent use.
type Calls[T any] struct {
	mu   sync.Mutex
	open map[string]*combined[T] // by key, until it is written
}

// combined is what several calls write.
type combined[T any] struct {
	value T
	calls int
	done  chan struct{}
	err   error // once done
}

// Do has join add to what the calls of a key write together, which begins as the zero value, and
// waits until write has written it. The first call waits a moment for others, then writes for all:
// its deadline applies, its cancellation does not. Do returns the error of the write, and how
// many calls it is of: 1 if that of ctx.
func (c *Calls[T]) Do(ctx context.Context, key string, join func(*T), write func(context.Context, T) error) (calls int, err error) {
	own, first := c.join(key, join)
	if first {
		c.lead(ctx, key, own, write)
	}
	select {
	case <-own.done:
		return own.calls, own.err
	case <-ctx.Done():
		return 1, ctx.Err()
	}
}

// join joins the open calls of a key, and reports whether it is the first of them.
func (c *Calls[T]) join(key string, join func(*T)) (own *combined[T], first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own = c.open[key]
	if first = own == nil; first {
		own = &combined[T]{done: make(chan struct{}), err: errUnwritten}
		if c.open == nil {
			c.open = map[string]*combined[T]{}
		}
		c.open[key] = own
	}
	own.calls++
	join(&own.value)
	return own, first
}

// lead writes for all calls.
func (c *Calls[T]) lead(ctx context.Context, key string, own *combined[T], write func(context.Context, T) error) {
	time.Sleep(wait)
	c.mu.Lock()
	delete(c.open, key) // from now on no call joins
	c.mu.Unlock()
	defer close(own.done)
	all := context.WithoutCancel(ctx)
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		all, cancel = context.WithDeadline(all, deadline)
		defer cancel()
	}
	own.err = write(all, own.value)
}
