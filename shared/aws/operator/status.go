package operator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"sluice/shared/console"
	"sluice/shared/crawl/clean"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

const (
	statusHosts = 20      // hosts that a status lists
	allHosts    = 1 << 30 // no limit
	anyRound    = 1 << 30 // no limit
)

// Look returns the state of a crawl without its backlog, which takes a query
// for each host. The error wraps job.ErrUnknown if the crawl does not exist.
func (o *Operator) Look(ctx context.Context, id string) (*console.Status, error) {
	return o.status(ctx, id, false)
}

// Status returns the full state of a crawl.
func (o *Operator) Status(ctx context.Context, id string) (*console.Status, error) {
	return o.status(ctx, id, true)
}

func (o *Operator) status(ctx context.Context, id string, deep bool) (*console.Status, error) {
	j, err := o.parts.Jobs.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	s := &console.Status{Stack: o.parts.Resources.Stack}
	if j.Tuning != nil {
		s.Adjustments = j.Tuning.Log
	}
	var standings []frontier.Standing
	var waiting []frontier.HostDepth
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		sum, err := o.summarise(ctx, j, o.tallies(j), deep)
		if err == nil {
			s.Summary = *sum
		}
		return err
	})
	g.Go(func() (err error) {
		s.Queues, err = o.queues(ctx)
		return err
	})
	g.Go(func() (err error) {
		standings, err = o.parts.Store.Gauge().Standings(ctx, id)
		return err
	})
	if deep && j.Look.Made != 0 {
		g.Go(func() error {
			l, err := clean.ReadLook(ctx, o.parts.Objects, id)
			if err == nil {
				s.SecondLook = l.Result
			}
			return err
		})
	}
	if deep {
		g.Go(func() (err error) {
			s.Health, err = o.health(ctx)
			return err
		})
		g.Go(func() (err error) {
			waiting, err = o.parts.Store.Backlog().Waiting(ctx, id, rounds(j), 0, allHosts)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("look at crawl %s: %w", id, err)
	}
	o.awaitCleaning(&s.Summary, s.Queues)
	setHosts(s, standings, waiting)
	return s, nil
}

// rounds returns the round up to which all links of a crawl are visible.
// Without rounds all links are in round 0, which is cheaper to query.
func rounds(j *job.Job) int {
	if j.RandomSeed == 0 {
		return 0
	}
	return anyRound
}

func setHosts(s *console.Status, standings []frontier.Standing, waiting []frontier.HostDepth) {
	links := map[string]int{}
	for _, h := range waiting {
		links[h.Host] = h.Links
		s.Waiting += h.Links
	}
	s.Hosts, s.ClosedHosts = []console.Host{}, []console.ClosedHost{}
	for _, h := range standings {
		s.Queued += h.Queued
		switch {
		case h.Closed != "":
			s.HostCounts.Closed++
			s.ClosedHosts = append(s.ClosedHosts, console.ClosedHost{Host: h.Host, Rule: h.Closed})
			continue
		case h.Queued > 0:
			s.HostCounts.Active++
		default:
			s.HostCounts.Idle++
		}
		s.Hosts = append(s.Hosts, console.Host{Host: h.Host, Queued: h.Queued, Waiting: links[h.Host]})
	}
	slices.SortFunc(s.Hosts, func(a, b console.Host) int {
		return cmp.Or(cmp.Compare(b.Queued+b.Waiting, a.Queued+a.Waiting), cmp.Compare(a.Host, b.Host))
	})
	s.Hosts = s.Hosts[:min(len(s.Hosts), statusHosts)]
}

// Starting reports whether a message or event that may start a crawl is queued.
func (o *Operator) Starting(ctx context.Context) (bool, error) {
	queues, err := o.queues(ctx)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(queues, func(q console.Queue) bool { return q.Name == Seeds && q.Messages() > 0 }), nil
}
