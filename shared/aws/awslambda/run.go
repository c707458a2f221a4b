package awslambda

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"sluice/shared/fault"
)

// run calls the handler and returns an error for each record. When the handler
// panics as a whole each record is tried alone, once: one that panics again
// does not take the others along.
func (e *edge) run(ctx context.Context, records []Record) []error {
	if len(records) == 0 {
		return nil
	}
	ctx, cancel := within(ctx, e.opts.Margin)
	defer cancel()
	errs, panicked := e.call(ctx, records)
	if panicked == nil {
		return errs
	}
	if len(records) == 1 {
		return []error{panicked}
	}
	errs = make([]error, len(records))
	for i := range records {
		if errs[i] = ctx.Err(); errs[i] != nil {
			continue // handed back
		}
		one, panicked := e.call(ctx, records[i:i+1:i+1])
		if errs[i] = panicked; panicked == nil {
			errs[i] = one[0]
		}
	}
	return errs
}

// call calls the handler once. Its answer has an error for each record.
func (e *edge) call(ctx context.Context, records []Record) (errs []error, panicked error) {
	defer func() {
		if v := recover(); v != nil {
			panicked = e.recovered(ctx, v)
		}
	}()
	errs = e.handler(ctx, records)
	if len(errs) == len(records) {
		return errs, nil
	}
	err := fault.New(fault.Broken, "handler", fmt.Errorf("%d results for %d records", len(errs), len(records)))
	errs = make([]error, len(records))
	for i := range errs {
		errs[i] = err
	}
	return errs, nil
}

// recovered logs a panic, with the stack that it alone tells, and returns it as
// an error to try again: after a few receipts the record is dead.
func (e *edge) recovered(ctx context.Context, v any) error {
	e.opts.Log.ErrorContext(ctx, "handler panicked", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
	return fault.New(fault.Retryable, rulePanic, fmt.Errorf("panic: %v", v))
}

// within returns a context that ends margin before ctx does, or after three
// quarters of the time where there is little of it.
func within(ctx context.Context, margin time.Duration) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(margin, time.Until(end)/4)))
}
