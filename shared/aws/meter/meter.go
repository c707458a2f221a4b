// Package meter counts requests to AWS, with errors and throttles, by service
// and operation, and what each service bills for them.
//
// It counts at the wire, below the SDK's retries, so that adapters need not
// report anything.
package meter

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"sluice/shared/console/cost"
)

// Meter counts the calls of all clients made from the configurations it is
// installed in. It is safe for concurrent use.
//
// A request is an attempt: retries count, as they are billed, and so do
// requests without an answer. The edges add what only AWS knows: requests of
// Lambda's pollers and S3's events, invocations and their duration, ingested
// logs.
type Meter struct {
	mu    sync.Mutex
	usage cost.Usage
}

// New returns a meter.
func New() *Meter { return &Meter{usage: cost.Usage{}} }

// Install makes clients that are built from cfg afterwards count with m.
// Installing m twice changes nothing; several meters count independently.
func (m *Meter) Install(cfg *aws.Config) {
	cfg.APIOptions = append(slices.Clip(cfg.APIOptions), m.join)
}

// Snapshot returns what was counted since the start or the last Take.
func (m *Meter) Snapshot() cost.Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.usage)
}

// Take returns the counts since the start or the last Take and resets them:
// every count is in one Take.
func (m *Meter) Take() cost.Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken := m.usage
	m.usage = cost.Usage{}
	return taken
}

// add adds a usage to the counts.
func (m *Meter) add(usage cost.Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.usage.Add(usage)
}

// inputKey is the context key of a call's input.
type inputKey struct{}

// join puts the meter into the stack of an operation.
func (m *Meter) join(stack *middleware.Stack) error {
	id := fmt.Sprintf("SluiceMeter%p", m) // a stack refuses an ID that it has
	if _, joined := stack.Initialize.Get(id); joined {
		return nil
	}
	// First, so that all others see its changes to the input.
	before := middleware.InitializeMiddlewareFunc(id,
		func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
			middleware.InitializeOutput, middleware.Metadata, error,
		) {
			in.Parameters = withConsumedCapacity(in.Parameters)
			return next.HandleInitialize(middleware.WithStackValue(ctx, inputKey{}, in.Parameters), in)
		})
	if err := stack.Initialize.Add(before, middleware.Before); err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	// Under the retries, around the decoding: it sees every attempt, with its result.
	if err := stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc(id, m.attempt), middleware.Before); err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	// Next to the wire: it sees bodies before they are decoded.
	if err := stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc(id+"Body", m.body), middleware.After); err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	return nil
}

// attempt counts one attempt.
func (m *Meter) attempt(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (
	middleware.DeserializeOutput, middleware.Metadata, error,
) {
	out, metadata, err := next.HandleDeserialize(ctx, in)
	a := attempt{
		service:   serviceName(awsmiddleware.GetServiceID(ctx)),
		operation: awsmiddleware.GetOperationName(ctx),
		input:     middleware.GetStackValue(ctx, inputKey{}),
		err:       err,
	}
	a.request, _ = in.Request.(*smithyhttp.Request)
	if err == nil { // else it may be incomplete
		a.output = out.Result
	}
	m.add(usageOf(a))
	return out, metadata, err
}

// attempt is one request and its result.
type attempt struct {
	service, operation string
	request            *smithyhttp.Request
	input, output      any // of the SDK; output is nil after an error
	err                error
}

// usageOf returns the billed usage of an attempt.
func usageOf(a attempt) cost.Usage {
	usage := cost.Usage{cost.OperationItem(a.service, a.operation, cost.Requests): 1}
	if a.err != nil {
		usage[cost.OperationItem(a.service, a.operation, cost.Errors)] = 1
		if throttled(a.err) {
			usage[cost.OperationItem(a.service, a.operation, cost.Throttles)] = 1
		}
	}
	switch a.service {
	case "dynamodb":
		addUnits(usage, a)
	case "sqs":
		addSQS(usage, a)
	case "s3":
		addS3(usage, a)
	}
	return usage
}

// throttled reports whether the service refused because of too many requests.
func throttled(err error) bool {
	return retry.IsErrorThrottles(retry.DefaultThrottles).IsErrorThrottle(err) == aws.TrueTernary ||
		throttledTransaction(err)
}

// serviceName returns the name that items have for a service of the SDK.
func serviceName(id string) string {
	switch id {
	case "EventBridge":
		return "events"
	case "CloudWatch Logs":
		return "logs"
	}
	return strings.ToLower(strings.ReplaceAll(id, " ", ""))
}
