// Package operator does what the command line asks of a deployed stack: it
// starts crawls, tells how they stand, changes and explains them, brings dead
// letters back, copies their corpus here and adds up what they cost.
//
// What it returns is printed as JSON; its keys are stable.
package operator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/cloudformation"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/stack"
	"sluice/shared/fault"
)

// Errors that a user can do something about, beside those of packages stack
// (no such stack) and job (no such crawl).
var (
	ErrCredentials = errors.New("no AWS credentials")
	ErrRegion      = errors.New("no AWS region")
	ErrRequest     = errors.New("bad request") // what was asked for cannot be done as it was asked
	ErrBadURL      = errors.New("bad URL")
)

// Operator works on one stack. It is safe for concurrent use.
type Operator struct {
	parts *assembly.Parts
	now   func() time.Time
}

// New returns the operator of a stack whose parts are at hand.
func New(parts *assembly.Parts) *Operator { return &Operator{parts: parts, now: time.Now} }

// Open finds a stack by its name, in the account and region of the user's
// configuration.
func Open(ctx context.Context, name string) (*Operator, error) {
	cfg, err := stack.Config(ctx, nil)
	if err != nil {
		return nil, err
	}
	if cfg.Region == "" {
		return nil, fmt.Errorf("%w: set AWS_REGION, or a region in the profile", ErrRegion)
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: log in with the AWS CLI, or set AWS_PROFILE or AWS_ACCESS_KEY_ID (%w)", ErrCredentials, err)
	}
	r, err := stack.FromOutputs(ctx, cloudformation.NewFromConfig(cfg), name)
	if err != nil {
		return nil, err
	}
	return New(assembly.New(cfg, nil, r)), nil
}

// requestError is an ErrRequest in its own words.
type requestError struct{ error }

func (e requestError) Is(target error) bool { return target == ErrRequest }
func (e requestError) Unwrap() error        { return e.error }

func request(format string, args ...any) error { return requestError{fmt.Errorf(format, args...)} }

// switchTries is how often a switch is tried that is on its way to the other
// side: AWS takes a minute for that.
const switchTries = 12

// switchOn turns the stack's pollers and its clock on.
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
