//go:build linux

package lambdahost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"sluice/shared/fault"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/arn"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"golang.org/x/sync/errgroup"
)

const (
	pollers   = 5                // of a mapping, at most
	longPoll  = 20 * time.Second // for a batch's first message
	maxAtOnce = 10               // messages that SQS gives and deletes at once
	rest      = time.Second      // after a queue gave an error
)

// SQS is the subset of *sqs.Client that a Pump uses.
type SQS interface {
	GetQueueAttributes(context.Context, *sqs.GetQueueAttributesInput, ...func(*sqs.Options)) (*sqs.GetQueueAttributesOutput, error)
	ReceiveMessage(context.Context, *sqs.ReceiveMessageInput, ...func(*sqs.Options)) (*sqs.ReceiveMessageOutput, error)
	DeleteMessageBatch(context.Context, *sqs.DeleteMessageBatchInput, ...func(*sqs.Options)) (*sqs.DeleteMessageBatchOutput, error)
}

// PumpOptions are the settings of an event source mapping.
type PumpOptions struct {
	BatchSize      int           // records of an invocation, at most: 10
	Window         time.Duration // for which a batch waits for more records, by whole seconds: 0
	MaxConcurrency int           // invocations at a time, of each queue: 5
	// Visibility of received messages, in whole seconds; zero: the queue's. A
	// short one makes failed messages visible soon; below the function's
	// timeout, messages are processed twice at a time.
	Visibility time.Duration
	Faults     Faults
	Log        *slog.Logger // nil: errors of the queues are not logged
}

// Pump invokes a function with the messages of queues: an event source mapping
// with ReportBatchItemFailures for each queue.
type Pump struct {
	client SQS
	fn     *Function
	queues []string
	opts   PumpOptions
	dice   *dice

	mu       sync.Mutex
	account  Account
	inFlight int
}

// NewPump returns a pump from the queues to the function. It refuses the
// settings that Lambda refuses.
func NewPump(client SQS, fn *Function, queueURLs []string, opts PumpOptions) (*Pump, error) {
	opts.BatchSize = cmp.Or(opts.BatchSize, maxAtOnce)
	opts.MaxConcurrency = cmp.Or(opts.MaxConcurrency, pollers)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	var problems []error
	for _, check := range []struct {
		bad     bool
		problem string
	}{
		{len(queueURLs) == 0, "no queue"},
		{opts.BatchSize < 1 || opts.BatchSize > 10_000, "batch size is not between 1 and 10000"},
		{opts.Window < 0 || opts.Window > 300*time.Second, "batching window is not between 0 and 300 s"},
		{opts.BatchSize > maxAtOnce && opts.Window < time.Second, "batches of more than 10 need a window of 1 s at least"},
		{opts.MaxConcurrency < 1 || opts.MaxConcurrency > 1000, "concurrency is not between 1 and 1000"},
	} {
		if check.bad {
			problems = append(problems, errors.New(check.problem))
		}
	}
	if err := errors.Join(append(problems, opts.Faults.check())...); err != nil {
		return nil, fmt.Errorf("map queues to %s: %w", fn.name, err)
	}
	return &Pump{client: client, fn: fn, queues: queueURLs, opts: opts, dice: newDice(opts.Faults.Seed)}, nil
}

// Run pumps until ctx ends, and then waits for the invocations in flight.
// Postponed messages, or those in transit from the queue, come back when their
// visibility ends. It returns an error only for a queue that it cannot find. It
// may be called again.
func (p *Pump) Run(ctx context.Context) error {
	mappings := make([]*mapping, 0, len(p.queues))
	for _, url := range p.queues {
		m, err := p.mapping(ctx, url)
		if err != nil {
			return err
		}
		mappings = append(mappings, m)
	}
	var all errgroup.Group
	for _, m := range mappings {
		for range min(pollers, p.opts.MaxConcurrency) {
			all.Go(func() error {
				m.poll(ctx, &all)
				return nil
			})
		}
	}
	return all.Wait()
}

// mapping connects one queue with the function.
type mapping struct {
	*Pump
	url, arn, region string
	slots            chan struct{} // one for each batch that is being filled or handled

	laterMu sync.Mutex
	later   []message // for a later batch
}

// message is a received or repeated message.
type message struct {
	types.Message
	again bool
}

func (p *Pump) mapping(ctx context.Context, url string) (*mapping, error) {
	out, err := p.client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl:       aws.String(url),
		AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn},
	})
	if err != nil {
		return nil, fmt.Errorf("find queue %s: %w", url, err)
	}
	name := out.Attributes[string(types.QueueAttributeNameQueueArn)]
	parsed, err := arn.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("parse ARN of queue %s: %w", url, err)
	}
	return &mapping{
		Pump: p, url: url, arn: name, region: parsed.Region,
		slots: make(chan struct{}, p.opts.MaxConcurrency),
	}, nil
}

// poll fills one batch after the other, and takes no message before there is
// a place for it.
func (m *mapping) poll(ctx context.Context, all *errgroup.Group) {
	for ctx.Err() == nil {
		select {
		case m.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		batch := m.gather(ctx)
		if len(batch) == 0 {
			<-m.slots
			continue
		}
		all.Go(func() error {
			defer func() { <-m.slots }()
			m.deliver(context.WithoutCancel(ctx), batch)
			return nil
		})
	}
}

// gather returns the next batch when its window has passed, when it is full, or
// when ctx ends.
func (m *mapping) gather(ctx context.Context) []message {
	batch := m.takeLater(m.opts.BatchSize)
	var closing time.Time
	for ctx.Err() == nil && len(batch) < m.opts.BatchSize {
		wait := m.patience()
		if len(batch) > 0 {
			if closing.IsZero() {
				closing = time.Now().Add(m.opts.Window)
			}
			if wait = time.Until(closing); wait <= 0 {
				break
			}
		}
		got := m.receive(ctx, m.opts.BatchSize-len(batch), wait)
		if len(got) == 0 && len(batch) == 0 {
			return m.takeLater(m.opts.BatchSize)
		}
		batch = append(batch, got...)
	}
	return batch
}

// patience is how long a poll waits for a batch's first message.
func (m *mapping) patience() time.Duration {
	if m.opts.Faults.delays() {
		return time.Second // messages held back are also waiting
	}
	return longPoll
}

// receive requests up to n messages and waits, by whole seconds, until there is
// one.
func (m *mapping) receive(ctx context.Context, n int, wait time.Duration) []message {
	in := &sqs.ReceiveMessageInput{
		QueueUrl:                    aws.String(m.url),
		MaxNumberOfMessages:         int32(min(n, maxAtOnce)),
		WaitTimeSeconds:             int32(min(longPoll, wait+time.Second-1) / time.Second),
		MessageAttributeNames:       []string{"All"},
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
		VisibilityTimeout:           int32(m.opts.Visibility / time.Second),
	}
	out, err := m.client.ReceiveMessage(ctx, in)
	m.count(func(a *Account) { a.Receives++ })
	if err != nil {
		if ctx.Err() == nil {
			m.opts.Log.WarnContext(ctx, "receive messages", "queue", m.url, "error", err)
			pause(ctx, rest)
		}
		return nil
	}
	got := make([]message, len(out.Messages))
	for i, msg := range out.Messages {
		got[i] = message{Message: msg}
	}
	return got
}

// takeLater returns up to n of the messages that were postponed.
func (m *mapping) takeLater(n int) []message {
	m.laterMu.Lock()
	defer m.laterMu.Unlock()
	n = min(n, len(m.later))
	taken := m.later[:n:n]
	m.later = m.later[n:]
	return taken
}

func (m *mapping) putOff(msgs ...message) {
	m.laterMu.Lock()
	defer m.laterMu.Unlock()
	m.later = append(m.later, msgs...)
}

func pause(ctx context.Context, d time.Duration) { _ = fault.Pause(ctx, d) }
