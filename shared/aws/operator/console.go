package operator

import (
	"context"

	"sluice/shared/console"
	"sluice/shared/state/job"
)

// Console shows and controls one crawl of the stack.
type Console struct {
	o  *Operator
	id string
}

var (
	_ console.Viewer   = (*Console)(nil)
	_ console.Controls = (*Console)(nil)
)

// Console returns the console of a crawl.
func (o *Operator) Console(id string) *Console { return &Console{o, id} }

// Look implements console.Viewer.
func (c *Console) Look(ctx context.Context) (*console.Status, error) { return c.o.Look(ctx, c.id) }

// Status implements console.Viewer.
func (c *Console) Status(ctx context.Context) (*console.Status, error) { return c.o.Status(ctx, c.id) }

// Starting reports whether a message or event that may start a crawl is queued.
func (c *Console) Starting(ctx context.Context) (bool, error) { return c.o.Starting(ctx) }

// Explain implements console.Viewer.
func (c *Console) Explain(ctx context.Context, url string) (*console.Explanation, error) {
	return c.o.Explain(ctx, c.id, url)
}

// Pause implements console.Controls.
func (c *Console) Pause(ctx context.Context) (*console.Control, error) {
	return c.control(c.o.Pause(ctx, c.id))
}

// Resume implements console.Controls.
func (c *Console) Resume(ctx context.Context) (*console.Control, error) {
	return c.Change(ctx, Changes{})
}

// Change resumes a crawl with changed settings.
func (c *Console) Change(ctx context.Context, changes Changes) (*console.Control, error) {
	return c.control(c.o.Resume(ctx, c.id, changes))
}

// Stop implements console.Controls.
func (c *Console) Stop(ctx context.Context, reason string) (*console.Control, error) {
	return c.control(c.o.Stop(ctx, c.id, reason))
}

func (c *Console) control(j *job.Job, err error) (*console.Control, error) {
	if err != nil {
		return nil, err
	}
	out := &console.Control{
		Stack: c.o.parts.Resources.Stack, Crawl: j.ID, State: j.State, Reason: j.Reason, MaxPages: j.MaxPages, MaxCost: j.MaxCost,
	}
	if !j.Deadline.IsZero() {
		out.Deadline = &j.Deadline
	}
	return out, nil
}
