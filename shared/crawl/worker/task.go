package worker

import (
	"context"
	"log/slog"
	"slices"

	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
)

// Tasks works on tasks of one crawl. It is the same in a function of the cloud
// and in the engine of one machine.
type Tasks struct {
	Step Runner
	Log  *slog.Logger
}

// Runner is the step, as a task needs it.
type Runner interface {
	Run(ctx context.Context, task *frontier.Task, grant step.Grant) (*step.Outcome, error)
}

// Supply is the source and destination of tasks' links. A function does not
// know the work of other functions; the engine of one machine knows everything
// and queues links in exact order.
type Supply interface {
	// More returns waiting links of the task's host to fetch along with it.
	// They remain in the backlog until Ended.
	More(ctx context.Context, t *frontier.Task) ([]frontier.Link, error)
	// HandBack stores the rest of a task. If it puts it into the backlog it
	// empties out.Rest and sets out.Closed.
	HandBack(ctx context.Context, t *frontier.Task, out *step.Outcome) error
	// Ended ends a task that was worked on together with more links.
	Ended(ctx context.Context, t *frontier.Task, more []frontier.Link, out *step.Outcome) error
	// Feed queues more links of the hosts that a task with all its links touched.
	Feed(ctx context.Context, t *frontier.Task, out *step.Outcome) error
}

// Do works on one task and carries out its outcome. The rest is stored before
// the task ends, so that a crash in between duplicates it, but never loses it.
// More links of its host are queued after it has ended.
func (c *Tasks) Do(ctx context.Context, t *frontier.Task, grant step.Grant, supply Supply) error {
	more, err := supply.More(ctx, t)
	if err != nil {
		return err
	}
	whole := *t
	whole.Links = slices.Concat(t.Links, more)
	out, err := c.run(ctx, &whole, grant)
	if err != nil {
		return err
	}
	if err := supply.HandBack(ctx, t, out); err != nil {
		return err
	}
	if err := supply.Ended(ctx, t, more, out); err != nil {
		return err
	}
	return supply.Feed(ctx, &whole, out)
}

// run calls the step. A panic in it fails only the task.
func (c *Tasks) run(ctx context.Context, t *frontier.Task, grant step.Grant) (out *step.Outcome, err error) {
	err = fault.Catch(ctx, c.Log.With("task", t.ID, "host", t.Host), func() (err error) {
		out, err = c.Step.Run(ctx, t, grant)
		return err
	})
	return out, err
}
