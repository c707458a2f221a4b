// Package awslambda connects Lambda with the crawl, for all functions: it
// decodes SQS and schedule events, and reports the results in the form that
// Lambda and SQS expect.
package awslambda

import (
	"context"
	"strconv"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// Record is one message of a batch.
type Record struct {
	ID       string
	Body     string // unchecked: any size SQS accepts, perhaps not a task
	Queue    string // name of the queue
	Receipt  string // SQS's handle of this delivery
	Receives int    // how often it was delivered, this time included; at least 1
}

// Handler processes the records of a batch and returns an error for each, in
// order; nil means done. The edge acts on the errors' fault class. A handler
// must isolate records from each other's panics. If it panics as a whole, the
// edge calls it again for each record alone.
type Handler func(ctx context.Context, records []Record) []error

func records(event *events.SQSEvent) []Record {
	out := make([]Record, len(event.Records))
	for i := range event.Records {
		m := &event.Records[i]
		out[i] = Record{
			ID: m.MessageId, Body: m.Body, Receipt: m.ReceiptHandle,
			Queue:    m.EventSourceARN[strings.LastIndexByte(m.EventSourceARN, ':')+1:],
			Receives: max(1, number(m.Attributes["ApproximateReceiveCount"])),
		}
	}
	return out
}

// number reads an attribute. It returns 0 for a missing or invalid one, as in
// events written by hand.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
