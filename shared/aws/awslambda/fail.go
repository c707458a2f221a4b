package awslambda

import (
	"log/slog"
	"os"
)

// Fail ends a function that cannot start, before lambda.Start. Lambda reports
// the exit and retries.
func Fail(log *slog.Logger, err error) {
	log.Error("function cannot begin", "error", err)
	os.Exit(1)
}
