// Package awslambda connects Lambda with the crawl, for all functions: it
// decodes SQS and schedule events, and reports the results in the form that
// Lambda and SQS expect.
package awslambda

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// Record is one message of a batch.
type Record struct {
	ID       string
	Body     string // as it came: any size SQS takes, perhaps no task at all
	Queue    string // name of the queue
	Receipt  string // SQS's handle of this delivery
	Receives int    // how often it was delivered, this time included; at least 1
	Sent     time.Time
	First    time.Time // when it was delivered first
}

// Handler deals with the records of a batch and returns an error for each, in
// their order, nil for what is done. The edge acts on the errors' fault class.
// It must isolate records from each other's panics; one that gets out makes the
// edge call it again for each record alone.
type Handler func(ctx context.Context, records []Record) []error

func records(event *events.SQSEvent) []Record {
	out := make([]Record, len(event.Records))
	for i := range event.Records {
		m := &event.Records[i]
		out[i] = Record{
			ID: m.MessageId, Body: m.Body, Receipt: m.ReceiptHandle,
			Queue:    m.EventSourceARN[strings.LastIndexByte(m.EventSourceARN, ':')+1:],
			Receives: max(1, number(m.Attributes["ApproximateReceiveCount"])),
			Sent:     millis(m.Attributes["SentTimestamp"]),
			First:    millis(m.Attributes["ApproximateFirstReceiveTimestamp"]),
		}
	}
	return out
}

// number reads an attribute; 0 for one that is missing or no number, as in
// events written by hand.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func millis(s string) time.Time {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n).UTC()
}
