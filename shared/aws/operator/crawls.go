package operator

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"sluice/shared/console"
	"sluice/shared/crawl/reading"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// Overview is the state of a stack.
type Overview struct {
	Stack  string            `json:"stack"`
	Crawls []console.Summary `json:"crawls"` // by id
	Queues []console.Queue   `json:"queues"`
	Health *console.Health   `json:"health"`
}

// summaries is how many crawls are looked up at once.
const summaries = 8

// Overview returns the state of all crawls of the stack.
func (o *Operator) Overview(ctx context.Context) (*Overview, error) {
	jobs, err := o.parts.Jobs.List(ctx)
	if err != nil {
		return nil, err
	}
	v := &Overview{Stack: o.parts.Resources.Stack, Crawls: make([]console.Summary, len(jobs))}
	all := o.tallies(jobs...)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(summaries)
	for i, j := range jobs {
		g.Go(func() error {
			s, err := o.summarise(ctx, j, all, false)
			if err == nil {
				v.Crawls[i] = *s
			}
			return err
		})
	}
	g.Go(func() (err error) {
		v.Queues, err = o.queues(ctx)
		return err
	})
	g.Go(func() (err error) {
		v.Health, err = o.health(ctx)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("look at stack %s: %w", v.Stack, err)
	}
	for i := range v.Crawls {
		o.awaitCleaning(&v.Crawls[i], v.Queues)
	}
	return v, nil
}

// tallies are what crawls have come to, each read once: a crawl counts in each refresh of it.
type tallies struct {
	read func(ctx context.Context, id string) (console.Generation, error)

	mu sync.Mutex
	of map[string]func() (console.Generation, error)
}

func (t *tallies) get(ctx context.Context, id string) (console.Generation, error) {
	t.mu.Lock()
	once := t.of[id]
	if once == nil {
		once = sync.OnceValues(func() (console.Generation, error) { return t.read(ctx, id) })
		t.of[id] = once
	}
	t.mu.Unlock()
	return once()
}

// tallies returns those of crawls, of which some are known already.
func (o *Operator) tallies(known ...*job.Job) *tallies {
	jobs := make(map[string]*job.Job, len(known))
	for _, j := range known {
		jobs[j.ID] = j
	}
	return &tallies{of: map[string]func() (console.Generation, error){}, read: func(ctx context.Context, id string) (g console.Generation, err error) {
		if g.Totals, err = o.parts.Store.Ledger().Totals(ctx, id); err != nil {
			return g, fmt.Errorf("read totals of %s: %w", id, err)
		}
		j := jobs[id]
		if j == nil {
			if j, err = o.parts.Jobs.Get(ctx, id); err != nil {
				return g, fmt.Errorf("read crawl %s: %w", id, err)
			}
		}
		// Those that the second look has refused. One that a refresh has found changed is counted, too.
		if n := j.Look.Refused; n > 0 {
			g.Refused, g.Current = map[string]int64{reading.RuleSecondLook: n}, n
		}
		return g, nil
	}}
}

// summarise adds up the counters of a crawl, with its segments if it has ended
// lately or deep is set.
func (o *Operator) summarise(ctx context.Context, j *job.Job, all *tallies, deep bool) (_ *console.Summary, err error) {
	ids := append([]string{j.ID}, j.RefreshOf...)
	slices.Reverse(ids)
	generations := make([]console.Generation, len(ids))
	for i, id := range ids {
		if generations[i], err = all.get(ctx, id); err != nil {
			return nil, err
		}
	}
	dollars, err := o.parts.Dollars(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	bucket := "s3://" + o.parts.Resources.Bucket
	s := &console.Summary{
		Out: bucket, Corpus: bucket + "/corpus/" + j.ID, Rejects: bucket + "/rejects/" + j.ID, WARC: bucket + "/raw/" + j.ID,
		Crawl: j.ID, Topic: j.Topic, State: j.State, Reason: j.Reason, Created: j.Created, Updated: j.Updated,
		MaxPages: j.MaxPages, MaxCost: j.MaxCost, CostDollars: dollars,
		DeadLetters: generations[len(ids)-1].Verdicts[ledger.Dead], BadSeeds: j.BadSeeds,
	}
	s.Sum(generations)
	if s.RecordsLeft = j.Records.Left(); j.Records.Whole() {
		s.Records = j.Records.Counts()
	}
	s.Unjudged, s.LookLeft = j.LacksLook() || j.Look.Missing(), j.Look.Left
	if !j.Deadline.IsZero() {
		s.Deadline = &j.Deadline
	}
	if len(j.RefreshOf) > 0 {
		s.RefreshOf = j.RefreshOf[0]
	}
	if j.Reason == job.ReasonHarvestRate && j.Order != nil && j.Order.Watch != nil {
		s.Barren = &j.Order.Watch.Last
	}
	if j.Reason == job.ReasonCoverage && j.Order != nil && j.Order.Growth != nil {
		s.Saturated = &j.Order.Growth.Last
	}
	end := o.now()
	if s.Ended() {
		s.StopReason, end = j.Reason, j.Updated
	}
	s.DurationS = max(end.Sub(j.Created).Seconds(), 0)
	if deep || s.Ended() && o.now().Sub(j.Updated) < letterLife {
		s.Uncleaned, err = o.uncleaned(ctx, j)
	}
	return s, err
}
