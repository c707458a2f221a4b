package meter

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/console/cost"
)

const kilobyte = 1 << 10

func TestSentMessages(t *testing.T) {
	queue := aws.String("http://aws.invalid/1/q")
	attribute := map[string]types.MessageAttributeValue{ // 1 KB: 4 + 6 + 1014
		"rule": {DataType: aws.String("String"), StringValue: aws.String(strings.Repeat("x", 1014))},
	}
	for _, test := range []struct {
		name         string
		kilobytes    []int
		attributes   map[string]types.MessageAttributeValue
		group        *string
		queue        *string
		billed, fair float64
	}{
		{name: "small", kilobytes: []int{1}, queue: queue, billed: 1},
		{name: "empty body", kilobytes: []int{0}, queue: queue, billed: 1},
		{name: "64 KB", kilobytes: []int{64}, queue: queue, billed: 1},
		{name: "attributes count", kilobytes: []int{64}, attributes: attribute, queue: queue, billed: 2},
		{name: "130 KB in ten", kilobytes: []int{13, 13, 13, 13, 13, 13, 13, 13, 13, 13}, queue: queue, billed: 3},
		{name: "130 KB in two groups", kilobytes: []int{65, 65}, group: aws.String("host"), queue: queue, billed: 3, fair: 3},
		{name: "groups of a FIFO queue", kilobytes: []int{1}, group: aws.String("host"), queue: aws.String(*queue + ".fifo"), billed: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := New()
			cfg, _ := replay(m, answer{200, `{"Successful": [], "Failed": []}`})
			in := &sqs.SendMessageBatchInput{QueueUrl: test.queue}
			for i, n := range test.kilobytes {
				in.Entries = append(in.Entries, types.SendMessageBatchRequestEntry{
					Id: aws.String(string(rune('a' + i))), MessageBody: aws.String(strings.Repeat("m", n*kilobyte)),
					MessageAttributes: test.attributes, MessageGroupId: test.group,
				})
			}
			if _, err := sqs.NewFromConfig(cfg).SendMessageBatch(context.Background(), in); err != nil {
				t.Fatal(err)
			}
			want := cost.Usage{"sqs.SendMessageBatch.requests": 1, cost.SQSRequests: test.billed}
			if test.fair > 0 {
				want[cost.SQSFairRequests] = test.fair
			}
			wantUsage(t, m, want)
		})
	}
}

func TestSentMessage(t *testing.T) {
	m := New()
	cfg, _ := replay(m, answer{500, ``}, answer{200, `{}`})
	_, err := sqs.NewFromConfig(cfg, unchecked).SendMessage(context.Background(), &sqs.SendMessageInput{
		QueueUrl: aws.String("http://aws.invalid/1/q"), MessageBody: aws.String(strings.Repeat("m", 65*kilobyte)), MessageGroupId: aws.String("h"),
	})
	if err != nil {
		t.Fatal(err)
	}
	wantUsage(t, m, cost.Usage{
		"sqs.SendMessage.requests": 2, "sqs.SendMessage.errors": 1, cost.SQSRequests: 4, cost.SQSFairRequests: 4,
	})
}

func unchecked(o *sqs.Options) { o.DisableMessageChecksumValidation = true }

func TestReceivedMessages(t *testing.T) {
	m := New()
	message := `{"MessageId": "m", "ReceiptHandle": "r", "Body": "` + strings.Repeat("m", 50*kilobyte) + `"}`
	cfg, _ := replay(m, answer{200, `{"Messages": [` + message + `, ` + message + `, ` + message + `]}`}, answer{200, `{}`})
	client := sqs.NewFromConfig(cfg, unchecked)
	for range 2 { // 150 KB, then nothing
		if _, err := client.ReceiveMessage(context.Background(), &sqs.ReceiveMessageInput{QueueUrl: aws.String("http://aws.invalid/1/q")}); err != nil {
			t.Fatal(err)
		}
	}
	wantUsage(t, m, cost.Usage{"sqs.ReceiveMessage.requests": 2, cost.SQSRequests: 4})
}

func TestS3Classes(t *testing.T) {
	ctx := context.Background()
	bucket, key := aws.String("b"), aws.String("k")
	for _, test := range []struct {
		name   string
		answer string
		want   cost.Usage
		call   func(*s3.Client) error
	}{
		{"PutObject", "", cost.Usage{cost.S3Put: 1, cost.S3BytesIn: 11}, func(c *s3.Client) error {
			_, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: key, Body: strings.NewReader("hello world")})
			return err
		}},
		{"GetObject", "hello", cost.Usage{cost.S3Get: 1, cost.S3BytesOut: 5}, func(c *s3.Client) error {
			out, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key})
			if err != nil {
				return err
			}
			_, err = io.ReadAll(out.Body)
			return err
		}},
		{"HeadObject", "", cost.Usage{cost.S3Get: 1}, func(c *s3.Client) error {
			_, err := c.HeadObject(ctx, &s3.HeadObjectInput{Bucket: bucket, Key: key})
			return err
		}},
		{"ListObjectsV2", `<a></a>`, cost.Usage{cost.S3Put: 1, cost.S3BytesOut: 7}, func(c *s3.Client) error {
			_, err := c.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: bucket})
			return err
		}},
		{"CopyObject", `<a></a>`, cost.Usage{cost.S3Put: 1, cost.S3BytesOut: 7}, func(c *s3.Client) error {
			_, err := c.CopyObject(ctx, &s3.CopyObjectInput{Bucket: bucket, Key: key, CopySource: aws.String("b/j")})
			return err
		}},
		{"CreateMultipartUpload", `<a></a>`, cost.Usage{cost.S3Put: 1, cost.S3BytesOut: 7}, func(c *s3.Client) error {
			_, err := c.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: bucket, Key: key})
			return err
		}},
		{"DeleteObject", "", cost.Usage{cost.S3Delete: 1}, func(c *s3.Client) error {
			_, err := c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: bucket, Key: key})
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := New()
			cfg, _ := replay(m, answer{200, test.answer})
			if err := test.call(s3.NewFromConfig(cfg)); err != nil {
				t.Fatal(err)
			}
			test.want[cost.OperationItem("s3", test.name, cost.Requests)] = 1
			wantUsage(t, m, test.want)
		})
	}
	t.Run("DeleteObjects", func(t *testing.T) {
		m := New()
		cfg, _ := replay(m, answer{200, `<a></a>`})
		_, err := s3.NewFromConfig(cfg).DeleteObjects(ctx, &s3.DeleteObjectsInput{
			Bucket: bucket, Delete: &s3types.Delete{Objects: []s3types.ObjectIdentifier{{Key: key}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Snapshot(); got[cost.S3Delete] != 1 || got[cost.S3Put] != 0 {
			t.Errorf("usage is %v, want a free request", got)
		}
	})
}

func TestChunkedUpload(t *testing.T) {
	// over TLS the body goes out in frames, with its checksum behind it
	m := New()
	cfg, w := replay(m, answer{200, ""})
	cfg.BaseEndpoint, cfg.RequestChecksumCalculation = aws.String("https://aws.invalid"), aws.RequestChecksumCalculationWhenSupported
	_, err := s3.NewFromConfig(cfg).PutObject(context.Background(), &s3.PutObjectInput{
		Bucket: aws.String("b"), Key: aws.String("k"), Body: strings.NewReader("hello world"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.sent[0]) == len("hello world") {
		t.Fatalf("the body went out as it is: %q", w.sent[0])
	}
	wantUsage(t, m, cost.Usage{"s3.PutObject.requests": 1, cost.S3Put: 1, cost.S3BytesIn: 11})
}
