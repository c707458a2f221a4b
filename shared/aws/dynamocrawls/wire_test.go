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
	plans []dynamotest.Fate
	sent  []*dynamodb.UpdateItemInput
}

func (f *faulty) next(in *dynamodb.UpdateItemInput) dynamotest.Fate {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = append(f.sent, in)
	return dynamotest.Next(&f.plans)
}

func (f *faulty) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	p := f.next(in)
	if p.Err != nil {
		return nil, p.Err
	}
	if p.Twice {
		if _, err := f.Client.UpdateItem(ctx, in, opts...); err != nil {
			return nil, err
		}
		if p.Between != nil {
			p.Between()
		}
	}
	out, err := f.Client.UpdateItem(ctx, in, opts...)
	if err == nil && p.Lost != nil {
		return nil, p.Lost
	}
	return out, err
}
