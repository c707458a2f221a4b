package local

import (
	"context"
	"errors"
	"fmt"

	"sluice/shared/local/engine"
)

// finish makes of the corpus what cannot be made before all pages are there. Each
// pass revises all documents; all may be broken off anywhere, and are done again
// by the run that ends the crawl next. Broken off by the user, it is no error.
func (c *Crawl) finish(ctx, stop context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(stop, func() {
		if cause := context.Cause(stop); !errors.Is(cause, engine.ErrMaxDuration) {
			cancel(errLeave)
		}
	})()
	err := c.removeBoilerplate(ctx)
	if err == nil {
		err = c.markDuplicates(ctx)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), errLeave):
		c.spec.Log.WarnContext(ctx, "corpus is not finished; the next run of the crawl does it")
		return nil
	}
	return fmt.Errorf("finish corpus: %w", err)
}

// errLeave breaks a pass off.
var errLeave = errors.New("to stop")
