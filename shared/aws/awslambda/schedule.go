package awslambda

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"sluice/shared/fault"
)

// Schedule returns the Lambda handler of an EventBridge rule. It calls run with
// the time of the event, which may repeat: EventBridge delivers at least once,
// and Lambda retries failures. It uses only Margin and Log of the options. A
// panic is treated as an error.
func Schedule(run func(ctx context.Context, at time.Time) error, opts Options) func(ctx context.Context, event events.EventBridgeEvent) error {
	opts.Margin = cmp.Or(opts.Margin, defaultMargin)
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	return func(ctx context.Context, event events.EventBridgeEvent) error {
		ctx, cancel := within(ctx, opts.Margin)
		defer cancel()
		err := fault.Catch(ctx, opts.Log, func() error { return run(ctx, event.Time) })
		if err != nil {
			opts.Log.ErrorContext(ctx, "scheduled run failed", "at", event.Time, "error", err)
		}
		return err
	}
}
