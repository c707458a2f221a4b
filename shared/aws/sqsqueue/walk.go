package sqsqueue

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/aws/awsfault"
)

const (
	holdTime    = 2 * time.Minute  // letters are hidden for while the queue is walked
	walkPoll    = time.Second      // any wait makes SQS query all of its servers
	releaseTime = 10 * time.Second // for releasing letters when a walk ends
)

// Each calls visit once for every letter of the queue, in any order, until
// visit returns an error. SQS hides at most 120,000 letters at a time: beyond
// that Each returns an error.
func (d *Dead) Each(ctx context.Context, visit func(Letter) error) error {
	return d.walk(ctx, func(letters []Letter) ([]string, error) {
		for _, l := range letters {
			if err := visit(l); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}

// walk hides all letters, a few at a time, and passes them to visit, which
// returns the ids of those it deleted. SQS has no other way to read a queue. At
// the end, or after an error, it releases the rest.
func (d *Dead) walk(ctx context.Context, visit func([]Letter) (gone []string, err error)) error {
	seen := map[string]bool{}
	held := map[string]string{} // handles by message id
	defer func() { d.release(ctx, held) }()
	start := d.now()
	for again := 0; ; {
		out, err := d.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
			QueueUrl: &d.url, MaxNumberOfMessages: maxEntries, WaitTimeSeconds: seconds(walkPoll), VisibilityTimeout: seconds(holdTime),
			MessageAttributeNames: []string{"All"},
			MessageSystemAttributeNames: []types.MessageSystemAttributeName{
				types.MessageSystemAttributeNameSentTimestamp, types.MessageSystemAttributeNameDeadLetterQueueSourceArn,
			},
		})
		if err != nil {
			return awsfault.Wrap("read dead letters of "+name(d.url), err)
		}
		var fresh []Letter
		for i := range out.Messages {
			l := letter(&out.Messages[i])
			held[l.ID] = l.handle
			if !seen[l.ID] {
				seen[l.ID] = true
				fresh = append(fresh, l)
				if !l.Sent.After(start) {
					again = 0
				}
			}
		}
		// Letters repeat at any time, and all that stay after holdTime, while others may
		// not have come yet. As many in a row as the queue has mean a second round.
		if again += len(out.Messages) - len(fresh); len(out.Messages) == 0 || again > len(seen) {
			return nil
		}
		if len(fresh) == 0 {
			continue
		}
		gone, err := visit(fresh)
		for _, id := range gone {
			delete(held, id)
		}
		if err != nil {
			return err
		}
	}
}

// release makes letters visible again, even when ctx has ended. If that fails
// they become visible after holdTime.
func (d *Dead) release(ctx context.Context, held map[string]string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	all := make([]string, 0, len(held))
	for _, handle := range held {
		all = append(all, handle)
	}
	_ = hide(ctx, d.client, d.url, all, 0)
}

// Depth returns how many letters there are, approximately.
func (d *Dead) Depth(ctx context.Context) (Depth, error) { return DepthOf(ctx, d.client, d.url) }

// delete removes letters for good and returns their ids.
func (d *Dead) delete(ctx context.Context, letters []Letter) ([]string, error) {
	all, ids := make([]string, len(letters)), make([]string, len(letters))
	for i, l := range letters {
		all[i], ids[i] = l.handle, l.ID
	}
	if _, err := remove(ctx, d.client, d.url, all); err != nil {
		return nil, err
	}
	return ids, nil
}
