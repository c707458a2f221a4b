package awslambda

import (
	"context"
	"log/slog"

	"sluice/shared/fault"
)

// Each returns a Handler that handles one record after the other. A panic fails
// only its record.
func Each(log *slog.Logger, handle func(ctx context.Context, rec Record) error) Handler {
	return func(ctx context.Context, records []Record) []error {
		errs := make([]error, len(records))
		for i, rec := range records {
			errs[i] = fault.Catch(ctx, log.With("message_id", rec.ID), func() error { return handle(ctx, rec) })
		}
		return errs
	}
}
