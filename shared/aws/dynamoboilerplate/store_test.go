package dynamoboilerplate_test

import (
	"context"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/dynamoboilerplate"
	"sluice/shared/aws/dynamotest"
	"sluice/shared/crawl/clean/cleantest"
	"sluice/shared/fault"
	"sluice/shared/text/boilerplate"
	"sluice/shared/text/boilerplate/boilerplatetest"
)

// newTable makes a table like that of template.yaml on the emulator.
func newTable(t *testing.T) (*dynamodb.Client, string) {
	t.Helper()
	return dynamotest.NewTable(t, "lessons")
}

func TestLessons(t *testing.T) {
	cleantest.Run(t, func(t *testing.T) cleantest.Store {
		client, table := newTable(t)
		return dynamoboilerplate.New(client, table, nil)
	})
}

// counting counts requests, and answers as planned in place of DynamoDB.
type counting struct {
	*dynamodb.Client

	mu      sync.Mutex
	reads   int
	writes  int
	queries int
	lost    bool // the answer of the next conditional write of a sketch
}

func (c *counting) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.mu.Lock()
	c.reads++
	c.mu.Unlock()
	return c.Client.GetItem(ctx, in, opts...)
}

func (c *counting) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	c.mu.Lock()
	c.queries++
	c.mu.Unlock()
	return c.Client.Query(ctx, in, opts...)
}

func (c *counting) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.mu.Lock()
	c.writes++
	lose := c.lost && in.ExpressionAttributeValues[":d"] != nil
	c.lost = c.lost && !lose
	c.mu.Unlock()
	out, err := c.Client.UpdateItem(ctx, in, opts...)
	if lose && err == nil { // applied, and sent again
		return nil, &types.ConditionalCheckFailedException{}
	}
	return out, err
}

// A segment costs what the package documents: known pages cost no write of a
// sketch, announced ones no query.
func TestRequests(t *testing.T) {
	client, table := newTable(t)
	c := &counting{Client: client}
	s := dynamoboilerplate.New(c, table, nil)
	pages := boilerplatetest.Pages("a.test", 9)
	clean := func() {
		t.Helper()
		run, err := s.Begin(t.Context(), "c", "s1")
		if err != nil {
			t.Fatal(err)
		}
		l, err := s.Learn(t.Context(), "c", "a.test", "s1", pages)
		if err != nil {
			t.Fatal(err)
		}
		if l.News {
			if err := s.Announced(t.Context(), "c", "a.test", l.Edition); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Leave(t.Context(), "c", "s1", []string{"corpus/"}); err != nil {
			t.Fatal(err)
		}
		if alone, err := s.End(t.Context(), "c", "s1", run, nil); err != nil || !alone {
			t.Fatalf("End = %v, %v", alone, err)
		}
	}
	clean()
	if c.writes != 4 || c.reads != 2 || c.queries != 1 {
		t.Errorf("the first cleaning took %d writes, %d reads, %d queries", c.writes, c.reads, c.queries)
	}
	c.writes, c.reads, c.queries = 0, 0, 0
	clean()
	if c.writes != 2 || c.reads != 2 || c.queries != 0 {
		t.Errorf("the second cleaning took %d writes, %d reads, %d queries", c.writes, c.reads, c.queries)
	}
}

// A write that was applied but reported as refused loses nothing.
func TestLostAnswer(t *testing.T) {
	client, table := newTable(t)
	s := dynamoboilerplate.New(&counting{Client: client, lost: true}, table, nil)
	pages := boilerplatetest.Pages("a.test", 9)
	var want boilerplate.Sketch
	want.Add(pages...)
	l, err := s.Learn(t.Context(), "c", "a.test", "s1", pages)
	if err != nil || l.Learned.Version() != want.Learned().Version() || !l.News || l.Edition != 1 {
		t.Errorf("Learn = %+v, %v", l, err)
	}
}

// A damaged sketch is reported and not overwritten.
func TestDamagedSketch(t *testing.T) {
	client, table := newTable(t)
	s := dynamoboilerplate.New(client, table, nil)
	pages := boilerplatetest.Pages("a.test", 9)
	if _, err := s.Learn(t.Context(), "c", "a.test", "s1", pages); err != nil {
		t.Fatal(err)
	}
	_, err := client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: &table, UpdateExpression: aws.String("SET d = :d"),
		Key: map[string]types.AttributeValue{
			"p": &types.AttributeValueMemberS{Value: "lesson#c#a.test"}, "s": &types.AttributeValueMemberS{Value: "-"},
		},
		ExpressionAttributeValues: map[string]types.AttributeValue{":d": &types.AttributeValueMemberB{Value: []byte("x")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Learn(t.Context(), "c", "a.test", "s1", pages); err == nil || fault.Of(err).Class != fault.Permanent {
		t.Errorf("Learn on a damaged sketch: %v, want a Permanent fault", err)
	}
}
