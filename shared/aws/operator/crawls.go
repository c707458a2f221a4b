package operator

import (
	"context"
	"fmt"
	"maps"
	"time"

	"golang.org/x/sync/errgroup"

	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// Summary is what a crawl has come to. Keys that a local crawl has as well mean
// the same.
type Summary struct {
	Crawl   string    `json:"crawl"`
	Topic   string    `json:"topic"` // its key in the bucket
	State   job.State `json:"state"`
	Reason  string    `json:"reason"` // why it is stopped or done
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`

	MaxPages int        `json:"max_pages"`
	Deadline *time.Time `json:"deadline,omitempty"`
	MaxCost  float64    `json:"max_cost,omitempty"` // dollars

	Fetched      int64            `json:"fetched"`
	Kept         int64            `json:"kept"`
	Rejected     int64            `json:"rejected"`
	Passed       int64            `json:"passed"`
	Skipped      int64            `json:"skipped"`
	Redirected   int64            `json:"redirected"`
	Sources      int64            `json:"sources"`
	Forgotten    int64            `json:"forgotten"`
	DroppedLinks int64            `json:"dropped_links"`
	Enqueued     int64            `json:"enqueued"`
	DeadLetters  int64            `json:"dead_letters"` // links given up on
	HarvestRate  float64          `json:"harvest_rate"` // kept / fetched
	StopReason   string           `json:"stop_reason"`  // "" until it has ended
	DurationS    float64          `json:"duration_s"`   // since it was created, until its end
	Rules        map[string]int64 `json:"rules"`
	Drops        map[string]int64 `json:"drops"`
	CostDollars  float64          `json:"cost_dollars"` // so far, at public prices

	RefreshOf string     `json:"refresh_of,omitempty"` // crawl whose pages it looks at again
	Refresh   *Refreshed `json:"refresh,omitempty"`    // what became of that one's documents
}

// Refreshed is what a refresh has come to.
type Refreshed struct {
	Unchanged int64 `json:"unchanged"`
	Changed   int64 `json:"changed"` // have a new version
	Gone      int64 `json:"gone"`
	New       int64 `json:"new"`
	Unreached int64 `json:"unreached"` // could not be had, and stay current
}

// Ended reports whether the crawl goes on no more by itself.
func (s *Summary) Ended() bool { return s.State == job.Stopped || s.State == job.Done }

// Overview is how a stack stands.
type Overview struct {
	Stack  string    `json:"stack"`
	Crawls []Summary `json:"crawls"` // by id
	Queues []Queue   `json:"queues"`
}

// summaries is how many crawls are looked up at a time.
const summaries = 8

// Overview tells how all crawls of the stack stand.
func (o *Operator) Overview(ctx context.Context) (*Overview, error) {
	jobs, err := o.parts.Jobs.List(ctx)
	if err != nil {
		return nil, err
	}
	v := &Overview{Stack: o.parts.Resources.Stack, Crawls: make([]Summary, len(jobs))}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(summaries)
	for i, j := range jobs {
		g.Go(func() error {
			s, err := o.summarise(ctx, j)
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
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("look at stack %s: %w", v.Stack, err)
	}
	return v, nil
}

// summarise adds up a crawl.
func (o *Operator) summarise(ctx context.Context, j *job.Job) (*Summary, error) {
	t, err := o.parts.Store.Ledger().Totals(ctx, j.ID)
	if err != nil {
		return nil, fmt.Errorf("read totals of %s: %w", j.ID, err)
	}
	dollars, err := o.parts.Dollars(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	s := &Summary{
		Crawl: j.ID, Topic: j.Topic, State: j.State, Reason: j.Reason, Created: j.Created, Updated: j.Updated,
		MaxPages: j.MaxPages, MaxCost: j.MaxCost, CostDollars: dollars,
		Fetched: t.Fetched, Kept: t.Verdicts[ledger.Kept], Rejected: t.Verdicts[ledger.Rejected] + t.Verdicts[ledger.Passed],
		Passed: t.Verdicts[ledger.Passed], Skipped: t.Verdicts[ledger.Skipped], Redirected: t.Verdicts[ledger.Redirected],
		Sources: t.Verdicts[ledger.Source], Forgotten: t.Verdicts[ledger.Forgotten], DeadLetters: t.Verdicts[ledger.Dead],
		DroppedLinks: t.Dropped, Enqueued: t.Enqueued, Rules: t.Rules, Drops: t.Drops,
	}
	if !j.Deadline.IsZero() {
		s.Deadline = &j.Deadline
	}
	if len(j.RefreshOf) > 0 {
		s.RefreshOf = j.RefreshOf[0]
		s.Refresh = &Refreshed{
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
	end := o.now()
	if s.Ended() {
		s.StopReason, end = j.Reason, j.Updated
	}
	s.DurationS = max(end.Sub(j.Created).Seconds(), 0)
	return s, nil
}
