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

// give gives seeds to a crawl, with their hosts in its scope, and wakes it if it
// had run dry, and the stack.
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
		// Also where it is running: it might just be about to end, and would
		// not see that the seeds have come but for this change.
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

// plant puts those seeds into the frontier that have not been there, and
// returns the hosts of all that are not done.
func (s *Seeder) plant(ctx context.Context, j *job.Job, seeds []frontier.Link) ([]string, error) {
	states, err := s.ports.Ledger.States(ctx, j.ID, frontier.URLs(seeds))
	if err != nil {
		return nil, fmt.Errorf("look up seeds: %w", err)
	}
	var fresh []frontier.Link
	var marks, hosts []string
	for i, l := range seeds {
		if states[i] == ledger.Absent {
			if j.RandomSeed != 0 {
				l.Round = max(j.Round, 1)
			}
			fresh, marks = append(fresh, l), append(marks, l.URL)
		}
		if states[i] != ledger.Done {
			hosts = append(hosts, host(l.URL))
		}
	}
	if len(fresh) == 0 {
		return hosts, nil
	}
	if err := s.ports.Backlog.Add(ctx, j.ID, fresh); err != nil {
		return nil, fmt.Errorf("add seeds: %w", err)
	}
	if err := s.ports.Ledger.MarkQueued(ctx, j.ID, marks); err != nil {
		return nil, fmt.Errorf("mark seeds: %w", err)
	}
	return hosts, nil
}

// feed queues the first tasks of hosts.
func (s *Seeder) feed(ctx context.Context, j *job.Job, hosts []string) error {
	f := frontier.NewHostFeeder(j.ID, s.ports.Backlog, s.ports.Queue, s.ports.Gauge, s.opts.Now)
	if _, err := f.FeedAll(ctx, hosts, j.Round, len(hosts)*frontier.MaxLinks); err != nil {
		return fmt.Errorf("feed seeds: %w", err)
	}
	return nil
}
