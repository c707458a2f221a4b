package operator

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"sluice/shared/state/job"
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
	Allow, Deny     *[]string  // nil: as they are; an empty list empties it
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
}

// rescopes reports whether the changes are of the scope, too.
func (c *Changes) rescopes() bool { return c.ScopeMode != "" || c.Allow != nil || c.Deny != nil }

// rescope changes the scope of a crawl, which is its topic's where the crawl has
// none of its own.
func (o *Operator) rescope(ctx context.Context, c *Changes, j *job.Job) error {
	if !c.rescopes() {
		return nil
	}
	var scope job.Scope
	if j.Scope != nil {
		scope = *j.Scope
	} else {
		s, err := o.shelved(ctx, j.Topic)
		if err != nil {
			return fmt.Errorf("read the scope of crawl %s: %w", j.ID, err)
		}
		t := s.topic.File.Scope
		scope = job.Scope{Mode: string(t.Mode), Allow: t.Allow, Deny: t.Deny}
	}
	scope.Mode = cmp.Or(c.ScopeMode, scope.Mode)
	if c.Allow != nil {
		scope.Allow = *c.Allow
	}
	if c.Deny != nil {
		scope.Deny = *c.Deny
	}
	j.Scope = &scope
	return nil
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
