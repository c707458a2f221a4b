package sqsqueue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/fault"
	"sluice/shared/state/frontier"
)

// A message can be delayed for 15 minutes. A task due later carries the time in
// its body (Task.NotBefore) and is resent until then.
const (
	maxHop   = 15 * time.Minute
	maxDelay = 30 * 24 * time.Hour // in all, so that a wrong clock does not resend a task forever
	maxGroup = 128                 // characters in the name of a message group
)

// message is a task ready to be sent.
type message struct {
	lane  int
	entry types.SendMessageBatchRequestEntry
}

// Send implements frontier.Queue. If a task is too large, none is sent. Delays
// are rounded up to seconds, and cut to 30 days.
func (q *Queue) Send(ctx context.Context, out []frontier.Outgoing) error {
	messages := make([]message, len(out))
	var sent []frontier.Mark
	for i, o := range out {
		due := q.opts.Now().Add(min(max(o.Delay, 0), maxDelay))
		var err error
		if messages[i], err = q.message(o.Task, q.lane(o.Task), due); err != nil {
			return err
		}
		for _, m := range marks(o.Task) {
			m.Due = due
			sent = append(sent, m)
		}
	}
	if err := q.sent(ctx, sent); err != nil {
		return err
	}
	return q.post(ctx, messages)
}

// Post sends messages to a queue that is not one of the lanes.
func Post(ctx context.Context, client Client, url string, bodies ...string) error {
	entries := make([]types.SendMessageBatchRequestEntry, len(bodies))
	for i := range bodies {
		entries[i].MessageBody = &bodies[i]
	}
	return post(ctx, client, url, entries)
}

// post sends messages to their lanes.
func (q *Queue) post(ctx context.Context, messages []message) error {
	for lane, url := range q.lanes {
		var of []types.SendMessageBatchRequestEntry
		for _, m := range messages {
			if m.lane == lane {
				of = append(of, m.entry)
			}
		}
		if err := post(ctx, q.client, url, of); err != nil {
			return fmt.Errorf("send %d tasks: %w", len(of), err)
		}
	}
	return nil
}

// message returns the message of a task that is due at a time.
func (q *Queue) message(t *frontier.Task, lane int, due time.Time) (message, error) {
	c := *t
	c.NotBefore = time.Time{}
	wait := due.Sub(q.opts.Now())
	if wait > maxHop {
		wait, c.NotBefore = maxHop, due.UTC()
	}
	b, err := c.Encode()
	body := escape.Replace(string(b))
	if err == nil && len(body) > frontier.MaxTaskBytes {
		err = fmt.Errorf("encode task %s: %d bytes, at most %d", t.ID, len(body), frontier.MaxTaskBytes)
	}
	if err != nil {
		return message{}, fault.New(fault.Permanent, "bad_task", err)
	}
	return message{lane, types.SendMessageBatchRequestEntry{
		MessageBody: &body, DelaySeconds: seconds(wait), MessageGroupId: aws.String(group(t.Host)),
	}}, nil
}

// group returns the message group of a host: its name, or a hash of it if SQS
// does not accept the name.
func group(host string) string {
	plain := host != "" && len(host) <= maxGroup
	for _, c := range []byte(host) {
		plain = plain && '!' <= c && c <= '~'
	}
	if plain {
		return host
	}
	sum := sha256.Sum256([]byte(host))
	return hex.EncodeToString(sum[:])
}
