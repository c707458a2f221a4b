package power_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	lambdatypes "github.com/aws/aws-sdk-go-v2/service/lambda/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/power"
	"sluice/shared/fault"
)

// account plays the services and records changes in order.
type account struct {
	states map[string]string // of mappings
	update error             // answer to a change of a mapping
	counts map[string]map[string]string
	done   []string
}

func (a *account) GetEventSourceMapping(_ context.Context, in *lambda.GetEventSourceMappingInput, _ ...func(*lambda.Options)) (*lambda.GetEventSourceMappingOutput, error) {
	state, ok := a.states[*in.UUID]
	if !ok {
		return nil, &lambdatypes.ResourceNotFoundException{}
	}
	return &lambda.GetEventSourceMappingOutput{State: &state}, nil
}

func (a *account) UpdateEventSourceMapping(_ context.Context, in *lambda.UpdateEventSourceMappingInput, _ ...func(*lambda.Options)) (*lambda.UpdateEventSourceMappingOutput, error) {
	if a.update != nil {
		return nil, a.update
	}
	a.note(*in.UUID, *in.Enabled)
	return &lambda.UpdateEventSourceMappingOutput{}, nil
}

func (a *account) EnableRule(_ context.Context, in *eventbridge.EnableRuleInput, _ ...func(*eventbridge.Options)) (*eventbridge.EnableRuleOutput, error) {
	a.note(*in.Name, true)
	return &eventbridge.EnableRuleOutput{}, nil
}

func (a *account) DisableRule(_ context.Context, in *eventbridge.DisableRuleInput, _ ...func(*eventbridge.Options)) (*eventbridge.DisableRuleOutput, error) {
	a.note(*in.Name, false)
	return &eventbridge.DisableRuleOutput{}, nil
}

func (a *account) GetQueueAttributes(_ context.Context, in *sqs.GetQueueAttributesInput, _ ...func(*sqs.Options)) (*sqs.GetQueueAttributesOutput, error) {
	counts, ok := a.counts[*in.QueueUrl]
	if !ok {
		return nil, &sqstypes.QueueDoesNotExist{}
	}
	return &sqs.GetQueueAttributesOutput{Attributes: counts}, nil
}

func (a *account) note(name string, on bool) {
	verb := "off "
	if on {
		verb = "on "
	}
	a.done = append(a.done, verb+name)
}

func TestSwitch(t *testing.T) {
	const on, off = true, false
	for _, tt := range []struct {
		name   string
		to     bool
		states map[string]string
		update error
		want   []string
		class  fault.Class // of the error, where there is one
		fails  bool
	}{
		{name: "on, the clock first", to: on, states: map[string]string{"a": "Disabled", "b": "Disabled"}, want: []string{"on rule", "on a", "on b"}},
		{name: "off, the clock last", to: off, states: map[string]string{"a": "Enabled", "b": "Enabled"}, want: []string{"off a", "off b", "off rule"}},
		{name: "what is on stays so", to: on, states: map[string]string{"a": "Enabled", "b": "Enabling"}, want: []string{"on rule"}},
		{name: "what is off stays so", to: off, states: map[string]string{"a": "Disabled", "b": "Disabling"}, want: []string{"off rule"}},
		{
			name: "on its way to the other state", to: on, states: map[string]string{"a": "Disabling", "b": "Disabled"},
			want: []string{"on rule", "on b"}, class: fault.After, fails: true,
		},
		{
			name: "the clock is on where a mapping is", to: off, states: map[string]string{"a": "Updating", "b": "Enabled"},
			want: []string{"off b"}, class: fault.After, fails: true,
		},
		{
			name: "changed by another meanwhile", to: on, states: map[string]string{"a": "Disabled", "b": "Disabled"},
			update: &lambdatypes.ResourceInUseException{}, want: []string{"on rule"}, class: fault.After, fails: true,
		},
		{name: "no such mapping", to: on, states: map[string]string{"a": "Disabled"}, want: []string{"on rule", "on a"}, class: fault.Broken, fails: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &account{states: tt.states, update: tt.update}
			s := &power.Switch{Lambda: a, Events: a, Mappings: []string{"a", "b"}, Rule: "rule"}
			turn := s.Off
			if tt.to == on {
				turn = s.On
			}
			err := turn(t.Context())
			if (err != nil) != tt.fails || tt.fails && fault.Of(err).Class != tt.class {
				t.Errorf("error %v, want one: %t, of class %v", err, tt.fails, tt.class)
			}
			if f := fault.Of(err); tt.class == fault.After && 5*f.Delay < 2*time.Minute {
				t.Errorf("a message that is delivered six times waits %v each time: too short for a mapping to change", f.Delay)
			}
			if diff := cmp.Diff(tt.want, a.done); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	counts := func(waiting, held, delayed string) map[string]string {
		return map[string]string{
			"ApproximateNumberOfMessages": waiting, "ApproximateNumberOfMessagesNotVisible": held, "ApproximateNumberOfMessagesDelayed": delayed,
		}
	}
	for _, tt := range []struct {
		name  string
		queue map[string]string
		want  bool
		fails bool
	}{
		{"empty", counts("0", "0", "0"), true, false},
		{"waiting", counts("1", "0", "0"), false, false},
		{"held", counts("0", "2", "0"), false, false},
		{"delayed", counts("0", "0", "3"), false, false},
		{"an answer without counts says nothing", nil, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &account{counts: map[string]map[string]string{"http://sqs/1": counts("0", "0", "0"), "http://sqs/2": tt.queue}}
			got, err := (&power.Queues{SQS: a, URLs: []string{"http://sqs/1", "http://sqs/2"}}).Empty(t.Context())
			if got != tt.want || (err != nil) != tt.fails {
				t.Errorf("Empty is %t, %v, want %t", got, err, tt.want)
			}
		})
	}
	_, err := (&power.Queues{SQS: &account{}, URLs: []string{"http://sqs/gone"}}).Empty(t.Context())
	if _, gone := errors.AsType[*sqstypes.QueueDoesNotExist](err); !gone || fault.Of(err).Class != fault.Broken {
		t.Errorf("Empty without a queue: %v", err)
	}
}
