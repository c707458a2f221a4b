package operator

import (
	"cmp"
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

// Changes are what a crawl is to be from now on; zero values leave things as
// they are.
type Changes struct {
	MaxPages        int
	MaxPagesPerHost int
	MaxDepth        int
	MaxDuration     time.Duration // from now on
	MaxCost         float64       // dollars, in all
	Delay           *time.Duration
	ScopeMode       string
	Topic           string     // key of one in the bucket; "" for TopicFile, or as it is
	TopicFile       *TopicFile // nil: none
}

// apply changes a crawl.
func (c *Changes) apply(j *job.Job, now time.Time) {
	j.MaxPages = cmp.Or(c.MaxPages, j.MaxPages)
	j.MaxPagesPerHost = cmp.Or(c.MaxPagesPerHost, j.MaxPagesPerHost)
	j.MaxDepth = cmp.Or(c.MaxDepth, j.MaxDepth)
	j.MaxCost = cmp.Or(c.MaxCost, j.MaxCost)
	j.Topic = cmp.Or(c.Topic, j.Topic)
	if c.MaxDuration > 0 {
		j.MaxDuration, j.Deadline = c.MaxDuration, now.Add(c.MaxDuration).UTC()
	}
	if c.Delay != nil {
		j.Delay = *c.Delay
	}
	if c.ScopeMode != "" {
		scope := job.Scope{}
		if j.Scope != nil {
			scope = *j.Scope
		}
		scope.Mode = c.ScopeMode
		j.Scope = &scope
	}
}

// findTopic makes sure of the topic of the changes.
func (o *Operator) findTopic(ctx context.Context, c *Changes) error {
	switch {
	case c.TopicFile != nil:
		s, err := o.shelve(ctx, c.TopicFile)
		if err != nil {
			return err
		}
		c.Topic = s.key
		return o.put(ctx, s)
	case c.Topic != "":
		_, err := o.shelved(ctx, c.Topic)
		return err
	}
	return nil
}

// Resume lets a crawl go on, changed where there are changes, and turns the
// stack on. It may be repeated: a crawl that is running stays so.
func (o *Operator) Resume(ctx context.Context, id string, changes Changes) (*job.Job, error) {
	if err := o.findTopic(ctx, &changes); err != nil {
		return nil, err
	}
	j, err := o.parts.Jobs.Update(ctx, id, func(j *job.Job) error {
		now := o.now()
		changes.apply(j, now)
		if err := j.Validate(); err != nil {
			return requestError{err}
		}
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
