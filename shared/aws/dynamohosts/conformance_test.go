package dynamohosts_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"sluice/shared/aws/dynamohosts"
	"sluice/shared/web/hosts"
	"sluice/shared/web/hosts/hoststest"
)

func TestHosts(t *testing.T) {
	hoststest.Run(t, func(t *testing.T) *hoststest.Harness {
		s, _, c := open(t)
		return &hoststest.Harness{Leases: s, RobotsCache: s, Now: c.Now, Advance: c.Advance}
	})
}

// relay runs each lease in a process of its own, which ends with Release, and
// each request without a lease in a new one: nothing may depend on a process's
// memory.
type relay struct {
	process func() *dynamohosts.Store

	mu     sync.Mutex
	of     map[string]*dynamohosts.Store // by owner
	holder string                        // the last to acquire a host
}

func (r *relay) pick(owner string) *dynamohosts.Store {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.of[owner]; s != nil {
		return s
	}
	return r.process()
}

func (r *relay) Acquire(ctx context.Context, crawl, host, owner string, ttl time.Duration) (*hosts.Lease, error) {
	s := r.pick(owner)
	l, err := s.Acquire(ctx, crawl, host, owner, ttl)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.of[owner], r.holder = s, owner
	}
	return l, err
}

func (r *relay) Release(ctx context.Context, crawl string, l *hosts.Lease) error {
	s := r.pick(l.Owner)
	r.mu.Lock()
	delete(r.of, l.Owner)
	r.mu.Unlock()
	return s.Release(ctx, crawl, l)
}

func (r *relay) Robots(ctx context.Context, authority string, since time.Time) (*hosts.Rules, error) {
	return r.pick(r.holder).Robots(ctx, authority, since)
}

func (r *relay) PutRobots(ctx context.Context, authority string, rules *hosts.Rules) error {
	return r.pick(r.holder).PutRobots(ctx, authority, rules)
}

func TestHostsOfManyProcesses(t *testing.T) {
	hoststest.Run(t, func(t *testing.T) *hoststest.Harness {
		client, table := newTable(t)
		c := newClock()
		r := &relay{
			process: func() *dynamohosts.Store { return process(client, table, c) },
			of:      map[string]*dynamohosts.Store{},
		}
		return &hoststest.Harness{Leases: r, RobotsCache: r, Now: c.Now, Advance: c.Advance}
	})
}
