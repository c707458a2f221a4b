package sqsqueue

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
)

// maxPoll is the longest that SQS waits for a message.
const maxPoll = 20 * time.Second

// Receive implements frontier.Queue. It returns deliveries of the first lane
// that has any, at most ten.
//
// It polls each lane briefly, best first, and then waits at the first of them
// for Options.Poll. Every second receive starts with the best lane, every
// fourth with the next, and so on; the last lane gets the rest. So the shares
// of the lanes halve with their priority, and none starves.
func (q *Queue) Receive(ctx context.Context, limit int) ([]frontier.Delivery, error) {
	if err := ctx.Err(); err != nil || limit <= 0 {
		return nil, err
	}
	order := q.order(q.turn.Add(1))
	if len(order) > 1 || q.opts.Poll <= 0 {
		for _, lane := range order {
			if ds, err := q.take(ctx, lane, limit, 0); err != nil || len(ds) > 0 {
				return ds, err
			}
		}
	}
	if q.opts.Poll <= 0 {
		return nil, nil
	}
	return q.take(ctx, order[0], limit, min(q.opts.Poll, maxPoll))
}

// order returns the order of lanes in a turn, counted from 1.
func (q *Queue) order(turn uint64) []int {
	first := min(bits.TrailingZeros64(turn), len(q.lanes)-1)
	order := append(make([]int, 0, len(q.lanes)), first)
	for lane := range q.lanes {
		if lane != first {
			order = append(order, lane)
		}
	}
	return order
}

// take receives from one lane and handles messages that are not to be
// delivered. If others can be delivered, an error with such a message is not
// reported: the message is still in the queue, and comes again.
func (q *Queue) take(ctx context.Context, lane, limit int, wait time.Duration) ([]frontier.Delivery, error) {
	out, err := q.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl: &q.lanes[lane], MaxNumberOfMessages: int32(min(limit, maxEntries)), WaitTimeSeconds: seconds(wait),
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameApproximateReceiveCount},
	})
	if err != nil {
		return nil, awsfault.Wrap("receive from "+name(q.lanes[lane]), err)
	}
	var ds []frontier.Delivery
	var errs []error
	for i := range out.Messages {
		d, err := q.open(ctx, lane, &out.Messages[i])
		if errs = append(errs, err); d != nil {
			ds = append(ds, *d)
		}
	}
	if len(ds) > 0 {
		return ds, nil
	}
	return nil, errors.Join(errs...)
}

// open returns the delivery of a message, or nil once it is handled: sent again
// if it came early, buried if it is not a task or came too often.
func (q *Queue) open(ctx context.Context, lane int, m *types.Message) (*frontier.Delivery, error) {
	body, handle := aws.ToString(m.Body), aws.ToString(m.ReceiptHandle)
	receives, err := strconv.Atoi(m.Attributes[string(types.MessageSystemAttributeNameApproximateReceiveCount)])
	if err != nil {
		receives = 1 // only an emulator leaves it out
	}
	task, err := frontier.DecodeTask([]byte(body))
	if err != nil {
		return nil, q.bury(ctx, lane, handle, body, err.Error())
	}
	switch wait := task.NotBefore.Sub(q.opts.Now()); {
	case wait > maxDelay:
		return nil, q.bury(ctx, lane, handle, body, fmt.Sprintf("not_before is more than %s ahead", maxDelay))
	case wait > 0:
		return nil, q.resend(ctx, lane, handle, task)
	case receives > q.opts.MaxReceives:
		return nil, q.bury(ctx, lane, handle, body, fmt.Sprintf("received %d times without success", receives-1))
	}
	task.NotBefore = time.Time{}
	r := receipt{lane: lane, handle: handle}
	for _, mark := range marks(task) {
		mark.Held = nil // its links end with it
		r.mark = mark
	}
	return &frontier.Delivery{Task: task, Receipt: r.String(), Receives: receives}, nil
}

// resend sends an early task again. It is recorded already.
func (q *Queue) resend(ctx context.Context, lane int, handle string, t *frontier.Task) error {
	m, err := q.message(t, lane, t.NotBefore)
	if err != nil {
		return err
	}
	if err := q.post(ctx, []message{m}); err != nil {
		return err
	}
	_, err = remove(ctx, q.client, q.lanes[lane], []string{handle})
	return err
}

// bury moves a message to the dead letters.
func (q *Queue) bury(ctx context.Context, lane int, handle, body, reason string) error {
	l := Letter{Body: body, Reason: reason, Class: fault.Poison.String(), Source: name(q.lanes[lane])}
	if err := q.dead.Put(ctx, l); err != nil {
		return err
	}
	if _, err := remove(ctx, q.client, q.lanes[lane], []string{handle}); err != nil {
		return err
	}
	return q.endedBody(ctx, body)
}

// endedBody records a message as given up, if it was recorded at all.
func (q *Queue) endedBody(ctx context.Context, body string) error {
	t, err := frontier.DecodeTask([]byte(body))
	if err != nil {
		return nil //nolint:nilerr // no task, never booked
	}
	return q.ended(ctx, marks(t))
}
