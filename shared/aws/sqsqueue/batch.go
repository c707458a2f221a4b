package sqsqueue

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
)

const (
	maxEntries = 10
	// maxBatchBytes is below the 1 MiB that SQS allows. Requests are billed by
	// 64 KB, so smaller ones cost no more, and every queue and emulator accepts
	// them.
	maxBatchBytes = 256 << 10
	maxTries      = 6
	firstPause    = 100 * time.Millisecond
	maxPause      = 3200 * time.Millisecond
)

// batch makes one request for up to ten entries, and repeats it for those that
// SQS could not process: the SDK retries requests, not entries. It returns for
// each entry why SQS refuses it, nil if it is done. The call numbers its
// entries from 0.
func batch[E any](ctx context.Context, entries []E, call func([]E) ([]types.BatchResultErrorEntry, error)) ([]error, error) {
	refused := make([]error, len(entries))
	left := make([]int, len(entries))
	for i := range left {
		left[i] = i
	}
	for try := range maxTries {
		chunk := make([]E, len(left))
		for i, at := range left {
			chunk[i] = entries[at]
		}
		failed, err := call(chunk)
		if err != nil {
			return nil, err
		}
		var again []int
		var last error
		for _, f := range failed {
			i, err := strconv.Atoi(aws.ToString(f.Id))
			if err != nil || i < 0 || i >= len(left) {
				return nil, fmt.Errorf("answer for entry %q, which was not sent", aws.ToString(f.Id))
			}
			if f.SenderFault {
				refused[left[i]] = entryError(f)
				continue
			}
			again, last = append(again, left[i]), entryError(f)
		}
		if len(again) == 0 {
			break
		}
		if try == maxTries-1 {
			return nil, last
		}
		if err := fault.Pause(ctx, fault.Backoff(firstPause, maxPause, try)); err != nil {
			return nil, err
		}
		left = again
	}
	return refused, nil
}

func entryError(f types.BatchResultErrorEntry) error {
	side := smithy.FaultServer
	if f.SenderFault {
		side = smithy.FaultClient
	}
	return &smithy.GenericAPIError{Code: aws.ToString(f.Code), Message: aws.ToString(f.Message), Fault: side}
}

// post sends messages to a queue. If one is refused, others may be sent.
func post(ctx context.Context, client Client, url string, messages []types.SendMessageBatchRequestEntry) error {
	for len(messages) > 0 {
		n := fitting(messages)
		refused, err := batch(ctx, messages[:n], func(part []types.SendMessageBatchRequestEntry) ([]types.BatchResultErrorEntry, error) {
			for i := range part {
				part[i].Id = aws.String(strconv.Itoa(i))
			}
			out, err := client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: part})
			if err != nil {
				return nil, err
			}
			return out.Failed, nil
		})
		if err == nil {
			if i := slices.IndexFunc(refused, func(err error) bool { return err != nil }); i >= 0 {
				err = refused[i]
			}
		}
		if err != nil {
			return awsfault.Wrap("send to "+name(url), err)
		}
		messages = messages[n:]
	}
	return nil
}

// fitting returns how many of the first messages go into one request.
func fitting(messages []types.SendMessageBatchRequestEntry) int {
	bytes := 0
	for n := range messages {
		bytes += size(&messages[n])
		if n > 0 && bytes > maxBatchBytes || n == maxEntries {
			return n
		}
	}
	return len(messages)
}

// size is what SQS counts: the body, and names, types and values of attributes.
func size(m *types.SendMessageBatchRequestEntry) int {
	n := len(aws.ToString(m.MessageBody))
	for key, a := range m.MessageAttributes {
		n += len(key) + len(aws.ToString(a.DataType)) + len(aws.ToString(a.StringValue))
	}
	return n
}

// remove deletes deliveries and reports which were deleted: all whose handles
// SQS does not refuse.
func remove(ctx context.Context, client Client, url string, handles []string) (done []bool, err error) {
	for part := range slices.Chunk(handles, maxEntries) {
		refused, err := batch(ctx, part, func(part []string) ([]types.BatchResultErrorEntry, error) {
			in := &sqs.DeleteMessageBatchInput{QueueUrl: &url}
			for i := range part {
				in.Entries = append(in.Entries, types.DeleteMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), ReceiptHandle: &part[i]})
			}
			out, err := client.DeleteMessageBatch(ctx, in)
			if err != nil {
				return nil, err
			}
			return out.Failed, nil
		})
		if err != nil {
			return done, awsfault.Wrap("delete from "+name(url), err)
		}
		for _, err := range refused {
			done = append(done, err == nil)
		}
	}
	return done, nil
}

// hide sets the visibility of deliveries that are still held; d is at most 12 h.
func hide(ctx context.Context, client Client, url string, handles []string, d time.Duration) error {
	for part := range slices.Chunk(handles, maxEntries) {
		_, err := batch(ctx, part, func(part []string) ([]types.BatchResultErrorEntry, error) {
			in := &sqs.ChangeMessageVisibilityBatchInput{QueueUrl: &url}
			for i := range part {
				in.Entries = append(in.Entries, types.ChangeMessageVisibilityBatchRequestEntry{
					Id: aws.String(strconv.Itoa(i)), ReceiptHandle: &part[i], VisibilityTimeout: seconds(d),
				})
			}
			out, err := client.ChangeMessageVisibilityBatch(ctx, in)
			if err != nil {
				return nil, err
			}
			return out.Failed, nil
		})
		if err != nil {
			return awsfault.Wrap("change visibility in "+name(url), err)
		}
	}
	return nil
}

// depth asks SQS for its counts.
func depth(ctx context.Context, client Counter, url string) (Depth, error) {
	names := [3]types.QueueAttributeName{
		types.QueueAttributeNameApproximateNumberOfMessages,
		types.QueueAttributeNameApproximateNumberOfMessagesNotVisible,
		types.QueueAttributeNameApproximateNumberOfMessagesDelayed,
	}
	out, err := client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: names[:]})
	if err != nil {
		return Depth{}, err
	}
	var n [3]int
	for i, key := range names {
		if n[i], err = strconv.Atoi(out.Attributes[string(key)]); err != nil {
			return Depth{}, fmt.Errorf("attribute %s: %w", key, err)
		}
	}
	return Depth{Waiting: n[0], InFlight: n[1], Delayed: n[2]}, nil
}
