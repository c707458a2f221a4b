package dynamohosts_test

import (
	"context"
	"testing"
	"time"

	"sluice/shared/aws/dynamohosts"
	"sluice/shared/hosts"
	"sluice/shared/hosts/hoststest"
)

func TestHosts(t *testing.T) {
	hoststest.Run(t, func(t *testing.T) *hoststest.Harness {
		s, _, c := open(t)
		return &hoststest.Harness{Leases: s, RobotsCache: s, Now: c.Now, Advance: c.Advance}
	})
}

// forgetful asks a new process each time: nothing may depend on its memory.
type forgetful struct{ process func() *dynamohosts.Store }

func (f forgetful) Robots(ctx context.Context, authority string, since time.Time) (*hosts.Rules, error) {
	return f.process().Robots(ctx, authority, since)
}

func (f forgetful) PutRobots(ctx context.Context, authority string, r *hosts.Rules) error {
	return f.process().PutRobots(ctx, authority, r)
}

func TestHostsOfManyProcesses(t *testing.T) {
	hoststest.Run(t, func(t *testing.T) *hoststest.Harness {
		client, table := newTable(t)
		c := newClock()
		s := process(client, table, c)
		cache := forgetful{func() *dynamohosts.Store { return process(client, table, c) }}
		return &hoststest.Harness{Leases: s, RobotsCache: cache, Now: c.Now, Advance: c.Advance}
	})
}
