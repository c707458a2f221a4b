//go:build linux

package lambdahost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
)

// event returns the payload for a batch, or for as much of it as an invocation
// takes, which is one message at least.
func (m *mapping) event(batch []message) (payload []byte, fit int) {
	const head, tail = `{"Records":[`, `]}`
	payload = append(payload, head...)
	for i, msg := range batch {
		record := m.record(msg)
		if i > 0 && len(payload)+len(record)+len(",")+len(tail) > maxRequest {
			break
		}
		if i > 0 {
			payload = append(payload, ',')
		}
		payload = append(payload, record...)
		fit++
	}
	return append(payload, tail...), fit
}

// record is a message as Lambda shows it to a function.
func (m *mapping) record(msg message) []byte {
	r := events.SQSMessage{
		MessageId:              aws.ToString(msg.MessageId),
		ReceiptHandle:          aws.ToString(msg.ReceiptHandle),
		Body:                   aws.ToString(msg.Body),
		Md5OfBody:              aws.ToString(msg.MD5OfBody),
		Md5OfMessageAttributes: aws.ToString(msg.MD5OfMessageAttributes),
		Attributes:             msg.Attributes,
		MessageAttributes:      map[string]events.SQSMessageAttribute{},
		EventSourceARN:         m.arn,
		EventSource:            "aws:sqs",
		AWSRegion:              m.region,
	}
	for name, a := range msg.MessageAttributes {
		r.MessageAttributes[name] = events.SQSMessageAttribute{
			StringValue:      a.StringValue,
			BinaryValue:      a.BinaryValue,
			StringListValues: []string{}, // empty for SQS, as on Lambda
			BinaryListValues: [][]byte{},
			DataType:         aws.ToString(a.DataType),
		}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // & of a URL is one byte of six megabytes, not six
	if err := enc.Encode(r); err != nil {
		panic(err) // strings and maps of strings always encode
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// failures reads the answer to a batch: the messages that failed. An error says
// that Lambda would refuse it and treat the whole batch as failed. Names are
// case-sensitive.
func failures(payload []byte, ids []string) (map[string]bool, error) {
	if len(bytes.TrimSpace(payload)) == 0 {
		return nil, nil
	}
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(payload, &answer); err != nil {
		return nil, fmt.Errorf("parse answer: %w", err)
	}
	var items []map[string]json.RawMessage
	if list, ok := answer["batchItemFailures"]; ok {
		if err := json.Unmarshal(list, &items); err != nil {
			return nil, fmt.Errorf("parse batchItemFailures: %w", err)
		}
	}
	failed := map[string]bool{}
	for _, item := range items {
		var id string
		if err := json.Unmarshal(item["itemIdentifier"], &id); err != nil {
			return nil, fmt.Errorf("parse itemIdentifier: %w", err)
		}
		if id == "" {
			return nil, errors.New("itemIdentifier is empty")
		}
		if !slices.Contains(ids, id) {
			return nil, fmt.Errorf("itemIdentifier %q is not of this batch", id)
		}
		failed[id] = true
	}
	return failed, nil
}
