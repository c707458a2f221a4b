package awslambda

import (
	"context"
	"io"
	"log/slog"
	"strings"

	"github.com/aws/aws-lambda-go/lambdacontext"
)

// NewLogger returns a logger that writes JSON lines in Lambda's format, with
// the request id. The level is that of the function's logging configuration,
// AWS_LAMBDA_LOG_LEVEL; the default is INFO.
func NewLogger(w io.Writer, getenv func(string) string) *slog.Logger {
	return slog.New(&handler{slog.NewJSONHandler(w, &slog.HandlerOptions{
		Level: level(getenv("AWS_LAMBDA_LOG_LEVEL")), ReplaceAttr: lambdacontext.ReplaceAttr,
	})})
}

// level reads Lambda's names of levels. TRACE and FATAL become the nearest
// level that slog has.
func level(name string) slog.Level {
	switch strings.ToUpper(name) {
	case "TRACE", "DEBUG":
		return slog.LevelDebug
	case "WARN":
		return slog.LevelWarn
	case "ERROR", "FATAL":
		return slog.LevelError
	}
	return slog.LevelInfo
}

// handler adds the request id, which is in the context.
type handler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	if c, ok := lambdacontext.FromContext(ctx); ok {
		r.AddAttrs(slog.String("request_id", c.AwsRequestID))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h *handler) WithGroup(name string) slog.Handler { return &handler{h.Handler.WithGroup(name)} }
