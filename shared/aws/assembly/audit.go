package assembly

import (
	"context"
	"log/slog"

	"github.com/aws/aws-lambda-go/lambda"

	"sluice/shared/aws/meter"
)

// auditVariable makes every invocation log its requests to AWS.
const auditVariable = "SLUICE_METER"

// AuditMessage is the message of the line that an audited invocation logs. Its
// key "usage" has the counts by item since the previous line, including process
// start and bookkeeping.
const AuditMessage = "requests of invocation"

// Handler returns the handler for lambda.Start: handle, followed by the audit
// if SLUICE_METER is set.
func (p *Parts) Handler(log *slog.Logger, handle any) lambda.Handler {
	h := lambda.NewHandler(handle)
	if p.audit == nil {
		return h
	}
	return &audited{h, p.audit, log}
}

// audited is a handler that logs the requests of its invocations to AWS.
type audited struct {
	lambda.Handler
	meter *meter.Meter
	log   *slog.Logger
}

// Invoke implements lambda.Handler.
func (a *audited) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	defer func() { a.log.InfoContext(ctx, AuditMessage, "usage", a.meter.Take()) }()
	return a.Handler.Invoke(ctx, payload)
}
