package dynamoledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/fault"
)

// fuse is a client that fails at one request, counted from 0.
type fuse struct {
	Client
	at   int
	fate fate // refused or lost
	dies bool // with the request: all after it fail as well

	mu sync.Mutex
	n  int
}

// errDead is not retryable: the dead do not retry.
var errDead = fault.New(fault.Broken, "dead", errors.New("the process is gone"))

func (f *fuse) blown() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n > f.at
}

func pass[Out any](f *fuse, request func() (*Out, error)) (*Out, error) {
	f.mu.Lock()
	n := f.n
	f.n++
	f.mu.Unlock()
	if n < f.at || n > f.at && !f.dies {
		return request()
	}
	if n == f.at && f.fate == lost {
		if _, err := request(); err != nil {
			return nil, err
		}
	}
	switch {
	case f.dies:
		return nil, errDead
	case f.fate == lost:
		return nil, errLost
	}
	return nil, errRefused
}

func (f *fuse) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return pass(f, func() (*dynamodb.GetItemOutput, error) { return f.Client.GetItem(ctx, in, opts...) })
}

func (f *fuse) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return pass(f, func() (*dynamodb.BatchGetItemOutput, error) { return f.Client.BatchGetItem(ctx, in, opts...) })
}

func (f *fuse) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return pass(f, func() (*dynamodb.BatchWriteItemOutput, error) { return f.Client.BatchWriteItem(ctx, in, opts...) })
}

// UpdateItem sees each request through: of those that are canceled for another's
// failure a test could not know when they are applied.
func (f *fuse) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return pass(f, func() (*dynamodb.UpdateItemOutput, error) {
		return f.Client.UpdateItem(context.WithoutCancel(ctx), in, opts...)
	})
}

func (f *fuse) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return pass(f, func() (*dynamodb.QueryOutput, error) { return f.Client.Query(ctx, in, opts...) })
}

func (f *fuse) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, opts ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return pass(f, func() (*dynamodb.TransactWriteItemsOutput, error) {
		return f.Client.TransactWriteItems(ctx, in, opts...)
	})
}

// crashes calls try with a fuse at each of its requests, of which there must be
// least, for each way to fail there.
func crashes(t *testing.T, client Client, least int, try func(t *testing.T, f *fuse)) {
	t.Helper()
	for _, way := range []struct {
		name string
		fate fate
		dies bool
	}{
		{"fails", refused, false},
		{"answer lost", lost, false},
		{"dies before", refused, true},
		{"dies after", lost, true},
	} {
		for at, blown := 0, true; blown; at++ {
			t.Run(fmt.Sprintf("%s request %d", way.name, at), func(t *testing.T) {
				f := &fuse{Client: client, at: at, fate: way.fate, dies: way.dies}
				try(t, f)
				if blown = f.blown(); !blown && at < least {
					t.Errorf("%d requests, want %d or more", at, least)
				}
			})
		}
	}
}
