package awslambda_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/awslambda"
	"sluice/shared/bubble"
	"sluice/shared/fault"
)

// message returns a message as Lambda delivers it, received for the n-th time.
func message(id, body string, n int) events.SQSMessage {
	return events.SQSMessage{
		MessageId: id, ReceiptHandle: "handle-" + id, Body: body, EventSource: "aws:sqs",
		EventSourceARN: "arn:aws-cn:sqs:cn-north-1:123456789012:sluice-high",
		Attributes: map[string]string{
			"ApproximateReceiveCount":          fmt.Sprint(n),
			"SentTimestamp":                    "1585555200000",
			"ApproximateFirstReceiveTimestamp": "1585555201000",
		},
	}
}

// ends records what the edge did with records, by message id.
type ends struct {
	dead    map[string]string // class and reason
	delays  map[string]time.Duration
	failing error // of DeadLetter and Delay
}

func (e *ends) options() awslambda.Options {
	e.dead, e.delays = map[string]string{}, map[string]time.Duration{}
	return awslambda.Options{
		DeadLetter: func(_ context.Context, rec awslambda.Record, reason, class string) error {
			e.dead[rec.ID] = class + ": " + reason
			return e.failing
		},
		Delay: func(_ context.Context, rec awslambda.Record, d time.Duration) error {
			e.delays[rec.ID] = d
			return e.failing
		},
	}
}

// verdicts returns a handler that fails records by their body.
func verdicts(errs map[string]error) awslambda.Handler {
	return func(_ context.Context, records []awslambda.Record) []error {
		out := make([]error, len(records))
		for i, r := range records {
			out[i] = errs[r.Body]
		}
		return out
	}
}

func failedIDs(r events.SQSEventResponse) string {
	var ids []string
	for _, f := range r.BatchItemFailures {
		ids = append(ids, f.ItemIdentifier)
	}
	return strings.Join(ids, " ")
}

func TestClasses(t *testing.T) {
	errs := map[string]error{
		"after":     fmt.Errorf("fetch: %w", fault.NewAfter(40*time.Second, "busy", nil)),
		"past":      fault.NewAfter(-time.Second, "busy", nil),
		"far":       fault.NewAfter(48*time.Hour, "busy", nil),
		"retry":     fault.New(fault.Retryable, "timeout", nil),
		"plain":     errors.New("unknown"),
		"permanent": fault.New(fault.Permanent, "gone", errors.New("410")),
		"poison":    fault.New(fault.Poison, "no_task", errors.New("bad JSON")),
		"broken":    fault.New(fault.Broken, "aws_refused", nil),
	}
	for _, tt := range []struct {
		name, body string
		receives   int
		failed     bool
		dead       string
		low, high  time.Duration // of the delay; -1: visibility is unchanged
	}{
		{"done", "ok", 1, false, "", -1, -1},
		{"done at last", "ok", 6, false, "", -1, -1},
		{"after", "after", 1, true, "", 40 * time.Second, 40 * time.Second},
		{"after a time that is over", "past", 2, true, "", 0, 0},
		{"after more than SQS can wait", "far", 1, true, "", 12 * time.Hour, 12 * time.Hour},
		{"retryable", "retry", 1, true, "", 15 * time.Second, 30 * time.Second},
		{"retryable, third", "retry", 3, true, "", time.Minute, 2 * time.Minute},
		{"retryable, fifth", "retry", 5, true, "", 4 * time.Minute, 8 * time.Minute},
		{"unclassified", "plain", 1, true, "", 15 * time.Second, 30 * time.Second},
		{"broken", "broken", 1, true, "", -1, -1},
		{"permanent", "permanent", 1, false, "permanent: gone: 410", -1, -1},
		{"poison", "poison", 1, false, "poison: no_task: bad JSON", -1, -1},
		{"retryable at the last receipt", "retry", 6, false, "retryable: timeout", -1, -1},
		{"after at the last receipt", "after", 6, false, "retry_after: fetch: busy", -1, -1},
		{"broken at the last receipt", "broken", 6, false, "broken: aws_refused", -1, -1},
		{"received too often", "ok", 7, false, "poison: received_too_often: received 6 times without an answer: it kills its workers", -1, -1},
		{"no receive count", "retry", 0, true, "", 15 * time.Second, 30 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var e ends
			h := awslambda.SQS(verdicts(errs), e.options())
			got, err := h(t.Context(), events.SQSEvent{Records: []events.SQSMessage{message("m", tt.body, tt.receives)}})
			if err != nil {
				t.Fatalf("handler: %v", err)
			}
			if failed := failedIDs(got) == "m"; failed != tt.failed {
				t.Errorf("failures %q, want failed: %t", failedIDs(got), tt.failed)
			}
			if e.dead["m"] != tt.dead {
				t.Errorf("dead letter %q, want %q", e.dead["m"], tt.dead)
			}
			d, delayed := e.delays["m"]
			if delayed != (tt.low >= 0) || delayed && (d < tt.low || d > tt.high) {
				t.Errorf("delayed: %t, by %v, want %v to %v", delayed, d, tt.low, tt.high)
			}
		})
	}
}

func TestRecord(t *testing.T) {
	var got []awslambda.Record
	h := awslambda.SQS(func(_ context.Context, records []awslambda.Record) []error {
		got = append(got, records...)
		return make([]error, len(records))
	}, awslambda.Options{})
	large := strings.Repeat("x", 300<<10)
	event := events.SQSEvent{Records: []events.SQSMessage{
		message("a", "\xff", 2), message("b", large, 1), {MessageId: "c", Attributes: map[string]string{"SentTimestamp": "x"}},
	}}
	r, err := h(t.Context(), event)
	if err != nil || len(r.BatchItemFailures) != 0 {
		t.Fatalf("response %+v, %v", r, err)
	}
	want := []awslambda.Record{
		{ID: "a", Body: "\xff", Queue: "sluice-high", Receipt: "handle-a", Receives: 2},
		{ID: "b", Body: large, Queue: "sluice-high", Receipt: "handle-b", Receives: 1},
		{ID: "c", Receives: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

// Half of a batch fails, the other half is done, in any order.
func TestPartialFailure(t *testing.T) {
	var e ends
	h := awslambda.SQS(verdicts(map[string]error{"bad": errors.New("bad"), "dead": fault.New(fault.Poison, "p", nil)}), e.options())
	got, err := h(t.Context(), events.SQSEvent{Records: []events.SQSMessage{
		message("1", "bad", 1), message("2", "ok", 1), message("3", "dead", 1), message("4", "bad", 9), message("5", "bad", 1), message("6", "ok", 1),
	}})
	if err != nil || failedIDs(got) != "1 5" {
		t.Errorf("failures %q, %v, want 1 and 5", failedIDs(got), err)
	}
	if len(e.dead) != 2 || e.dead["3"] == "" || e.dead["4"] == "" {
		t.Errorf("dead letters %v, want 3 and 4", e.dead)
	}
}

func TestDuplicates(t *testing.T) {
	h := awslambda.SQS(verdicts(map[string]error{"bad": errors.New("bad")}), awslambda.Options{})
	got, err := h(t.Context(), events.SQSEvent{Records: []events.SQSMessage{
		message("1", "ok", 1), message("1", "bad", 1), message("2", "bad", 1), message("2", "bad", 2),
	}})
	if err != nil || failedIDs(got) != "1 2" {
		t.Errorf("failures %q, %v, want each once", failedIDs(got), err)
	}
}

// Lambda takes an empty id for the failure of all: we say so ourselves.
func TestNoMessageID(t *testing.T) {
	h := awslambda.SQS(verdicts(map[string]error{"bad": errors.New("bad")}), awslambda.Options{})
	if _, err := h(t.Context(), events.SQSEvent{Records: []events.SQSMessage{message("", "ok", 1), message("2", "bad", 1)}}); err != nil {
		t.Errorf("a record without id that is done: %v", err)
	}
	got, err := h(t.Context(), events.SQSEvent{Records: []events.SQSMessage{message("", "bad", 1), message("2", "ok", 1)}})
	if err == nil || len(got.BatchItemFailures) != 0 {
		t.Errorf("a record without id that failed: %+v, %v, want an error", got, err)
	}
}

func TestNoRecords(t *testing.T) {
	h := awslambda.SQS(func(context.Context, []awslambda.Record) []error { panic("called") }, awslambda.Options{})
	got, err := h(t.Context(), events.SQSEvent{})
	if err != nil || len(got.BatchItemFailures) != 0 {
		t.Errorf("response %+v, %v, want none", got, err)
	}
}

// One record panics and fails; the nine others are tried alone and done.
func TestPanic(t *testing.T) {
	var e ends
	var calls []int
	h := awslambda.SQS(func(_ context.Context, records []awslambda.Record) []error {
		calls = append(calls, len(records))
		for _, r := range records {
			if r.Body == "bomb" {
				panic("boom")
			}
		}
		return make([]error, len(records))
	}, e.options())
	event := events.SQSEvent{}
	for i := range 10 {
		event.Records = append(event.Records, message(fmt.Sprint(i), "ok", 1))
	}
	event.Records[3].Body = "bomb"
	got, err := h(t.Context(), event)
	if err != nil || failedIDs(got) != "3" || e.delays["3"] == 0 {
		t.Errorf("failures %q, %v, delays %v: want 3 with a backoff", failedIDs(got), err, e.delays)
	}
	if diff := cmp.Diff([]int{10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, calls); diff != "" {
		t.Errorf("records in each call (-want +got):\n%s", diff)
	}
	calls, event.Records = nil, event.Records[3:4]
	event.Records[0].Attributes["ApproximateReceiveCount"] = "6"
	got, err = h(t.Context(), event)
	if err != nil || failedIDs(got) != "" || e.dead["3"] != "retryable: panic: boom" || len(calls) != 1 {
		t.Errorf("last receipt: failures %q, %v, dead %v, %d calls", failedIDs(got), err, e.dead, len(calls))
	}
}

func TestWrongNumberOfResults(t *testing.T) {
	for _, n := range []int{0, 1, 3} {
		h := awslambda.SQS(func(context.Context, []awslambda.Record) []error { return make([]error, n) }, awslambda.Options{})
		got, err := h(t.Context(), events.SQSEvent{Records: []events.SQSMessage{message("1", "", 1), message("2", "", 1)}})
		if err != nil || failedIDs(got) != "1 2" {
			t.Errorf("%d results for 2 records: failures %q, %v, want both", n, failedIDs(got), err)
		}
	}
}

// A dead letter that cannot be stored must not be lost.
func TestDeadLetterFails(t *testing.T) {
	poison := verdicts(map[string]error{"x": fault.New(fault.Poison, "p", nil), "late": errors.New("late")})
	failing := ends{failing: errors.New("throttled")}
	for name, opts := range map[string]awslambda.Options{"fails": failing.options(), "none": {}} {
		got, err := awslambda.SQS(poison, opts)(t.Context(), events.SQSEvent{Records: []events.SQSMessage{
			message("1", "x", 1), message("2", "late", 1), message("3", "late", 6), message("4", "ok", 7), message("5", "ok", 1),
		}})
		if err != nil || failedIDs(got) != "4 1 2 3" {
			t.Errorf("%s: failures %q, %v, want all but 5", name, failedIDs(got), err)
		}
	}
}

// The handler's time ends before Lambda's, so that the edge can still answer.
func TestDeadline(t *testing.T) {
	for _, tt := range []struct {
		name       string
		time, want time.Duration
	}{
		{"usual", time.Minute, 57 * time.Second},
		{"short", 4 * time.Second, 3 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.time)
				defer cancel()
				start := time.Now()
				var e ends
				opts := e.options()
				opts.Margin = 3 * time.Second
				opts.Delay = func(ctx context.Context, _ awslambda.Record, _ time.Duration) error { return ctx.Err() }
				h := awslambda.SQS(func(ctx context.Context, _ []awslambda.Record) []error {
					<-ctx.Done()
					if got := time.Since(start); got != tt.want {
						t.Errorf("the handler's time ended after %v, want %v", got, tt.want)
					}
					panic("late")
				}, opts)
				got, err := h(ctx, events.SQSEvent{Records: []events.SQSMessage{message("1", "", 1), message("2", "", 1)}})
				if err != nil || failedIDs(got) != "1 2" {
					t.Errorf("failures %q, %v, want both", failedIDs(got), err)
				}
				if ctx.Err() != nil {
					t.Error("nothing was left for the edge")
				}
			})
		})
	}
}
