//go:build linux

package lambdahost

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go/logging"
)

// queue is an SQS queue for a test.
type queue struct {
	client SQS
	url    string
	send   func(body string, attributes map[string]types.MessageAttributeValue)
}

// onQueues runs a test on a queue in memory and on one of an emulator.
func onQueues(t *testing.T, test func(t *testing.T, q queue)) {
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		m := &memoryQueue{}
		test(t, queue{client: m, url: "memory:queue", send: m.send})
	})
	t.Run("emulator", func(t *testing.T) {
		t.Parallel()
		test(t, emulated(t))
	})
}

func emulated(t *testing.T) queue {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("no AWS_ENDPOINT_URL: `make test-aws` runs this on an emulator")
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithRegion("us-east-1"), config.WithLogger(logging.Nop{}))
	if err != nil {
		t.Fatal(err)
	}
	client := sqs.NewFromConfig(cfg)
	name := strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()) + strconv.FormatInt(time.Now().UnixNano(), 36)
	out, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String(name)})
	if err != nil {
		t.Fatal(err)
	}
	url := aws.ToString(out.QueueUrl)
	t.Cleanup(func() {
		_, err := client.DeleteQueue(context.Background(), &sqs.DeleteQueueInput{QueueUrl: &url})
		if err != nil {
			t.Error(err)
		}
	})
	return queue{client: client, url: url, send: func(body string, attributes map[string]types.MessageAttributeValue) {
		_, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{
			QueueUrl: &url, MessageBody: &body, MessageAttributes: attributes, MessageGroupId: aws.String("a.example"),
		})
		if err != nil {
			t.Fatal(err)
		}
	}}
}

// memoryQueue is a standard queue.
type memoryQueue struct {
	mu       sync.Mutex
	messages []*stored
	sent     int
}

type stored struct {
	types.Message
	sent, received, hidden time.Time
	receipts               int
	deleted                bool
}

func (m *memoryQueue) send(body string, attributes map[string]types.MessageAttributeValue) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent++
	sum := md5.Sum([]byte(body))
	m.messages = append(m.messages, &stored{sent: time.Now(), Message: types.Message{
		MessageId:         aws.String(fmt.Sprintf("m%d", m.sent)),
		Body:              aws.String(body),
		MD5OfBody:         aws.String(hex.EncodeToString(sum[:])),
		MessageAttributes: attributes,
	}})
}

func (m *memoryQueue) GetQueueAttributes(context.Context, *sqs.GetQueueAttributesInput, ...func(*sqs.Options)) (*sqs.GetQueueAttributesOutput, error) {
	return &sqs.GetQueueAttributesOutput{Attributes: map[string]string{"QueueArn": "arn:aws:sqs:us-east-1:123456789012:queue"}}, nil
}

func (m *memoryQueue) ReceiveMessage(ctx context.Context, in *sqs.ReceiveMessageInput, _ ...func(*sqs.Options)) (*sqs.ReceiveMessageOutput, error) {
	deadline := time.Now().Add(time.Duration(in.WaitTimeSeconds) * time.Second)
	for {
		if got := m.take(in); len(got) > 0 || time.Now().After(deadline) {
			return &sqs.ReceiveMessageOutput{Messages: got}, nil
		}
		if pause(ctx, 5*time.Millisecond); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

func (m *memoryQueue) take(in *sqs.ReceiveMessageInput) []types.Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	var got []types.Message
	for _, s := range m.messages {
		if len(got) == int(in.MaxNumberOfMessages) {
			break
		}
		if s.deleted || now.Before(s.hidden) {
			continue
		}
		if s.receipts++; s.receipts == 1 {
			s.received = now
		}
		s.hidden = now.Add(time.Duration(max(in.VisibilityTimeout, 1)) * time.Second)
		msg := s.Message
		msg.ReceiptHandle = aws.String(fmt.Sprintf("%s/%d", *s.MessageId, s.receipts))
		msg.Attributes = map[string]string{
			"ApproximateReceiveCount":          strconv.Itoa(s.receipts),
			"ApproximateFirstReceiveTimestamp": strconv.FormatInt(s.received.UnixMilli(), 10),
			"SentTimestamp":                    strconv.FormatInt(s.sent.UnixMilli(), 10),
			"SenderId":                         "AIDA",
			"MessageGroupId":                   "a.example",
		}
		got = append(got, msg)
	}
	return got
}

func (m *memoryQueue) DeleteMessageBatch(_ context.Context, in *sqs.DeleteMessageBatchInput, _ ...func(*sqs.Options)) (*sqs.DeleteMessageBatchOutput, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out sqs.DeleteMessageBatchOutput
	for _, e := range in.Entries {
		id, _, _ := strings.Cut(*e.ReceiptHandle, "/")
		for _, s := range m.messages {
			if *s.MessageId == id {
				s.deleted = true
				out.Successful = append(out.Successful, types.DeleteMessageBatchResultEntry{Id: e.Id})
			}
		}
	}
	return &out, nil
}
