package local

import (
	"context"
	"errors"
	"fmt"
)

// finish makes of the corpus what cannot be made before all pages are there. Each
// pass revises all documents; all may be broken off anywhere, and are done again
// by the run that ends the crawl next. It reports whether it was done, or stop
// broke it off.
func (c *Crawl) finish(ctx, stop context.Context) (done bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if stop.Err() != nil {
		cancel(errLeave)
	}
	defer context.AfterFunc(stop, func() { cancel(errLeave) })()
	passes := []func(context.Context) error{c.removeBoilerplate, c.lookAgain, c.markDuplicates}
	if c.plan.Structured {
		passes = []func(context.Context) error{c.gatherRecords}
	}
	for _, pass := range passes {
		if err = pass(ctx); err != nil {
			break
		}
	}
	switch {
	case err == nil:
		return true, nil
	case errors.Is(context.Cause(ctx), errLeave):
		return false, nil
	}
	return false, fmt.Errorf("finish corpus: %w", err)
}

// errLeave breaks a pass off.
var errLeave = errors.New("to stop")
