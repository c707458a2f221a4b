// Package power switches a stack's pollers and schedule, so that a stack
// without an active crawl makes no requests.
package power

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"sluice/shared/aws/awsfault"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/fault"
)

// Lambda is the subset of the Lambda client that a Switch uses.
type Lambda interface {
	GetEventSourceMapping(ctx context.Context, in *lambda.GetEventSourceMappingInput, opts ...func(*lambda.Options)) (*lambda.GetEventSourceMappingOutput, error)
	UpdateEventSourceMapping(ctx context.Context, in *lambda.UpdateEventSourceMappingInput, opts ...func(*lambda.Options)) (*lambda.UpdateEventSourceMappingOutput, error)
}

// Events is the subset of the EventBridge client that a Switch uses.
type Events interface {
	EnableRule(ctx context.Context, in *eventbridge.EnableRuleInput, opts ...func(*eventbridge.Options)) (*eventbridge.EnableRuleOutput, error)
	DisableRule(ctx context.Context, in *eventbridge.DisableRuleInput, opts ...func(*eventbridge.Options)) (*eventbridge.DisableRuleOutput, error)
}

// Switch turns event source mappings and a rule on and off.
type Switch struct {
	Lambda   Lambda
	Events   Events
	Mappings []string // UUIDs
	Rule     string   // "": none
}

// settling is when to try a mapping again that is changing, which may take a minute or two:
// a message that waits for that is a dead letter after its sixth delivery.
const settling = 30 * time.Second

// On enables everything that is off. The schedule comes first: if the rest
// fails, it finishes the work.
func (s *Switch) On(ctx context.Context) error {
	if s.Rule == "" {
		return s.mappings(ctx, true)
	}
	if _, err := s.Events.EnableRule(ctx, &eventbridge.EnableRuleInput{Name: aws.String(s.Rule)}); err != nil {
		return awsfault.Wrap("enable rule "+s.Rule, err)
	}
	return s.mappings(ctx, true)
}

// Off disables everything that is not.
func (s *Switch) Off(ctx context.Context) error {
	if err := s.mappings(ctx, false); err != nil || s.Rule == "" {
		return err
	}
	if _, err := s.Events.DisableRule(ctx, &eventbridge.DisableRuleInput{Name: aws.String(s.Rule)}); err != nil {
		return awsfault.Wrap("disable rule "+s.Rule, err)
	}
	return nil
}

func (s *Switch) mappings(ctx context.Context, on bool) error {
	var errs []error
	for _, id := range s.Mappings {
		errs = append(errs, s.mapping(ctx, id, on))
	}
	return errors.Join(errs...)
}

// mapping switches one mapping, which takes AWS a while. A mapping that is
// changing to the other state cannot be switched until it gets there.
func (s *Switch) mapping(ctx context.Context, id string, on bool) error {
	m, err := s.Lambda.GetEventSourceMapping(ctx, &lambda.GetEventSourceMappingInput{UUID: aws.String(id)})
	if err != nil {
		return awsfault.Wrap("read event source mapping "+id, err)
	}
	want, arriving, leaving := "Disabled", "Disabling", "Enabling"
	if on {
		want, arriving, leaving = "Enabled", leaving, arriving
	}
	switch state := aws.ToString(m.State); state {
	case want, arriving:
		return nil
	case leaving, "Creating", "Updating":
		return fault.NewAfter(settling, "mapping_busy", fmt.Errorf("event source mapping %s is %s", id, state))
	}
	_, err = s.Lambda.UpdateEventSourceMapping(ctx, &lambda.UpdateEventSourceMappingInput{UUID: aws.String(id), Enabled: aws.Bool(on)})
	if _, busy := errors.AsType[*types.ResourceInUseException](err); busy { // another was faster
		return fault.NewAfter(settling, "mapping_busy", fmt.Errorf("update event source mapping %s: %w", id, err))
	}
	return awsfault.Wrap("update event source mapping "+id, err)
}

// Queues counts waiting messages.
type Queues struct {
	SQS  sqsqueue.Counter
	URLs []string
}

// Empty reports whether all queues are empty, by SQS's approximate counts.
func (q *Queues) Empty(ctx context.Context) (bool, error) {
	for _, url := range q.URLs {
		d, err := sqsqueue.DepthOf(ctx, q.SQS, url)
		if err != nil {
			return false, err
		}
		if d != (sqsqueue.Depth{}) {
			return false, nil
		}
	}
	return true, nil
}
