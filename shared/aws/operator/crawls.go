package operator

import (
	"context"
	"fmt"
	"maps"

	"golang.org/x/sync/errgroup"

	"sluice/shared/console"
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
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(summaries)
	for i, j := range jobs {
		g.Go(func() error {
			s, err := o.summarise(ctx, j, false)
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

// summarise adds up the counters of a crawl, with its segments if it has ended
// lately or deep is set.
func (o *Operator) summarise(ctx context.Context, j *job.Job, deep bool) (*console.Summary, error) {
	t, err := o.parts.Store.Ledger().Totals(ctx, j.ID)
	if err != nil {
		return nil, fmt.Errorf("read totals of %s: %w", j.ID, err)
	}
	dollars, err := o.parts.Dollars(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	bucket := "s3://" + o.parts.Resources.Bucket
	s := &console.Summary{
		Generation: 1 + len(j.RefreshOf), Out: bucket,
		Corpus: bucket + "/corpus/" + j.ID, Rejects: bucket + "/rejects/" + j.ID, WARC: bucket + "/raw/" + j.ID,
		Crawl: j.ID, Topic: j.Topic, State: j.State, Reason: j.Reason, Created: j.Created, Updated: j.Updated,
		MaxPages: j.MaxPages, MaxCost: j.MaxCost, CostDollars: dollars,
		Fetched: t.Fetched, Rendered: t.Rendered, Kept: t.Verdicts[ledger.Kept], Rejected: t.Verdicts[ledger.Rejected] + t.Verdicts[ledger.Passed],
		Passed: t.Verdicts[ledger.Passed], Skipped: t.Verdicts[ledger.Skipped], Redirected: t.Verdicts[ledger.Redirected],
		Sources: t.Verdicts[ledger.Source], Forgotten: t.Verdicts[ledger.Forgotten], DeadLetters: t.Verdicts[ledger.Dead],
		DroppedLinks: t.Dropped, Enqueued: t.Enqueued, Rules: t.Rules, Drops: t.Drops, BadSeeds: j.BadSeeds,
	}
	if s.RecordsLeft = j.Records.Left(); j.Records.Whole() {
		s.Records = j.Records.Counts()
	}
	if !j.Deadline.IsZero() {
		s.Deadline = &j.Deadline
	}
	if len(j.RefreshOf) > 0 {
		s.RefreshOf = j.RefreshOf[0]
		s.Refresh = &console.Refreshed{
			Unchanged: t.Changes[ledger.Unchanged], Changed: t.Changes[ledger.Changed], Gone: t.Changes[ledger.Gone],
			New: t.Changes[ledger.New], Unreached: t.Changes[ledger.Unreached],
		}
	}
	for _, counts := range []map[string]int64{s.Rules, s.Drops} {
		maps.DeleteFunc(counts, func(_ string, n int64) bool { return n == 0 }) // taken back by a redrive
	}
	if s.Fetched > 0 {
		s.HarvestRate = float64(s.Kept) / float64(s.Fetched)
	}
	if j.Reason == job.ReasonHarvestRate && j.Order != nil && j.Order.Watch != nil {
		s.Barren = &j.Order.Watch.Last
	}
	end := o.now()
	if s.Ended() {
		s.StopReason, end = j.Reason, j.Updated
	}
	s.DurationS = max(end.Sub(j.Created).Seconds(), 0)
	if deep || s.Ended() && o.now().Sub(j.Updated) < letterLife {
		s.Uncleaned, err = o.uncleaned(ctx, j.ID)
	}
	return s, err
}
