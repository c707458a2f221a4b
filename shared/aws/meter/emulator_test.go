package meter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/aws/dynamotest"
	"sluice/shared/console/cost"
)

// emulator returns a configuration for the emulator, counted with m.
func emulator(t *testing.T, m *Meter) aws.Config {
	t.Helper()
	cfg := dynamotest.Emulator(t)
	m.Install(&cfg)
	return cfg
}

// isMoto reports whether the emulator is moto, which has its own API.
func isMoto(t *testing.T) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, os.Getenv("AWS_ENDPOINT_URL")+"/moto-api/data.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// newTable creates a table with the sparse index "group" on the attribute "g".
func newTable(t *testing.T, cfg aws.Config) string {
	t.Helper()
	client := dynamodb.NewFromConfig(cfg)
	name := aws.String("meter-" + strings.ToLower(strings.NewReplacer("/", "-").Replace(t.Name())))
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: name, BillingMode: ddb.BillingModePayPerRequest,
		AttributeDefinitions: []ddb.AttributeDefinition{
			{AttributeName: aws.String("k"), AttributeType: ddb.ScalarAttributeTypeS},
			{AttributeName: aws.String("g"), AttributeType: ddb.ScalarAttributeTypeS},
		},
		KeySchema: []ddb.KeySchemaElement{{AttributeName: aws.String("k"), KeyType: ddb.KeyTypeHash}},
		GlobalSecondaryIndexes: []ddb.GlobalSecondaryIndex{{
			IndexName: aws.String("group"), Projection: &ddb.Projection{ProjectionType: ddb.ProjectionTypeAll},
			KeySchema: []ddb.KeySchemaElement{{AttributeName: aws.String("g"), KeyType: ddb.KeyTypeHash}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: name})
		if _, retried := errors.AsType[*ddb.ResourceNotFoundException](err); err != nil && !retried {
			t.Error(err)
		}
	})
	return *name
}

// sized returns an item of about n bytes; with a group it is in the index.
func sized(id string, n int, group string) map[string]ddb.AttributeValue {
	sized := item(id)
	sized["v"] = &ddb.AttributeValueMemberS{Value: strings.Repeat("v", n)}
	if group != "" {
		sized["g"] = &ddb.AttributeValueMemberS{Value: group}
	}
	return sized
}

func TestEmulatorUnits(t *testing.T) {
	m := New()
	cfg := emulator(t, m)
	if isMoto(t) {
		t.Skip("moto reports one unit for items of any size")
	}
	name := aws.String(newTable(t, cfg))
	client, ctx := dynamodb.NewFromConfig(cfg), t.Context()
	m.Take()
	check := func(what string, err error, item cost.Item, want float64) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := m.Take()[item]; got != want {
			t.Errorf("%s: %v of %s, want %v", what, got, item, want)
		}
	}

	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: sized("a", 2500, "")})
	check("put of 2.5 KB", err, cost.DynamoWriteUnits, 3)

	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: sized("b", 2500, "g")})
	check("put of 2.5 KB, indexed", err, cost.DynamoWriteUnits, 6)

	var puts []ddb.TransactWriteItem
	for i, group := range []string{"", "", "g"} {
		puts = append(puts, ddb.TransactWriteItem{Put: &ddb.Put{TableName: name, Item: sized(fmt.Sprint("t", i), 100, group)}})
	}
	_, err = client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: puts})
	check("transaction of 3, one indexed", err, cost.DynamoWriteUnits, 2*3+1)

	var writes []ddb.WriteRequest
	var keys []map[string]ddb.AttributeValue
	for i := range 40 {
		id := fmt.Sprint("n", i)
		writes = append(writes, ddb.WriteRequest{PutRequest: &ddb.PutRequest{Item: sized(id, 100, "")}})
		keys = append(keys, item(id))
	}
	for _, part := range [][]ddb.WriteRequest{writes[:25], writes[25:]} {
		_, err = client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]ddb.WriteRequest{*name: part}})
		check("batch write", err, cost.DynamoWriteUnits, float64(len(part)))
	}
	for _, strong := range []bool{false, true} {
		_, err = client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]ddb.KeysAndAttributes{
			*name: {Keys: keys, ConsistentRead: aws.Bool(strong)},
		}})
		check(fmt.Sprintf("batch get of 40, strong %v", strong), err, cost.DynamoReadUnits, map[bool]float64{false: 20, true: 40}[strong])
	}

	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: name, Item: sized("a", 10, ""), ConditionExpression: aws.String("attribute_not_exists(k)"),
	})
	if err == nil {
		t.Fatal("condition held on an item that is there")
	}
	check("refused put", nil, cost.DynamoWriteUnits, 1)
}

func TestEmulatorThrottled(t *testing.T) {
	m := New()
	cfg := emulator(t, m)
	name := newTable(t, cfg)
	m.Take()
	cfg.HTTPClient = &http.Client{Transport: &throttleFirst{}}
	_, err := dynamodb.NewFromConfig(cfg).PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: sized("a", 10, "")})
	if err != nil {
		t.Fatal(err)
	}
	wantUsage(t, m, cost.Usage{
		"dynamodb.PutItem.requests": 2, "dynamodb.PutItem.errors": 1, "dynamodb.PutItem.throttles": 1,
		"dynamodb.PutItem.write_units": 1, cost.DynamoWriteUnits: 1,
	})
}

// throttleFirst answers the first request itself.
type throttleFirst struct{ answered bool }

func (f *throttleFirst) RoundTrip(request *http.Request) (*http.Response, error) {
	if f.answered {
		return http.DefaultTransport.RoundTrip(request)
	}
	f.answered = true
	return (&wire{answers: []answer{{400, throughputExceeded}}}).RoundTrip(request)
}

func TestEmulatorMessages(t *testing.T) {
	m := New()
	cfg := emulator(t, m)
	client, ctx := sqs.NewFromConfig(cfg), t.Context()
	queue, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("meter-messages")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := client.DeleteQueue(context.Background(), &sqs.DeleteQueueInput{QueueUrl: queue.QueueUrl}); err != nil {
			t.Error(err)
		}
	})
	m.Take()
	in := &sqs.SendMessageBatchInput{QueueUrl: queue.QueueUrl}
	for i := range 10 {
		in.Entries = append(in.Entries, types.SendMessageBatchRequestEntry{
			Id: aws.String(fmt.Sprint(i)), MessageBody: aws.String(strings.Repeat("m", 13*kilobyte)), MessageGroupId: aws.String("host"),
		})
	}
	if _, err := client.SendMessageBatch(ctx, in); err != nil {
		t.Fatal(err)
	}
	wantUsage(t, m, cost.Usage{"sqs.SendMessageBatch.requests": 1, cost.SQSRequests: 3, cost.SQSFairRequests: 3})
	m.Take()
	received := 0
	for range 10 {
		out, err := client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: queue.QueueUrl, MaxNumberOfMessages: 10})
		if err != nil {
			t.Fatal(err)
		}
		received += len(out.Messages)
		if got, want := m.Take()[cost.SQSRequests], float64(max(1, (len(out.Messages)*13+63)/64)); got != want {
			t.Errorf("receive of %d messages of 13 KB: %v requests, want %v", len(out.Messages), got, want)
		}
		if received == 10 {
			break
		}
	}
	if received != 10 {
		t.Errorf("received %d of 10 messages", received)
	}
}
