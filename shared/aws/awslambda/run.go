package awslambda

import (
	"context"
	"fmt"
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
	panicked = fault.Catch(ctx, e.opts.Log, func() error {
		errs = e.handler(ctx, records)
		return nil
	})
	if panicked != nil || len(errs) == len(records) {
		return errs, panicked
	}
	err := fault.New(fault.Broken, "handler", fmt.Errorf("%d results for %d records", len(errs), len(records)))
	errs = make([]error, len(records))
	for i := range errs {
		errs[i] = err
	}
	return errs, nil
}

// within returns a context that ends margin before ctx does, or after three
// quarters of a short time.
func within(ctx context.Context, margin time.Duration) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(margin, time.Until(end)/4)))
}
