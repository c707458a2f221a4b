package stack_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/smithy-go"

	"sluice/shared/aws/stack"
	"sluice/shared/fault"
)

// described answers DescribeStacks.
type described struct {
	stacks []types.Stack
	err    error
}

func (d described) DescribeStacks(context.Context, *cloudformation.DescribeStacksInput, ...func(*cloudformation.Options)) (*cloudformation.DescribeStacksOutput, error) {
	return &cloudformation.DescribeStacksOutput{Stacks: d.stacks}, d.err
}

// deployed is a stack in a state, with all outputs but some.
func deployed(state types.StackStatus, without ...string) described {
	s := types.Stack{StackStatus: state}
	for _, key := range strings.Fields(`UrlsTable BacklogTable HostsTable CrawlsTable Bucket FrontierQueues FrontierDeadQueue
		SeedsQueue SeedsDeadQueue CleanQueue CleanDeadQueue Mappings Schedule CrawlFunction CleanFunction SeedFunction KeeperFunction StructureQueue StructureDeadQueue StructureFunction StructureMapping`) {
		if strings.Contains(strings.Join(without, " "), key) {
			continue
		}
		s.Outputs = append(s.Outputs, types.Output{OutputKey: aws.String(key), OutputValue: aws.String(key + "1," + key + "2")})
	}
	return described{stacks: []types.Stack{s}}
}

func TestFromOutputs(t *testing.T) {
	for _, state := range []types.StackStatus{"CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_IN_PROGRESS", "UPDATE_ROLLBACK_COMPLETE"} {
		r, err := stack.FromOutputs(t.Context(), deployed(state), "s")
		if err != nil {
			t.Fatalf("%s: %v", state, err)
		}
		if r.Stack != "s" || r.URLsTable != "UrlsTable1,UrlsTable2" || len(r.FrontierQueues) != 2 || r.Mappings[1] != "Mappings2" ||
			r.Schedule == "" || r.KeeperFunction == "" {
			t.Errorf("%s: resources %+v", state, r)
		}
		if r.Provisioned {
			t.Errorf("%s: a stack without the output Capacity is provisioned", state)
		}
	}
}

func TestCapacityOfOutputs(t *testing.T) {
	d := deployed("CREATE_COMPLETE")
	d.stacks[0].Outputs = append(d.stacks[0].Outputs, types.Output{OutputKey: aws.String("Capacity"), OutputValue: aws.String(stack.Provisioned)})
	if r, err := stack.FromOutputs(t.Context(), d, "s"); err != nil || !r.Provisioned {
		t.Errorf("resources %+v, %v, want provisioned capacity", r, err)
	}
}

func TestFromOutputsErrors(t *testing.T) {
	because := deployed("CREATE_FAILED")
	because.stacks[0].StackStatusReason = aws.String("no quota")
	for _, tt := range []struct {
		name   string
		client described
		is     error
		says   string
	}{
		{"no stack", described{err: &smithy.GenericAPIError{Code: "ValidationError", Message: "Stack with id s does not exist"}}, stack.ErrNoStack, "read stack s"},
		{"empty answer", described{}, stack.ErrNoStack, ""},
		{"creating", deployed("CREATE_IN_PROGRESS"), stack.ErrNotReady, "CREATE_IN_PROGRESS: wait"},
		{"creation rolls back", deployed("ROLLBACK_IN_PROGRESS"), stack.ErrNotReady, "being rolled back"},
		{"creation rolled back", deployed("ROLLBACK_COMPLETE"), stack.ErrNotReady, "delete it and deploy again"},
		{"update rolls back", deployed("UPDATE_ROLLBACK_IN_PROGRESS"), stack.ErrNotReady, "being rolled back"},
		{"deleted", deployed("DELETE_COMPLETE"), stack.ErrNotReady, "deleted"},
		{"failed", because, stack.ErrNotReady, "CREATE_FAILED (no quota): see its events"},
		{"another stack", described{stacks: []types.Stack{{StackStatus: "CREATE_COMPLETE"}}}, nil, "UrlsTable is not set"},
		{"outputs missing", deployed("CREATE_COMPLETE", "Bucket", "Mappings"), nil, "Bucket is not set\nMappings is not set"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := stack.FromOutputs(t.Context(), tt.client, "s")
			if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want %v that says %q", err, tt.is, tt.says)
			}
		})
	}
	_, err := stack.FromOutputs(t.Context(), described{err: &smithy.GenericAPIError{Code: "AccessDenied", Message: "no"}}, "s")
	if f := fault.Of(err); f == nil || f.Class != fault.Broken {
		t.Errorf("no permission: %v, want a broken fault", err)
	}
}
