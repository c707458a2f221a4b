// Package operator runs the command line's operations on a deployed stack:
// starting, controlling and explaining crawls, redriving dead letters,
// exporting a corpus, and computing cost.
//
// Results are printed as JSON with stable keys.
package operator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/stack"
	"sluice/shared/fault"
)

// Errors that a user can fix, beside those of packages stack (no such stack)
// and job (no such crawl).
var (
	errCredentials = errors.New("no AWS credentials")
	errRegion      = errors.New("no AWS region")
	ErrRequest     = errors.New("bad request") // the request cannot be carried out as given
	ErrBadURL      = errors.New("bad URL")
)

// Operator works on one stack. It is safe for concurrent use.
type Operator struct {
	parts *assembly.Parts
	watch *cloudwatch.Client
	logs  *cloudwatchlogs.Client
	now   func() time.Time
}

// Open finds a stack by its name in the account and region of the AWS
// configuration.
func Open(ctx context.Context, name string) (*Operator, error) {
	cfg, err := stack.Config(ctx, nil)
	if err != nil {
		return nil, err
	}
	if cfg.Region == "" {
		return nil, fmt.Errorf("%w: set AWS_REGION, or a region in the profile", errRegion)
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: log in with the AWS CLI, or set AWS_PROFILE or AWS_ACCESS_KEY_ID (%w)", errCredentials, err)
	}
	r, err := stack.FromOutputs(ctx, cloudformation.NewFromConfig(cfg), name)
	if err != nil {
		return nil, err
	}
	return Of(cfg, assembly.New(cfg, nil, r)), nil
}

// Of returns the operator of a stack with these parts.
func Of(cfg aws.Config, parts *assembly.Parts) *Operator {
	return &Operator{
		parts: parts, now: time.Now,
		// A status can do without these.
		watch: cloudwatch.NewFromConfig(cfg, func(o *cloudwatch.Options) { o.RetryMaxAttempts = 2 }),
		logs:  cloudwatchlogs.NewFromConfig(cfg, func(o *cloudwatchlogs.Options) { o.RetryMaxAttempts = 2 }),
	}
}

// Renders reports whether the stack has functions with a browser.
func (o *Operator) Renders() bool { return o.parts.Resources.RenderQueue != "" }

// requestError is an ErrRequest with its own message.
type requestError struct{ error }

func (e requestError) Is(target error) bool { return target == ErrRequest }
func (e requestError) Unwrap() error        { return e.error }

func request(format string, args ...any) error { return requestError{fmt.Errorf(format, args...)} }

// switchTries is how often to try a switch that AWS is still turning the other
// way, which takes a minute.
const switchTries = 6

// switchOn turns the stack's pollers and schedule on.
func (o *Operator) switchOn(ctx context.Context) error {
	for try := 1; ; try++ {
		err := o.parts.Switch.On(ctx)
		if f := fault.Of(err); err == nil || f.Class != fault.After || try == switchTries {
			return err
		} else if err := fault.Pause(ctx, f.Delay); err != nil {
			return err
		}
	}
}
