package operator

import (
	"context"
	"fmt"
	"time"

	"sluice/shared/job"
)

// Pause makes a running crawl wait. What is under way goes back to its backlog.
func (o *Operator) Pause(ctx context.Context, id string) (*job.Job, error) {
	return o.parts.Jobs.Update(ctx, id, (*job.Job).Pause)
}

// Stop ends a crawl before its end, for a reason of the user's, "" for none.
func (o *Operator) Stop(ctx context.Context, id, reason string) (*job.Job, error) {
	return o.parts.Jobs.Update(ctx, id, func(j *job.Job) error { return j.Stop(reason) })
}

// Budgets are new budgets of a crawl; 0 leaves one as it is.
type Budgets struct {
	MaxPages    int
	MaxDuration time.Duration // from now on
	MaxCost     float64       // dollars, in all
}

// apply sets the budgets of a crawl.
func (b Budgets) apply(j *job.Job, now time.Time) {
	if b.MaxPages > 0 {
		j.MaxPages = b.MaxPages
	}
	if b.MaxDuration > 0 {
		j.MaxDuration, j.Deadline = b.MaxDuration, now.Add(b.MaxDuration).UTC()
	}
	if b.MaxCost > 0 {
		j.MaxCost = b.MaxCost
	}
}

// Resume lets a crawl go on, with other budgets where there are any, and turns
// the stack on. It may be repeated: a crawl that is running stays so.
func (o *Operator) Resume(ctx context.Context, id string, budgets Budgets) (*job.Job, error) {
	j, err := o.parts.Jobs.Update(ctx, id, func(j *job.Job) error {
		now := o.now()
		budgets.apply(j, now)
		if j.State == job.Running {
			return nil
		}
		if err := j.Resume(); err != nil {
			return err
		}
		if !j.Deadline.IsZero() && !now.Before(j.Deadline) {
			return request("resume crawl %s: its time was over at %s; give it more with --max-duration", id, j.Deadline.Format(time.RFC3339))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := o.switchOn(ctx); err != nil {
		return nil, fmt.Errorf("crawl %s is resumed, but its stack is not on; resume it again: %w", id, err)
	}
	return j, nil
}
