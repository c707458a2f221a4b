package sqsqueue

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"sluice/shared/fault"
	"sluice/shared/state/frontier"
)

// Attributes of dead letters, as the SQS console shows them.
const (
	attrReason = "reason"
	attrClass  = "class"
	attrSource = "source"
	attrCut    = "cut" // bytes of the body before it was cut
)

// A dead letter has at most the size that SQS allows, with room for attributes.
const (
	maxReason = 2 << 10
	maxBody   = 1<<20 - 4<<10
)

// Letter is a message in a dead-letter queue.
type Letter struct {
	ID     string // of the message
	Body   string
	Reason string // "" if SQS moved it after too many receipts
	Class  string // of the fault, as package fault spells it
	Source string // name of the queue it was in; "" if unknown
	Cut    int    // original size of a truncated body; 0 if complete
	Sent   time.Time

	handle string
}

// Dead is a dead-letter queue. It is safe for concurrent use, but of two that
// read it at once neither sees all.
type Dead struct {
	client Client
	url    string
	back   func(ctx context.Context, letters []Letter) error
	now    func() time.Time
}

// NewDead returns the dead-letter queue at url. Letters that are sent back go to
// the queue source as pick left them.
func NewDead(client Client, url, source string) *Dead {
	back := func(ctx context.Context, letters []Letter) error {
		bodies := make([]string, len(letters))
		for i := range letters {
			bodies[i] = letters[i].Body
		}
		return Post(ctx, client, source, bodies...)
	}
	return &Dead{client: client, url: url, back: back, now: time.Now}
}

// Dead returns the dead-letter queue of all lanes. Letters that are sent back
// go to the lane they were in, or else to that of their priority, as new tasks
// without attempts and bounces.
func (q *Queue) Dead() *Dead { return q.dead }

// Put stores a letter; it ignores ID and Sent. It truncates a body that SQS
// does not accept, with an attribute that says so, and replaces characters that
// SQS refuses.
func (d *Dead) Put(ctx context.Context, l Letter) error {
	body := cut(clean(l.Body), maxBody)
	if body == "" {
		body = " " // SQS has no empty messages
	}
	attributes := map[string]types.MessageAttributeValue{}
	text := func(key, value string) {
		if value = cut(clean(value), maxReason); value != "" {
			attributes[key] = types.MessageAttributeValue{DataType: aws.String("String"), StringValue: &value}
		}
	}
	text(attrReason, l.Reason)
	text(attrClass, l.Class)
	text(attrSource, l.Source)
	if len(l.Body) > maxBody {
		attributes[attrCut] = types.MessageAttributeValue{DataType: aws.String("Number"), StringValue: aws.String(strconv.Itoa(len(l.Body)))}
	}
	entry := types.SendMessageBatchRequestEntry{MessageBody: &body, MessageAttributes: attributes}
	if err := post(ctx, d.client, d.url, []types.SendMessageBatchRequestEntry{entry}); err != nil {
		return fmt.Errorf("bury message: %w", err)
	}
	return nil
}

// Bury implements frontier.DeadLetters: one letter for all links of t. Burying
// twice leaves two letters, which readers treat as one.
func (q *Queue) Bury(ctx context.Context, t *frontier.Task, reason string) error {
	if len(t.Links) == 0 {
		return nil
	}
	lane := q.lane(t)
	m, err := q.message(t, lane, time.Time{})
	if err != nil {
		return fmt.Errorf("bury: %w", err)
	}
	return q.dead.Put(ctx, Letter{
		Body: *m.entry.MessageBody, Reason: reason, Class: fault.Permanent.String(), Source: name(q.lanes[lane]),
	})
}

// Discard buries a message of a lane that was not received by Receive, and
// records its task as ended. The caller acknowledges the message.
func (q *Queue) Discard(ctx context.Context, l Letter) error {
	if err := q.dead.Put(ctx, l); err != nil {
		return err
	}
	return q.endedBody(ctx, l.Body)
}

// letter reads a message of a dead-letter queue.
func letter(m *types.Message) Letter {
	text := func(key string) string { return aws.ToString(m.MessageAttributes[key].StringValue) }
	l := Letter{
		ID: aws.ToString(m.MessageId), Body: aws.ToString(m.Body), handle: aws.ToString(m.ReceiptHandle),
		Reason: text(attrReason), Class: text(attrClass), Source: text(attrSource),
	}
	if n, err := strconv.Atoi(text(attrCut)); err == nil {
		l.Cut = n
	}
	if ms, err := strconv.ParseInt(m.Attributes[string(types.MessageSystemAttributeNameSentTimestamp)], 10, 64); err == nil {
		l.Sent = time.UnixMilli(ms).UTC()
	}
	if arn := m.Attributes[string(types.MessageSystemAttributeNameDeadLetterQueueSourceArn)]; l.Source == "" && arn != "" {
		l.Source = arn[strings.LastIndexByte(arn, ':')+1:]
	}
	return l
}
