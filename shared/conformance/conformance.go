// Package conformance runs suites of checks that every adapter of a port must
// pass, and has helpers for such suites.
package conformance

import (
	"sync"
	"testing"
	"time"
)

// Check is one promise of a port; H is the adapter under test.
type Check[H any] struct {
	Name  string
	Check func(*testing.T, H)
}

// Run runs each check on a new adapter.
func Run[H any](t *testing.T, checks []Check[H], open func(t *testing.T) H) {
	for _, c := range checks {
		t.Run(c.Name, func(t *testing.T) { c.Check(t, open(t)) })
	}
}

// Clock is a clock that tests move by hand. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that is stopped at a time.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
