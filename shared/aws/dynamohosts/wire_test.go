package dynamohosts_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/dynamohosts"
	"sluice/shared/aws/dynamotest"
	"sluice/shared/conformance"
)

// newTable makes a table like that of template.yaml on the emulator.
func newTable(t *testing.T) (*dynamodb.Client, string) {
	t.Helper()
	return dynamotest.NewTable(t, "hosts")
}

func newClock() *conformance.Clock {
	return conformance.NewClock(time.Date(2090, 3, 30, 8, 0, 0, 123456789, time.UTC))
}

// counting is a client that counts requests and units, and lets writes fail as
// planned, one plan for each.
type counting struct {
	*dynamodb.Client

	mu           sync.Mutex
	plans        []dynamotest.Fate
	reads        int
	writes       int
	updates      int     // of the writes
	answers      int     // of writes that were applied
	units        float64 // as in the answers
	longestWrite int     // bytes of an update expression
}

func (c *counting) count(units *types.ConsumedCapacity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers++
	if units != nil {
		c.units += aws.ToFloat64(units.CapacityUnits)
	}
}

func (c *counting) measure(in *dynamodb.UpdateItemInput) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.updates++
	c.longestWrite = max(c.longestWrite, len(aws.ToString(in.UpdateExpression)))
}

func (c *counting) next() dynamotest.Fate {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	return dynamotest.Next(&c.plans)
}

func (c *counting) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.mu.Lock()
	c.reads++
	c.mu.Unlock()
	return c.Client.GetItem(ctx, in, opts...)
}

func (c *counting) PutItem(ctx context.Context, in *dynamodb.PutItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if p := c.next(); p.Err != nil {
		return nil, p.Err
	}
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	out, err := c.Client.PutItem(ctx, in, opts...)
	if err == nil {
		c.count(out.ConsumedCapacity)
	}
	return out, err
}

func (c *counting) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	p := c.next()
	if p.Err != nil {
		return nil, p.Err
	}
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	c.measure(in)
	out, err := c.Client.UpdateItem(ctx, in, opts...)
	if err == nil {
		c.count(out.ConsumedCapacity)
	}
	if err == nil && p.Twice {
		out, err = c.Client.UpdateItem(ctx, in, opts...)
	}
	if err == nil && p.Lost != nil {
		return nil, p.Lost
	}
	return out, err
}

// open returns a store on a fresh table.
func open(t *testing.T) (*dynamohosts.Store, *counting, *conformance.Clock) {
	t.Helper()
	client, table := newTable(t)
	counted, c := &counting{Client: client}, newClock()
	return dynamohosts.New(counted, table, dynamohosts.Options{Now: c.Now}), counted, c
}

// process returns another process's store on the table of a client.
func process(client dynamohosts.Client, table string, c *conformance.Clock) *dynamohosts.Store {
	return dynamohosts.New(client, table, dynamohosts.Options{Now: c.Now})
}
