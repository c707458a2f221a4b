package awslambda

import (
	"context"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"sluice/shared/fault"
)

// Each returns a Handler that handles each record separately, so many at a
// time. A panic fails only its record.
func Each(atATime int, log *slog.Logger, handle func(ctx context.Context, rec Record) error) Handler {
	return func(ctx context.Context, records []Record) []error {
		errs := make([]error, len(records))
		var g errgroup.Group
		g.SetLimit(atATime)
		for i, rec := range records {
			g.Go(func() error {
				errs[i] = fault.Catch(ctx, log.With("message_id", rec.ID), func() error { return handle(ctx, rec) })
				return nil
			})
		}
		_ = g.Wait() // the errors are in errs
		return errs
	}
}
