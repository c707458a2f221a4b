package fault

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// RulePanic is the rule of a panic.
const RulePanic = "panic"

// Catch calls f. It logs a panic in f with its stack and returns it as a
// Retryable error, so that only the current work fails.
func Catch(ctx context.Context, log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.ErrorContext(ctx, "panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = New(Retryable, RulePanic, fmt.Errorf("%v", p))
		}
	}()
	return f()
}
