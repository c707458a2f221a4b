package seeding

import (
	"context"
	"fmt"

	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

// The most that later seeds add to a crawl's scope, including the seeds it has:
// a job must be small. Seeds of further hosts are fetched, but their links are
// not followed.
const (
	maxScope      = 2000
	maxScopeBytes = 128 << 10
)

// widen adds the hosts of seeds to the scope of a crawl. A scope that workers
// cannot use is a Poison fault: it would stop the whole crawl.
func (s *Seeder) widen(ctx context.Context, j *job.Job, seeds []frontier.Link) (*job.Job, error) {
	had := j.Seeds
	if len(had) == 0 {
		var err error
		if had, err = topicSeeds(ctx, s.ports.Topics, j); err != nil {
			return nil, err
		}
	}
	wider := *j
	if wider.Seeds = entrances(had, seeds); len(wider.Seeds) == len(had) {
		return j, nil
	}
	t, err := s.ports.Topics.Get(ctx, j.Topic)
	if err != nil {
		return nil, fmt.Errorf("read topic of %s: %w", j.ID, err)
	}
	if err = s.rehearse(&wider, t); err == nil {
		err = wider.Validate()
	}
	if err != nil {
		return nil, fault.New(fault.Poison, "bad_seeds", fmt.Errorf("widen scope of %s: %w", j.ID, err))
	}
	j, err = s.ports.Jobs.Update(ctx, wider.ID, func(j *job.Job) error {
		if len(j.Seeds) == 0 {
			j.Seeds = had
		}
		j.Seeds = entrances(j.Seeds, seeds)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("widen scope of %s: %w", wider.ID, err)
	}
	return j, nil
}

// entrances adds to seeds the first of each host that they do not have, within
// limits.
func entrances(seeds []string, more []frontier.Link) []string {
	known, size := map[string]bool{}, 0
	for _, u := range seeds {
		known[host(u)] = true
		size += len(u)
	}
	out := seeds[:len(seeds):len(seeds)]
	for _, l := range more {
		h := host(l.URL)
		if known[h] || len(out) >= maxScope || size+len(l.URL) > maxScopeBytes {
			continue
		}
		known[h] = true
		size += len(l.URL)
		out = append(out, l.URL)
	}
	return out
}
