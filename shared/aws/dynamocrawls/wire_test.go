package dynamocrawls_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/dynamocrawls"
)

// newTable makes a table like that of template.yaml on the emulator.
func newTable(t *testing.T) (*dynamodb.Client, string) {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("AWS_ENDPOINT_URL names no emulator: run make test-aws")
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithRegion(cmp.Or(os.Getenv("AWS_REGION"), "us-east-1")))
	if err != nil {
		t.Fatal(err)
	}
	client, table := dynamodb.NewFromConfig(cfg), "crawls-"+rand.Text()
	_, err = client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("p"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("s"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("p"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("s"), KeyType: types.KeyTypeRange},
		},
	})
	var exists *types.ResourceInUseException // the answer was lost, and the SDK tried again
	if err != nil && !errors.As(err, &exists) {
		t.Fatalf("create table: %v", err)
	}
	t.Cleanup(func() {
		_, err := client.DeleteTable(context.WithoutCancel(t.Context()), &dynamodb.DeleteTableInput{TableName: &table})
		var gone *types.ResourceNotFoundException
		if err != nil && !errors.As(err, &gone) {
			t.Errorf("delete table: %v", err)
		}
	})
	return client, table
}

// faulty is a client whose writes fail as planned, one plan for each.
type faulty struct {
	dynamocrawls.Client

	mu    sync.Mutex
	plans []plan
	sent  []*dynamodb.UpdateItemInput
}

// plan is what becomes of a write.
type plan struct {
	lost  error // returned in place of the answer; the write was applied
	err   error // returned; the write was not applied
	twice bool  // sent again, as the SDK does where the answer was lost
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
