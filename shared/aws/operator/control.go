package operator

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// Pause pauses a running crawl. Tasks in the queues return to its backlog.
func (o *Operator) Pause(ctx context.Context, id string) (*job.Job, error) {
	return o.parts.Jobs.Update(ctx, id, (*job.Job).Pause)
}

// Stop ends a crawl early. The reason is the user's and may be empty.
func (o *Operator) Stop(ctx context.Context, id, reason string) (*job.Job, error) {
	return o.parts.Jobs.Update(ctx, id, func(j *job.Job) error { return j.Stop(reason) })
}

// Changes are new settings of a crawl. Zero values leave settings unchanged.
type Changes struct {
	limits.Limits         // the duration counts from now
	MaxCost       float64 // dollars, total
	Delay         *time.Duration
	Scope         *limits.Scope // a nil list is unchanged, an empty one clears it
	Topic         string        // key of a topic in the bucket; "" for TopicFile or no change
	TopicFile     *TopicFile    // nil: none
}

// apply changes a crawl.
func (c *Changes) apply(j *job.Job, now time.Time) {
	j.Limits = c.Or(j.Limits)
	j.MaxCost = cmp.Or(c.MaxCost, j.MaxCost)
	j.Topic = cmp.Or(c.Topic, j.Topic)
	if c.MaxDuration > 0 {
		j.Deadline = now.Add(c.MaxDuration).UTC()
	}
	if c.Delay != nil {
		j.Delay = *c.Delay
	}
}

// rescope changes the scope of a crawl. A crawl without its own scope has that
// of its topic.
func (o *Operator) rescope(ctx context.Context, c *Changes, j *job.Job) error {
	if c.Scope == nil {
		return nil
	}
	scope := j.Scope
	if scope == nil {
		s, err := o.shelved(ctx, j.Topic)
		if err != nil {
			return fmt.Errorf("read the scope of crawl %s: %w", j.ID, err)
		}
		scope = &s.topic.File.Scope.Scope
	}
	j.Scope = new(c.Scope.Or(*scope))
	return nil
}

// reorder gives a crawl with another topic its strategy and the order of that.
func (o *Operator) reorder(ctx context.Context, c *Changes, j *job.Job) error {
	if c.Topic == "" {
		return nil
	}
	s, err := o.shelved(ctx, c.Topic)
	if err != nil {
		return err
	}
	if c.Topic != j.Topic {
		j.Strategy, j.Thresholds = s.topic.File.Strategy, nil
		j.Unlearn()
	}
	return plan.Order(j, s.topic)
}

// findTopic checks or shelves the topic of the changes.
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

// Resume resumes a crawl, with any changes, and switches the stack on. It may
// be repeated: a running crawl stays running.
func (o *Operator) Resume(ctx context.Context, id string, changes Changes) (*job.Job, error) {
	if err := o.findTopic(ctx, &changes); err != nil {
		return nil, err
	}
	j, err := o.parts.Jobs.Update(ctx, id, func(j *job.Job) error {
		now := o.now()
		if err := o.reorder(ctx, &changes, j); err != nil {
			return err
		}
		changes.apply(j, now)
		if err := o.rescope(ctx, &changes, j); err != nil {
			return err
		}
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
			return request("resume crawl %s: its deadline was %s; extend it with --max-duration", id, j.Deadline.Format(time.RFC3339))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := o.switchOn(ctx); err != nil {
		return nil, fmt.Errorf("crawl %s is resumed, but its stack is not switched on; resume it again: %w", id, err)
	}
	return j, nil
}
