//go:build linux

package lambdahost

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// pumped runs a pump until done reports true of its account, and returns the
// account and the records that the function got.
func pumped(t *testing.T, q queue, fn Options, opts PumpOptions, done func(Account) bool) (Account, []events.SQSMessage) {
	t.Helper()
	var log lines
	fn.Log, fn.Timeout = &log, time.Minute
	f := open(t, "batch", fn)
	opts.Visibility = max(opts.Visibility, time.Second)
	p, err := NewPump(q.client, f, []string{q.url}, opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.Run(ctx) }()
	eventually(t, "the pump to be done", func() bool { return done(p.Account()) })
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var records []events.SQSMessage
	for line := range strings.Lines(log.String()) {
		if !strings.HasPrefix(line, `{"messageId"`) {
			continue // a panic
		}
		var r events.SQSMessage
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		records = append(records, r)
	}
	return p.Account(), records
}

// counts returns how often each message came, by body, and checks the receive
// counts.
func counts(t *testing.T, records []events.SQSMessage) map[string]int {
	t.Helper()
	got := map[string]int{}
	for _, r := range records {
		got[r.Body]++
		if n := r.Attributes["ApproximateReceiveCount"]; n != strconv.Itoa(got[r.Body]) {
			t.Errorf("receipt %d of %q says %q", got[r.Body], r.Body, n)
		}
	}
	return got
}

func TestPumpActsOnAnswers(t *testing.T) {
	for _, test := range []struct {
		name   string
		bodies []string
		want   map[string]int // receipts
		acct   Account
	}{
		{
			"all succeed", []string{"a", "b"}, map[string]int{"a": 1, "b": 1},
			Account{Invocations: 1, Deliveries: 2, Deleted: 2, Deletes: 1},
		},
		{
			"one fails", []string{"a", "fail-once", "b"}, map[string]int{"a": 1, "b": 1, "fail-once": 2},
			Account{Invocations: 2, Deliveries: 4, Deleted: 3, Deletes: 2, Reported: 1},
		},
		{
			"a panic keeps all", []string{"a", "panic-once"}, map[string]int{"a": 2, "panic-once": 2},
			Account{Invocations: 2, Errors: 1, Deliveries: 4, Deleted: 2, Deletes: 1},
		},
		{
			"an empty identifier keeps all", []string{"a", "empty-once"}, map[string]int{"a": 2, "empty-once": 2},
			Account{Invocations: 2, Malformed: 1, Deliveries: 4, Deleted: 2, Deletes: 1},
		},
		{
			"null deletes all", []string{"null", "a"}, map[string]int{"a": 1, "null": 1},
			Account{Invocations: 1, Deliveries: 2, Deleted: 2, Deletes: 1},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			onQueues(t, func(t *testing.T, q queue) {
				for _, body := range test.bodies {
					q.send(body, nil)
				}
				// A batch of exactly these messages; failed ones come back
				// within one window.
				opts := PumpOptions{BatchSize: len(test.bodies), Window: time.Second, MaxConcurrency: 1, Visibility: 2 * time.Second}
				acct, records := pumped(t, q, Options{}, opts, func(a Account) bool { return a.Deleted == len(test.bodies) })
				if diff := cmp.Diff(test.want, counts(t, records)); diff != "" {
					t.Errorf("receipts (-want +got):\n%s", diff)
				}
				if acct.GBSeconds <= 0 || acct.Receives == 0 {
					t.Errorf("account %+v", acct)
				}
				test.acct.MaxConcurrency = 1
				if diff := cmp.Diff(test.acct, acct, cmpopts.IgnoreFields(Account{}, "Receives", "GBSeconds")); diff != "" {
					t.Errorf("account (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestPumpEvent(t *testing.T) {
	t.Parallel()
	onQueues(t, func(t *testing.T, q queue) {
		q.send("页?a&b", map[string]types.MessageAttributeValue{
			"reason": {DataType: aws.String("String"), StringValue: aws.String("poison")},
			"digest": {DataType: aws.String("Binary"), BinaryValue: []byte{1, 2}},
		})
		_, records := pumped(t, q, Options{}, PumpOptions{}, func(a Account) bool { return a.Deleted == 1 })
		if len(records) != 1 {
			t.Fatalf("%d records", len(records))
		}
		r := records[0]
		for _, name := range []string{"SentTimestamp", "ApproximateFirstReceiveTimestamp"} {
			ms, err := strconv.ParseInt(r.Attributes[name], 10, 64)
			if age := time.Since(time.UnixMilli(ms)); err != nil || age < 0 || age > time.Hour {
				t.Errorf("%s is %q", name, r.Attributes[name])
			}
			delete(r.Attributes, name)
		}
		delete(r.Attributes, "SenderId")
		if r.MessageId == "" || r.ReceiptHandle == "" || !strings.HasPrefix(r.EventSourceARN, "arn:aws:sqs:us-east-1:") {
			t.Errorf("record %+v", r)
		}
		want := events.SQSMessage{
			Body: "页?a&b", Md5OfBody: "5487ea1af08d900320d182dd3b91defa",
			Attributes: map[string]string{"ApproximateReceiveCount": "1", "MessageGroupId": "a.example"},
			MessageAttributes: map[string]events.SQSMessageAttribute{
				"reason": {DataType: "String", StringValue: aws.String("poison"), StringListValues: []string{}, BinaryListValues: [][]byte{}},
				"digest": {DataType: "Binary", BinaryValue: []byte{1, 2}, StringListValues: []string{}, BinaryListValues: [][]byte{}},
			},
			EventSource: "aws:sqs", AWSRegion: "us-east-1",
		}
		ignored := cmpopts.IgnoreFields(events.SQSMessage{}, "MessageId", "ReceiptHandle", "EventSourceARN", "Md5OfMessageAttributes")
		if diff := cmp.Diff(want, r, ignored); diff != "" {
			t.Errorf("record (-want +got):\n%s", diff)
		}
	})
}

func TestPumpKeepsConcurrency(t *testing.T) {
	t.Parallel()
	onQueues(t, func(t *testing.T, q queue) {
		for i := range 12 {
			q.send(fmt.Sprintf("slow %d", i), nil)
		}
		opts := PumpOptions{BatchSize: 1, MaxConcurrency: 3, Visibility: time.Minute}
		acct, records := pumped(t, q, Options{}, opts, func(a Account) bool { return a.Deleted == 12 })
		if acct.MaxConcurrency < 2 || acct.MaxConcurrency > 3 || acct.Invocations != 12 || len(records) != 12 {
			t.Errorf("%d records, account %+v", len(records), acct)
		}
	})
}

// Despite all faults, each message is handled and deleted in the end, and
// duplicates are accounted for.
func TestPumpFaults(t *testing.T) {
	t.Parallel()
	onQueues(t, func(t *testing.T, q queue) {
		const n = 30
		for i := range n {
			q.send(fmt.Sprintf("slow %d", i), nil)
		}
		faults := Faults{Duplicate: 0.3, Shuffle: 0.5, Drop: 0.4, Kill: 0.4, KillWithin: 20 * time.Millisecond, Seed: 7}
		opts := PumpOptions{BatchSize: 5, MaxConcurrency: 4, Faults: faults}
		var handled int
		still := time.Now()
		acct, records := pumped(t, q, Options{}, opts, func(a Account) bool {
			if a.Deliveries != handled {
				handled, still = a.Deliveries, time.Now()
			}
			return a.Deleted >= n && time.Since(still) > 4*time.Second // no message came back for long
		})
		left, err := q.client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &q.url, WaitTimeSeconds: 2})
		if err != nil || len(left.Messages) > 0 {
			t.Errorf("%d messages are left: %v", len(left.Messages), err)
		}
		got := map[string]int{}
		for _, r := range records {
			got[r.Body]++
		}
		if len(got) != n {
			t.Errorf("%d messages of %d reached the function", len(got), n)
		}
		if acct.Duplicates == 0 || acct.Dropped+acct.Errors == 0 || acct.Deliveries < n+acct.Duplicates || acct.Malformed != 0 || acct.Reported != 0 {
			t.Errorf("account %+v", acct)
		}
	})
}

func TestPumpThrottled(t *testing.T) {
	t.Parallel()
	m := &memoryQueue{}
	for range 4 {
		m.send("slow", nil)
	}
	q := queue{client: m, url: "memory:queue", send: m.send}
	opts := PumpOptions{BatchSize: 1, MaxConcurrency: 4}
	acct, _ := pumped(t, q, Options{Concurrency: 1}, opts, func(a Account) bool { return a.Deleted == 4 })
	if acct.Refused == 0 || acct.Invocations != 4 || acct.Errors != 0 {
		t.Errorf("account %+v", acct)
	}
}

// An invocation takes six megabytes; the rest of a batch waits.
func TestPumpSplitsLargeBatches(t *testing.T) {
	t.Parallel()
	m := &memoryQueue{}
	for i := range 8 {
		m.send(strconv.Itoa(i)+strings.Repeat("页", 300_000), nil)
	}
	q := queue{client: m, url: "memory:queue", send: m.send}
	opts := PumpOptions{MaxConcurrency: 1, Visibility: time.Minute}
	acct, records := pumped(t, q, Options{}, opts, func(a Account) bool { return a.Deleted == 8 })
	if acct.Invocations != 2 || len(records) != 8 || acct.Refused != 0 {
		t.Errorf("%d records, account %+v", len(records), acct)
	}
}

func TestNewPumpRefuses(t *testing.T) {
	f := open(t, "batch", Options{})
	for _, test := range []struct {
		name   string
		queues []string
		opts   PumpOptions
		want   string
	}{
		{"no queue", nil, PumpOptions{}, "no queue"},
		{"large batches at once", []string{"q"}, PumpOptions{BatchSize: 11}, "need a window"},
		{"huge batches", []string{"q"}, PumpOptions{BatchSize: 10_001, Window: time.Second}, "10000"},
		{"a long window", []string{"q"}, PumpOptions{Window: time.Hour}, "300 s"},
		{"no concurrency", []string{"q"}, PumpOptions{MaxConcurrency: -1}, "concurrency"},
		{"a probability above 1", []string{"q"}, PumpOptions{Faults: Faults{Drop: 2}}, "probability"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := NewPump(&memoryQueue{}, f, test.queues, test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for _, test := range []struct {
		name, answer string
		want         []string
		malformed    bool
	}{
		{name: "nothing", answer: ""},
		{name: "null", answer: "null"},
		{name: "empty object", answer: "{}"},
		{name: "null list", answer: `{"batchItemFailures":null}`},
		{name: "empty list", answer: `{"batchItemFailures":[]}`},
		{name: "one", answer: `{"batchItemFailures":[{"itemIdentifier":"b"}]}`, want: []string{"b"}},
		{name: "one twice", answer: `{"batchItemFailures":[{"itemIdentifier":"b"},{"itemIdentifier":"b"}]}`, want: []string{"b"}},
		{name: "all", answer: `{"batchItemFailures":[{"itemIdentifier":"a"},{"itemIdentifier":"b"}]}`, want: []string{"a", "b"}},
		{name: "bad JSON", answer: `{"batchItemFailures":`, malformed: true},
		{name: "a string", answer: `"ok"`, malformed: true},
		{name: "no list", answer: `{"batchItemFailures":{}}`, malformed: true},
		{name: "empty identifier", answer: `{"batchItemFailures":[{"itemIdentifier":""}]}`, malformed: true},
		{name: "null identifier", answer: `{"batchItemFailures":[{"itemIdentifier":null}]}`, malformed: true},
		{name: "a number", answer: `{"batchItemFailures":[{"itemIdentifier":1}]}`, malformed: true},
		{name: "null item", answer: `{"batchItemFailures":[null]}`, malformed: true},
		{name: "bad key", answer: `{"batchItemFailures":[{"itemId":"a"}]}`, malformed: true},
		{name: "bad case", answer: `{"batchItemFailures":[{"ItemIdentifier":"a"}]}`, malformed: true},
		{name: "unknown identifier", answer: `{"batchItemFailures":[{"itemIdentifier":"c"}]}`, malformed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			failed, err := failures([]byte(test.answer), []string{"a", "b"})
			if (err != nil) != test.malformed {
				t.Fatalf("error %v", err)
			}
			want := map[string]bool{}
			for _, id := range test.want {
				want[id] = true
			}
			if diff := cmp.Diff(want, failed, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("failed (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzFailures(f *testing.F) {
	f.Add([]byte(`{"batchItemFailures":[{"itemIdentifier":"a"}]}`))
	f.Add([]byte(`{"batchItemFailures":[null]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		failed, err := failures(answer, []string{"a", "b"})
		for id := range failed {
			if err != nil || id != "a" && id != "b" {
				t.Errorf("failed %q with error %v", id, err)
			}
		}
	})
}
