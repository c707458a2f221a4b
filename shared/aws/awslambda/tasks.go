package awslambda

import (
	"context"
	"strings"
	"time"

	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

// Tasks are the operations on the messages of a frontier queue.
type Tasks struct {
	// Handle works on tasks. When stop is closed it hands back the rest.
	Handle func(ctx context.Context, stop <-chan struct{}, tasks []*frontier.Task) []error
	// Send sends a task that came early back to the queue.
	Send func(ctx context.Context, out []frontier.Outgoing) error
	// Forward forwards a message that starts a crawl or names seeds.
	Forward func(ctx context.Context, body string) error
	// Spare is how long before the deadline Handle is stopped.
	Spare time.Duration
}

// Records implements Handler.
func (h *Tasks) Records(ctx context.Context, records []Record) []error {
	errs := make([]error, len(records))
	var tasks []*frontier.Task
	var places []int
	for i, rec := range records {
		task, err := h.open(ctx, rec)
		if errs[i] = err; task != nil {
			tasks, places = append(tasks, task), append(places, i)
		}
	}
	stop, cancel := h.stop(ctx)
	defer cancel()
	for i, err := range h.Handle(ctx, stop, tasks) {
		errs[places[i]] = err
	}
	return errs
}

// open returns the task of a record, nil if there is nothing to do now.
func (h *Tasks) open(ctx context.Context, rec Record) (*frontier.Task, error) {
	if isMessage(rec.Body) {
		return nil, h.Forward(ctx, rec.Body)
	}
	task, err := frontier.DecodeTask([]byte(rec.Body))
	if err != nil {
		return nil, fault.New(fault.Poison, "bad_task", err)
	}
	if wait := time.Until(task.NotBefore); wait > 0 {
		return nil, h.Send(ctx, []frontier.Outgoing{{Task: task, Delay: wait}})
	}
	task.NotBefore = time.Time{}
	return task, nil
}

// isMessage reports whether a body is meant for the seeds: a bare URL or a
// message that starts a crawl.
func isMessage(body string) bool {
	if !strings.HasPrefix(strings.TrimSpace(body), "{") {
		_, err := frontier.DecodeTask([]byte(body))
		return err == nil
	}
	_, err := job.ParseMessage([]byte(body))
	return err == nil
}

// stop returns a channel that is closed shortly before the deadline.
func (h *Tasks) stop(ctx context.Context) (stop <-chan struct{}, cancel func()) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return nil, func() {}
	}
	end, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline.Add(-h.Spare))
	return end.Done(), cancel
}
