package awslambda

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// Schedule returns the Lambda handler of an EventBridge rule. It calls run with
// the time that the event is for, which may be the same twice: EventBridge
// delivers at least once, and Lambda repeats what failed. Margin and Log of the
// options are used. A panic is an error like any other.
func Schedule(run func(ctx context.Context, at time.Time) error, opts Options) func(ctx context.Context, event events.EventBridgeEvent) error {
	if opts.Margin == 0 {
		opts.Margin = defaultMargin
	}
	return func(ctx context.Context, event events.EventBridgeEvent) (err error) {
		ctx, cancel := within(ctx, opts.Margin)
		defer cancel()
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
			}
			if err != nil && opts.Log != nil {
				opts.Log.ErrorContext(ctx, "scheduled run failed", "at", event.Time, "error", err)
			}
		}()
		return run(ctx, event.Time)
	}
}
