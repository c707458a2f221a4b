package awslambda_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/awslambda"
	"sluice/shared/fault"
)

func TestSchedule(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	var got time.Time
	ok := awslambda.Schedule(func(_ context.Context, at time.Time) error { got = at; return nil }, awslambda.Options{})
	if err := ok(t.Context(), events.EventBridgeEvent{Time: at}); err != nil || got != at {
		t.Errorf("ran for %v, %v, want %v", got, err, at)
	}
	want := errors.New("no table")
	fails := awslambda.Schedule(func(context.Context, time.Time) error { return want }, awslambda.Options{})
	if err := fails(t.Context(), events.EventBridgeEvent{}); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
	var log bytes.Buffer
	panics := awslambda.Schedule(func(context.Context, time.Time) error { panic("boom") },
		awslambda.Options{Log: awslambda.NewLogger(&log, func(string) string { return "" })})
	if err := panics(t.Context(), events.EventBridgeEvent{}); err == nil || !strings.Contains(err.Error(), "panic: boom") {
		t.Errorf("error %v, want the panic", err)
	}
	if !strings.Contains(log.String(), "boom") {
		t.Errorf("log %q does not tell of the panic", log.String())
	}
}

func TestLogger(t *testing.T) {
	var log bytes.Buffer
	opts := awslambda.Options{Log: awslambda.NewLogger(&log, func(key string) string {
		return map[string]string{"AWS_LAMBDA_LOG_LEVEL": "WARN"}[key]
	})}
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "r-1"})
	opts.Log.InfoContext(ctx, "below the level")
	h := awslambda.SQS(verdicts(map[string]error{"bad": fault.New(fault.Broken, "aws_refused", nil)}), opts)
	if _, err := h(ctx, events.SQSEvent{Records: []events.SQSMessage{message("1", "ok", 1), message("2", "bad", 3)}}); err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatalf("log is not one JSON line (%v):\n%s", err, log.String())
	}
	delete(line, "timestamp")
	want := map[string]any{
		"level": "ERROR", "message": "record failed: the stack is broken", "request_id": "r-1", "message_id": "2",
		"queue": "sluice-high", "receives": 3.0, "class": "broken", "rule": "aws_refused", "error": "aws_refused",
	}
	if diff := cmp.Diff(want, line); diff != "" {
		t.Errorf("log line (-want +got):\n%s", diff)
	}
}
