package awslambda

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"sluice/shared/fault"
)

// Options are the means of the edge. The zero value leaves all that fails to
// SQS: visibility timeout and redrive policy of the queue.
type Options struct {
	// DeadLetter stores a record that must not be tried again, with the reason
	// and the fault class. It is acknowledged afterwards.
	DeadLetter func(ctx context.Context, rec Record, reason, class string) error
	// Delay makes a record visible again after d, at most 12 hours.
	Delay func(ctx context.Context, rec Record, d time.Duration) error

	MaxReceives int           // tries of a record; 0 means 6
	Margin      time.Duration // kept of the invocation's time for the edge; 0 means 5 s
	Log         *slog.Logger  // nil: no logging
}

const (
	defaultReceives = 6
	defaultMargin   = 5 * time.Second

	maxDelay     = 12 * time.Hour // of SQS
	firstBackoff = 30 * time.Second
	maxBackoff   = 15 * time.Minute
)

// ruleWorn is the rule of a record that keeps killing its workers.
const ruleWorn = "received_too_often"

// SQS returns the Lambda handler of a queue whose mapping reports batch item
// failures. It acknowledges a record without an error, and acts on an error as
// fault.Error.Action says; in addition:
//
//   - backoff: doubles with each receipt, jittered, at most 15 minutes.
//   - any error at the last receipt: dead letter.
//   - received more often than that: it kills its workers. Dead letter before
//     it is tried.
//
// If the dead letter cannot be stored, the record fails instead. The handler's
// context ends Margin before the invocation does.
func SQS(handler Handler, opts Options) func(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
	opts.MaxReceives = cmp.Or(opts.MaxReceives, defaultReceives)
	opts.Margin = cmp.Or(opts.Margin, defaultMargin)
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	e := &edge{handler: handler, opts: opts}
	return e.handle
}

type edge struct {
	handler Handler
	opts    Options
}

func (e *edge) handle(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
	all := records(&event)
	failed := failures{seen: map[string]bool{}}
	failed.response.BatchItemFailures = []events.SQSBatchItemFailure{} // not null, which some emulators refuse
	var fresh []Record
	for _, rec := range all {
		if rec.Receives > e.opts.MaxReceives {
			err := fault.New(fault.Poison, ruleWorn, fmt.Errorf("received %d times without an answer: it kills its workers", rec.Receives-1))
			failed.add(rec, e.answer(ctx, rec, err))
			continue
		}
		fresh = append(fresh, rec)
	}
	for i, err := range e.run(ctx, fresh) {
		failed.add(fresh[i], e.answer(ctx, fresh[i], err))
	}
	if failed.nameless {
		return events.SQSEventResponse{}, errors.New("a record without a message id failed: the whole batch must be retried")
	}
	return failed.response, nil
}

// failures collects the batch item failures of an answer. Lambda takes an empty
// id as failure of the whole batch.
type failures struct {
	response events.SQSEventResponse
	seen     map[string]bool
	nameless bool
}

func (f *failures) add(rec Record, done bool) {
	switch {
	case done || f.seen[rec.ID]:
		return
	case rec.ID == "":
		f.nameless = true
		return
	}
	f.seen[rec.ID] = true
	f.response.BatchItemFailures = append(f.response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: rec.ID})
}

// answer acts on the class of err and reports whether the record is
// acknowledged.
func (e *edge) answer(ctx context.Context, rec Record, err error) (done bool) {
	if err == nil {
		return true
	}
	f := fault.Of(err)
	log := e.opts.Log.With("message_id", rec.ID, "queue", rec.Queue, "receives", rec.Receives, "class", f.Class.String(), "rule", f.Rule, "error", err)
	action, delay := f.Action(fault.Backoff(firstBackoff, maxBackoff, rec.Receives-1))
	switch {
	case action == fault.Bury || rec.Receives >= e.opts.MaxReceives:
		return e.bury(ctx, log, rec, err.Error(), f.Class)
	case action == fault.Leave:
		log.ErrorContext(ctx, "record failed: the stack is broken")
	default:
		log.WarnContext(ctx, "record will be retried", "delay_s", delay.Seconds())
		e.delay(ctx, log, rec, delay)
	}
	return false
}

func (e *edge) bury(ctx context.Context, log *slog.Logger, rec Record, reason string, class fault.Class) bool {
	if e.opts.DeadLetter == nil {
		log.ErrorContext(ctx, "record is dead, left to the queue's own redrive policy")
		return false
	}
	if err := e.opts.DeadLetter(ctx, rec, reason, class.String()); err != nil {
		log.ErrorContext(ctx, "record failed for good, but its dead letter was not stored", "cause", err)
		return false
	}
	log.ErrorContext(ctx, "record is dead")
	return true
}

func (e *edge) delay(ctx context.Context, log *slog.Logger, rec Record, d time.Duration) {
	if e.opts.Delay == nil {
		return
	}
	if err := e.opts.Delay(ctx, rec, min(d, maxDelay)); err != nil {
		log.WarnContext(ctx, "visibility was not changed", "cause", err)
	}
}
