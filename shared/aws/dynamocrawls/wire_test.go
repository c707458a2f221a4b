package dynamocrawls_test

import (
	"context"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/dynamocrawls"
	"sluice/shared/aws/dynamotest"
)

// newTable makes a table like that of template.yaml on the emulator.
func newTable(t *testing.T) (*dynamodb.Client, string) {
	t.Helper()
	return dynamotest.NewTable(t, "crawls")
}

// faulty is a client whose writes fail as planned, one plan for each.
type faulty struct {
	dynamocrawls.Client

	mu    sync.Mutex
	plans []plan
	sent  []*dynamodb.UpdateItemInput
}

// plan is the fate of a write.
type plan struct {
	lost  error // returned in place of the answer; the write was applied
	err   error // returned; the write was not applied
	twice bool  // sent again, as the SDK does after a lost answer
}

func (f *faulty) next(in *dynamodb.UpdateItemInput) plan {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = append(f.sent, in)
	if len(f.plans) == 0 {
		return plan{}
	}
	p := f.plans[0]
	f.plans = f.plans[1:]
	return p
}

func (f *faulty) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	p := f.next(in)
	if p.err != nil {
		return nil, p.err
	}
	if p.twice {
		if _, err := f.Client.UpdateItem(ctx, in, opts...); err != nil {
			return nil, err
		}
	}
	out, err := f.Client.UpdateItem(ctx, in, opts...)
	if err == nil && p.lost != nil {
		return nil, p.lost
	}
	return out, err
}
