package seeding

import (
	"context"
	"fmt"
	"slices"

	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// batch is how many seeds are planted at a time.
const batch = 500

// mostFed is how many hosts are fed at once; a sweep finds the others.
const mostFed = 1000

// give gives seeds to a crawl, adds their hosts to its scope, and wakes the
// crawl, if its frontier was empty, and the stack.
func (s *Seeder) give(ctx context.Context, j *job.Job, seeds []frontier.Link) error {
	j, err := s.widen(ctx, j, seeds)
	if err != nil {
		return err
	}
	var hosts []string
	for chunk := range slices.Chunk(seeds, batch) {
		fresh, err := s.plant(ctx, j, chunk)
		if err != nil {
			return err
		}
		hosts = append(hosts, fresh...)
	}
	if len(hosts) > 0 {
		// Also if it is running: it might just be about to end, and only sees
		// by this change that there are new seeds.
		id := j.ID
		if j, err = s.ports.Jobs.Update(ctx, id, (*job.Job).Reopen); err != nil {
			return fmt.Errorf("reopen crawl %s: %w", id, err)
		}
	}
	if j.State != job.Running {
		return nil // the seeds wait with it
	}
	if err := s.ports.Switch.On(ctx); err != nil {
		return fmt.Errorf("switch on: %w", err)
	}
	slices.Sort(hosts)
	hosts = slices.Compact(hosts)
	return s.feed(ctx, j, hosts[:min(len(hosts), mostFed)])
}

// plant puts seeds into the frontier and returns the hosts of all that are not
// done.
func (s *Seeder) plant(ctx context.Context, j *job.Job, seeds []frontier.Link) ([]string, error) {
	round := 0
	if j.RandomSeed != 0 {
		round = max(j.Round, 1)
	}
	states, err := Frontier{s.ports.Ledger, s.ports.Backlog}.Plant(ctx, j.ID, seeds, round)
	if err != nil {
		return nil, err
	}
	var hosts []string
	for i, l := range seeds {
		if states[i] != ledger.Done {
			hosts = append(hosts, host(l.URL))
		}
	}
	return hosts, nil
}

// Frontier is the destination of links from outside a crawl.
type Frontier struct {
	Ledger  ledger.Ledger
	Backlog frontier.Backlog
}

// Plant puts links that the ledger does not know into the frontier, to wait for the
// round (0 in a crawl without rounds), and returns the earlier states of all.
func (f Frontier) Plant(ctx context.Context, crawl string, links []frontier.Link, round int) ([]ledger.State, error) {
	states, err := f.Ledger.States(ctx, crawl, frontier.URLs(links))
	if err != nil {
		return nil, fmt.Errorf("look up links: %w", err)
	}
	var fresh []frontier.Link
	for i, l := range links {
		if states[i] == ledger.Absent {
			l.Round = round
			fresh = append(fresh, l)
		}
	}
	if len(fresh) == 0 {
		return states, nil
	}
	if err := f.Backlog.Add(ctx, crawl, fresh); err != nil {
		return nil, fmt.Errorf("add links: %w", err)
	}
	if err := f.Ledger.MarkQueued(ctx, crawl, frontier.URLs(fresh)); err != nil {
		return nil, fmt.Errorf("mark links: %w", err)
	}
	return states, nil
}

// feed queues the first tasks of hosts.
func (s *Seeder) feed(ctx context.Context, j *job.Job, hosts []string) error {
	f := frontier.NewHostFeeder(j.ID, s.ports.Backlog, s.ports.Queue, s.ports.Gauge, s.opts.Now)
	if _, err := f.Feed(ctx, hosts, j.Round, len(hosts)*frontier.MaxLinks); err != nil {
		return fmt.Errorf("feed seeds: %w", err)
	}
	return nil
}
