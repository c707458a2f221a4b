package meter

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/console/cost"
)

// answer is a recorded response.
type answer struct {
	status int
	body   string
}

// wire replays answers, one a request, and keeps the bodies of the requests.
type wire struct {
	mu      sync.Mutex
	answers []answer // the last one again and again
	sent    []string
}

func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var sent []byte
	if request.Body != nil {
		var err error
		if sent, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	w.sent = append(w.sent, string(sent))
	now := w.answers[0]
	if len(w.answers) > 1 {
		w.answers = w.answers[1:]
	}
	if now.status == 0 {
		return nil, errors.New("connection reset")
	}
	return &http.Response{
		StatusCode: now.status,
		Header:     http.Header{"X-Amz-Crc32": {strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(now.body))), 10)}},
		Body:       io.NopCloser(strings.NewReader(now.body)), ContentLength: int64(len(now.body)), Request: request,
	}, nil
}

// replay returns a configuration whose clients get answers and count with m.
func replay(m *Meter, answers ...answer) (aws.Config, *wire) {
	w := &wire{answers: answers}
	cfg := aws.Config{
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
		BaseEndpoint: aws.String("http://aws.invalid"),
		HTTPClient:   &http.Client{Transport: w},
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts = 5
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			})
		},
	}
	m.Install(&cfg)
	return cfg, w
}

// wantUsage compares what a meter counted.
func wantUsage(t *testing.T, m *Meter, want cost.Usage) {
	t.Helper()
	if diff := cmp.Diff(want, m.Snapshot()); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

const throughputExceeded = `{"__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", "message": "slow down"}`

func item(id string) map[string]ddb.AttributeValue {
	return map[string]ddb.AttributeValue{"k": &ddb.AttributeValueMemberS{Value: id}}
}

func TestRetriesAreRequests(t *testing.T) {
	m := New()
	cfg, w := replay(m,
		answer{400, throughputExceeded},
		answer{0, ""},
		answer{500, `{"__type": "InternalServerError"}`},
		answer{200, `{"ConsumedCapacity": {"TableName": "t", "CapacityUnits": 4,
			"Table": {"CapacityUnits": 3}, "GlobalSecondaryIndexes": {"i": {"CapacityUnits": 1}}}}`})
	in := &dynamodb.PutItemInput{TableName: aws.String("t"), Item: item("a")}
	if _, err := dynamodb.NewFromConfig(cfg).PutItem(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	wantUsage(t, m, cost.Usage{
		"dynamodb.PutItem.requests": 4, "dynamodb.PutItem.errors": 3, "dynamodb.PutItem.throttles": 1,
		"dynamodb.PutItem.write_units": 4, cost.DynamoWriteUnits: 4,
	})
	for i, sent := range w.sent {
		if !strings.Contains(sent, `"ReturnConsumedCapacity":"INDEXES"`) {
			t.Errorf("request %d is %s", i+1, sent)
		}
	}
	if in.ReturnConsumedCapacity != "" {
		t.Error("the caller's input was changed")
	}
}

func TestConsumedUnits(t *testing.T) {
	ctx := context.Background()
	table := aws.String("t")
	keys := map[string]ddb.KeysAndAttributes{"t": {Keys: []map[string]ddb.AttributeValue{item("a")}}}
	const units = `{"TableName": "t", "CapacityUnits": 2.5}`
	single, several := `{"ConsumedCapacity": `+units+`}`, `{"ConsumedCapacity": [`+units+`, `+units+`]}`
	for _, test := range []struct {
		name          string
		answer        answer
		reads, writes float64
		call          func(*dynamodb.Client) error
	}{
		{"GetItem", answer{200, single}, 2.5, 0, func(c *dynamodb.Client) error {
			_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: item("a")})
			return err
		}},
		{"BatchGetItem", answer{200, several}, 5, 0, func(c *dynamodb.Client) error {
			_, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: keys})
			return err
		}},
		{"TransactGetItems", answer{200, several}, 5, 0, func(c *dynamodb.Client) error {
			get := ddb.TransactGetItem{Get: &ddb.Get{TableName: table, Key: item("a")}}
			_, err := c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []ddb.TransactGetItem{get}})
			return err
		}},
		{"Query", answer{200, single}, 2.5, 0, func(c *dynamodb.Client) error {
			_, err := c.Query(ctx, &dynamodb.QueryInput{TableName: table, ReturnConsumedCapacity: ddb.ReturnConsumedCapacityNone})
			return err
		}},
		{"Scan", answer{200, single}, 2.5, 0, func(c *dynamodb.Client) error {
			_, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: table})
			return err
		}},
		{"UpdateItem", answer{200, single}, 0, 2.5, func(c *dynamodb.Client) error {
			_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: table, Key: item("a")})
			return err
		}},
		{"DeleteItem", answer{200, single}, 0, 2.5, func(c *dynamodb.Client) error {
			_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: table, Key: item("a")})
			return err
		}},
		{"BatchWriteItem", answer{200, several}, 0, 5, func(c *dynamodb.Client) error {
			put := []ddb.WriteRequest{{PutRequest: &ddb.PutRequest{Item: item("a")}}}
			_, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]ddb.WriteRequest{"t": put}})
			return err
		}},
		{"TransactWriteItems", answer{200, several}, 0, 5, transact(1)},
		{"TransactWriteItems", answer{200, `{"ConsumedCapacity": [{"CapacityUnits": 7, "WriteCapacityUnits": 6,
			"GlobalSecondaryIndexes": {"group": {"CapacityUnits": 1, "WriteCapacityUnits": 1}}}]}`}, 0, 7, transact(1)},
		{"TransactWriteItems", answer{200, `{"ConsumedCapacity": [{"CapacityUnits": 6, "ReadCapacityUnits": 6}]}`}, 6, 0, transact(1)},
		{"GetItem", answer{200, `{}`}, 0.5, 0, func(c *dynamodb.Client) error {
			_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: item("a")})
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := New()
			cfg, w := replay(m, test.answer)
			if err := test.call(dynamodb.NewFromConfig(cfg)); err != nil {
				t.Fatal(err)
			}
			want := cost.Usage{cost.OperationItem("dynamodb", test.name, cost.Requests): 1}
			if test.reads > 0 {
				want[cost.DynamoReadUnits] = test.reads
				want[cost.OperationItem("dynamodb", test.name, cost.ReadUnits)] = test.reads
			}
			if test.writes > 0 {
				want[cost.DynamoWriteUnits] = test.writes
				want[cost.OperationItem("dynamodb", test.name, cost.WriteUnits)] = test.writes
			}
			wantUsage(t, m, want)
			if !strings.Contains(w.sent[0], `"ReturnConsumedCapacity":"INDEXES"`) {
				t.Errorf("request is %s", w.sent[0])
			}
		})
	}
}

func TestAnswersThatTellTooLittle(t *testing.T) {
	ctx := context.Background()
	table, strong := aws.String("t"), aws.Bool(true)
	big := `{"k": {"S": "` + strings.Repeat("k", 5000) + `"}, "n": {"N": "12"}, "m": {"M": {"a": {"L": [{"SS": ["b"]}, {"B": "AAAA"}, {"BOOL": true}]}}}}`
	const small = `{"k": {"S": "a"}}`
	keys := []map[string]ddb.AttributeValue{item("a"), item("b"), item("c"), item("d")}
	for _, test := range []struct {
		name, answer string
		reads        float64
		call         func(*dynamodb.Client) error
	}{
		{"GetItem", `{"ConsumedCapacity": {"CapacityUnits": 0.5}, "Item": ` + big + `}`, 1, func(c *dynamodb.Client) error {
			_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: item("a")})
			return err
		}},
		{"Query", `{"Items": [` + big + `, ` + big + `]}`, 3, func(c *dynamodb.Client) error {
			_, err := c.Query(ctx, &dynamodb.QueryInput{TableName: table, ConsistentRead: strong})
			return err
		}},
		{"Query", `{"Items": []}`, 0.5, func(c *dynamodb.Client) error {
			_, err := c.Query(ctx, &dynamodb.QueryInput{TableName: table})
			return err
		}},
		{"Scan", `{"ConsumedCapacity": {"CapacityUnits": 9}, "Items": [` + small + `]}`, 9, func(c *dynamodb.Client) error {
			_, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: table})
			return err
		}},
		{
			// one of 2 blocks, one of 1, one that is not there; one is left for later
			"BatchGetItem", `{"Responses": {"t": [` + big + `, ` + small + `]}, "UnprocessedKeys": {"t": {"Keys": [` + small + `]}}}`, 4,
			func(c *dynamodb.Client) error {
				_, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]ddb.KeysAndAttributes{
					"t": {Keys: keys, ConsistentRead: strong},
				}})
				return err
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := New()
			cfg, _ := replay(m, answer{200, test.answer})
			if err := test.call(dynamodb.NewFromConfig(cfg)); err != nil {
				t.Fatal(err)
			}
			wantUsage(t, m, cost.Usage{
				cost.OperationItem("dynamodb", test.name, cost.Requests):  1,
				cost.OperationItem("dynamodb", test.name, cost.ReadUnits): test.reads,
				cost.DynamoReadUnits: test.reads,
			})
		})
	}
}

// transact returns a call that puts n items in one transaction.
func transact(n int) func(*dynamodb.Client) error {
	var items []ddb.TransactWriteItem
	for i := range n {
		items = append(items, ddb.TransactWriteItem{Put: &ddb.Put{TableName: aws.String("t"), Item: item(string(rune('a' + i)))}})
	}
	return func(c *dynamodb.Client) error {
		_, err := c.TransactWriteItems(context.Background(), &dynamodb.TransactWriteItemsInput{TransactItems: items})
		return err
	}
}

func TestRefusedWrites(t *testing.T) {
	const canceled = `{"__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException", "CancellationReasons": `
	put := func(c *dynamodb.Client) error {
		_, err := c.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("t"), Item: item("a")})
		return err
	}
	for _, test := range []struct {
		name, operation, answer string
		call                    func(*dynamodb.Client) error
		throttles, writes       float64
	}{
		{"condition", "PutItem", `{"__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"}`, put, 0, 1},
		{"input", "PutItem", `{"__type": "com.amazon.coral.validate#ValidationException"}`, put, 0, 0},
		{
			"condition in a transaction", "TransactWriteItems",
			canceled + `[{"Code": "None"}, {"Code": "ConditionalCheckFailed"}, {"Code": "None"}]}`, transact(3), 0, 6,
		},
		{
			"throttled transaction", "TransactWriteItems",
			canceled + `[{"Code": "None"}, {"Code": "ThrottlingError"}]}`, transact(2), 1, 0,
		},
		{
			"conflict", "TransactWriteItems",
			canceled + `[{"Code": "TransactionConflict"}]}`, transact(1), 0, 0,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := New()
			cfg, _ := replay(m, answer{400, test.answer})
			if err := test.call(dynamodb.NewFromConfig(cfg)); err == nil {
				t.Fatal("no error")
			}
			want := cost.Usage{
				cost.OperationItem("dynamodb", test.operation, cost.Requests): 1,
				cost.OperationItem("dynamodb", test.operation, cost.Errors):   1,
			}
			if test.throttles > 0 {
				want[cost.OperationItem("dynamodb", test.operation, cost.Throttles)] = test.throttles
			}
			if test.writes > 0 {
				want[cost.DynamoWriteUnits] = test.writes
				want[cost.OperationItem("dynamodb", test.operation, cost.WriteUnits)] = test.writes
			}
			wantUsage(t, m, want)
		})
	}
}

func TestTakeAndSnapshot(t *testing.T) {
	m := New()
	cfg, _ := replay(m, answer{200, `{}`})
	client := sqs.NewFromConfig(cfg)
	ask := func() {
		t.Helper()
		if _, err := client.ListQueues(context.Background(), &sqs.ListQueuesInput{}); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	snapshot := m.Snapshot()
	ask()
	once := cost.Usage{"sqs.ListQueues.requests": 1, cost.SQSRequests: 1}
	if diff := cmp.Diff(once, snapshot); diff != "" {
		t.Errorf("Snapshot (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(cost.Usage{"sqs.ListQueues.requests": 2, cost.SQSRequests: 2}, m.Take()); diff != "" {
		t.Errorf("Take (-want +got):\n%s", diff)
	}
	if again := m.Take(); len(again) != 0 {
		t.Errorf("second Take = %v, want nothing", again)
	}
	ask()
	wantUsage(t, m, once)
}

func TestInstall(t *testing.T) {
	first, second := New(), New()
	cfg, _ := replay(first, answer{200, `{}`})
	first.Install(&cfg)
	second.Install(&cfg)
	if _, err := lambda.NewFromConfig(cfg).ListFunctions(context.Background(), &lambda.ListFunctionsInput{}); err != nil {
		t.Fatal(err)
	}
	want := cost.Usage{"lambda.ListFunctions.requests": 1} // no invocation
	wantUsage(t, first, want)
	wantUsage(t, second, want)
}

func TestInstallLeavesOtherConfigurations(t *testing.T) {
	one, other := New(), New()
	base, _ := replay(New(), answer{200, `{}`})
	left, right := base.Copy(), base.Copy()
	one.Install(&left)
	other.Install(&right)
	if _, err := lambda.NewFromConfig(left).ListFunctions(context.Background(), &lambda.ListFunctionsInput{}); err != nil {
		t.Fatal(err)
	}
	if len(one.Snapshot()) == 0 || len(other.Snapshot()) != 0 {
		t.Errorf("counted %v and %v, want all in the first", one.Snapshot(), other.Snapshot())
	}
}

func TestConcurrentUse(t *testing.T) {
	m := New()
	cfg, _ := replay(m, answer{200, `{"ConsumedCapacity": {"CapacityUnits": 0.5}}`})
	client := dynamodb.NewFromConfig(cfg)
	var workers sync.WaitGroup
	taken := make([]cost.Usage, 8)
	for i := range taken {
		workers.Go(func() {
			for range 25 {
				_, err := client.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String("t"), Key: item("a")})
				if err != nil {
					t.Error(err)
				}
			}
			taken[i] = m.Take()
		})
	}
	workers.Wait()
	total := m.Take()
	for _, usage := range taken {
		total.Add(usage)
	}
	want := cost.Usage{"dynamodb.GetItem.requests": 200, "dynamodb.GetItem.read_units": 100, cost.DynamoReadUnits: 100}
	if diff := cmp.Diff(want, total); diff != "" {
		t.Errorf("all taken (-want +got):\n%s", diff)
	}
}
