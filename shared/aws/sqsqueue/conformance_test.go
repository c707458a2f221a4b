package sqsqueue_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"

	"sluice/shared/aws/dynamoledger"
	"sluice/shared/aws/dynamotest"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/aws/stack"
	"sluice/shared/state/frontier"
	"sluice/shared/state/frontier/frontiertest"
)

// Time is real and counted in whole seconds. The suite polls without waiting;
// TestReceiveWaits covers waiting.
const (
	testVisibility  = 4 * time.Second
	testMaxReceives = 3
)

// wire returns a client of the emulator.
func wire(t *testing.T) *sqs.Client {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("AWS_ENDPOINT_URL is not set: run make test-aws")
	}
	cfg, err := stack.Config(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return sqs.NewFromConfig(cfg)
}

// queues are fresh queues of one test.
type queues struct {
	client *sqs.Client
	lanes  []string
	dead   string
}

func newQueues(t *testing.T, lanes int) *queues {
	t.Helper()
	q := &queues{client: wire(t)}
	id := uuid.NewString()
	for i := range lanes {
		q.lanes = append(q.lanes, q.create(t, fmt.Sprintf("lane%d-%s", i, id), testVisibility))
	}
	q.dead = q.create(t, "dead-"+id, testVisibility)
	return q
}

func (q *queues) create(t *testing.T, name string, visibility time.Duration) string {
	t.Helper()
	out, err := q.client.CreateQueue(t.Context(), &sqs.CreateQueueInput{
		QueueName:  &name,
		Attributes: map[string]string{"VisibilityTimeout": fmt.Sprint(int(visibility.Seconds()))},
	})
	if err != nil {
		t.Fatalf("CreateQueue: %v", err)
	}
	t.Cleanup(func() {
		if _, err := q.client.DeleteQueue(context.Background(), &sqs.DeleteQueueInput{QueueUrl: out.QueueUrl}); err != nil {
			t.Errorf("DeleteQueue: %v", err)
		}
	})
	return *out.QueueUrl
}

func (q *queues) inject(t *testing.T, url, body string, attributes map[string]string) {
	t.Helper()
	in := &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body, MessageAttributes: map[string]types.MessageAttributeValue{}}
	for key, value := range attributes {
		in.MessageAttributes[key] = types.MessageAttributeValue{DataType: aws.String("String"), StringValue: &value}
	}
	if _, err := q.client.SendMessage(t.Context(), in); err != nil {
		t.Fatalf("SendMessage: %v", err)
	}
}

func TestQueue(t *testing.T) {
	frontiertest.RunQueue(t, func(t *testing.T) *frontiertest.Queue {
		t.Parallel()
		w := newQueues(t, 3)
		gauge := newGauge(t)
		q := sqsqueue.New(w.client, w.lanes, w.dead, sqsqueue.Options{MaxReceives: testMaxReceives, Tracker: gauge})
		return &frontiertest.Queue{
			Queue: q, DeadLetters: q, Gauge: gauge,
			Visibility: testVisibility, MaxReceives: testMaxReceives, Advance: time.Sleep,
			Inject: func(body []byte) error {
				w.inject(t, w.lanes[1], strings.ToValidUTF8(string(body), "\ufffd"), nil) // SQS carries no other text
				return nil
			},
			Buried: func(crawl string) (map[string]string, error) {
				links, _, err := q.DeadLinks(t.Context())
				out := map[string]string{}
				for _, l := range links {
					if l.Crawl == crawl {
						out[l.Link.URL] = l.Reason
					}
				}
				return out, err
			},
			Dead: func() (int, error) {
				links, strays, err := q.DeadLinks(t.Context())
				return len(links) + len(strays), err
			},
		}
	})
}

// newGauge returns the gauge that is the tracker of a stack, over a fresh table.
func newGauge(t *testing.T) *dynamoledger.Gauge {
	t.Helper()
	client, table := dynamotest.NewTable(t, "hosts")
	return dynamoledger.New(client, dynamoledger.Options{Hosts: table}).Gauge()
}

// tracker is the least that keeps a gauge.
type tracker struct {
	mu    sync.Mutex
	tasks map[[3]string]frontier.Mark // by crawl, host, id
}

func newTracker() *tracker { return &tracker{tasks: map[[3]string]frontier.Mark{}} }

func key(m frontier.Mark) [3]string { return [3]string{m.Crawl, m.Host, m.ID} }

func (b *tracker) Sent(_ context.Context, marks []frontier.Mark) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range marks {
		b.tasks[key(m)] = m
	}
	return nil
}

func (b *tracker) Ended(_ context.Context, marks []frontier.Mark) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range marks {
		if b.tasks[key(m)].Hops == m.Hops {
			delete(b.tasks, key(m))
		}
	}
	return nil
}

func (b *tracker) Queued(_ context.Context, crawl, host string) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, m := range b.tasks {
		if m.Crawl == crawl && (host == "" || host == m.Host) {
			n += m.Links
		}
	}
	return n, nil
}
