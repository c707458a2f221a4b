package stack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/smithy-go"

	"sluice/shared/aws/awsfault"
)

// Describer is the subset of a CloudFormation client that FromOutputs uses.
type Describer interface {
	DescribeStacks(ctx context.Context, in *cloudformation.DescribeStacksInput, opts ...func(*cloudformation.Options)) (*cloudformation.DescribeStacksOutput, error)
}

var _ Describer = (*cloudformation.Client)(nil)

// Errors of FromOutputs that a user can do something about.
var (
	ErrNoStack  = errors.New("no such stack in this account and region")
	ErrNotReady = errors.New("the stack is not ready")
)

// usable are the states in which the outputs of a stack are valid. During an
// update or after its rollback they are the previous ones.
var usable = []types.StackStatus{
	types.StackStatusCreateComplete, types.StackStatusUpdateComplete, types.StackStatusImportComplete,
	types.StackStatusUpdateInProgress, types.StackStatusUpdateCompleteCleanupInProgress,
	types.StackStatusUpdateRollbackComplete, types.StackStatusUpdateRollbackCompleteCleanupInProgress,
}

// FromOutputs reads the outputs of a deployed stack. Errors say what to do:
// ErrNoStack, ErrNotReady (being created, rolled back or deleted), or all
// outputs that are missing.
func FromOutputs(ctx context.Context, client Describer, name string) (*Resources, error) {
	s, err := describe(ctx, client, name)
	if err != nil {
		return nil, fmt.Errorf("read stack %s: %w", name, err)
	}
	if !slices.Contains(usable, s.StackStatus) {
		return nil, fmt.Errorf("read stack %s: %w: %s", name, ErrNotReady, plight(s))
	}
	values := map[string]string{}
	for _, o := range s.Outputs {
		values[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	e := env{get: func(key string) string { return values[key] }}
	r := &Resources{Stack: name}
	for _, v := range append(r.shared(),
		variable{to: &r.Schedule, output: "Schedule"},
		variable{to: &r.CrawlFunction, output: "CrawlFunction"},
		variable{to: &r.CleanFunction, output: "CleanFunction"},
		variable{to: &r.SeedFunction, output: "SeedFunction"},
		variable{to: &r.KeeperFunction, output: "KeeperFunction"},
		variable{to: &r.StructureFunction, output: "StructureFunction"},
		variable{to: &r.StructureMapping, output: "StructureMapping"},
	) {
		*v.to = e.text(v.output)
	}
	r.FrontierQueues, r.Mappings = e.list("FrontierQueues"), e.list("Mappings")
	r.RenderQueue, r.Provisioned = values["RenderQueue"], values["Capacity"] == Provisioned
	if len(e.problems) > 0 {
		return nil, fmt.Errorf("read stack %s: is it one of sluice, and of this version? Outputs: %w", name, errors.Join(e.problems...))
	}
	return r, nil
}

func describe(ctx context.Context, client Describer, name string) (*types.Stack, error) {
	out, err := client.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &name})
	if api, ok := errors.AsType[smithy.APIError](err); ok && api.ErrorCode() == "ValidationError" && strings.Contains(api.ErrorMessage(), "does not exist") {
		return nil, ErrNoStack
	}
	if err != nil {
		return nil, awsfault.Wrap("describe stack", err)
	}
	if len(out.Stacks) == 0 {
		return nil, ErrNoStack
	}
	return &out.Stacks[0], nil
}

// plight says why a stack cannot be used and what to do.
func plight(s *types.Stack) string {
	said := string(s.StackStatus)
	if reason := aws.ToString(s.StackStatusReason); reason != "" {
		said += " (" + reason + ")"
	}
	switch state := string(s.StackStatus); {
	case state == string(types.StackStatusRollbackComplete):
		return said + ": its creation failed and was rolled back; delete it and deploy again"
	case strings.Contains(state, "ROLLBACK") && strings.HasSuffix(state, "IN_PROGRESS"):
		return said + ": it is being rolled back; see its events for the cause"
	case strings.HasPrefix(state, "DELETE"):
		return said + ": it is being or was deleted"
	case strings.HasSuffix(state, "IN_PROGRESS"):
		return said + ": wait until it is complete"
	}
	return said + ": see its events for the cause"
}
