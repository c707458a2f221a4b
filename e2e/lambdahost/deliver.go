//go:build linux

package lambdahost

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Account is what a pump did.
type Account struct {
	Receives   int // requests for messages, which AWS bills even when they bring none
	Deletes    int // requests to delete messages
	Deliveries int // records that the function got, in all
	Duplicates int // of them, those that Faults repeated

	Invocations int // that had a result; without Refused
	Errors      int // invocations with a FunctionError
	Malformed   int // invocations whose answer Lambda does not accept
	Refused     int // batches that found no environment, or were too large for one
	Dropped     int // answers that Faults lost
	Reported    int // records that the function reported as failed

	Deleted        int     // messages deleted; a duplicate counts again
	GBSeconds      float64 // billed
	MaxConcurrency int     // invocations at a time, of all queues
}

// Account returns the pump's account until now.
func (p *Pump) Account() Account {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.account
}

func (p *Pump) count(f func(*Account)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&p.account)
}

// deliver invokes the function with a batch and deletes what it handled. All
// else becomes visible again in its time.
func (m *mapping) deliver(ctx context.Context, batch []message) {
	batch = m.disturb(batch)
	event, fit := m.event(batch)
	m.putOff(batch[fit:]...)
	batch = batch[:fit]
	payload, ok := m.invoke(ctx, event, batch)
	if !ok {
		return
	}
	ids := make([]string, len(batch))
	for i, msg := range batch {
		ids[i] = aws.ToString(msg.MessageId)
	}
	failed, err := failures(payload, ids)
	if err != nil {
		m.opts.Log.WarnContext(ctx, "answer of batch", "function", m.fn.name, "error", err)
		m.count(func(a *Account) { a.Malformed++ })
		return
	}
	var done []message
	for i, msg := range batch {
		if !failed[ids[i]] {
			done = append(done, msg)
		}
	}
	m.count(func(a *Account) { a.Reported += len(batch) - len(done) })
	m.delete(ctx, done)
}

// invoke returns the answer of the function, if it gave one that arrived.
func (m *mapping) invoke(ctx context.Context, event []byte, batch []message) ([]byte, bool) {
	m.count(func(a *Account) {
		m.inFlight++
		a.MaxConcurrency = max(a.MaxConcurrency, m.inFlight)
	})
	res, err := m.fn.invoke(ctx, event, m.dice.kill(m.opts.Faults))
	drop := err == nil && m.dice.roll(m.opts.Faults.Drop)
	m.count(func(a *Account) {
		m.inFlight--
		if err != nil {
			a.Refused++
			return
		}
		a.Invocations++
		a.GBSeconds += gbSeconds(res.Billed, m.fn.opts.MemoryMB)
		a.Deliveries += len(batch)
		for _, msg := range batch {
			if msg.again {
				a.Duplicates++
			}
		}
		if res.Error != nil {
			a.Errors++
		} else if drop {
			a.Dropped++
		}
	})
	switch {
	case errors.Is(err, errThrottled):
		return nil, false
	case err != nil:
		m.opts.Log.WarnContext(ctx, "invoke function", "function", m.fn.name, "error", err)
		return nil, false
	}
	return res.Payload, res.Error == nil && !drop
}

// delete deletes messages, as many at once as SQS takes.
func (m *mapping) delete(ctx context.Context, msgs []message) {
	for chunk := range slices.Chunk(msgs, maxAtOnce) {
		entries := make([]types.DeleteMessageBatchRequestEntry, len(chunk))
		for i, msg := range chunk {
			entries[i] = types.DeleteMessageBatchRequestEntry{
				Id:            aws.String(strconv.Itoa(i)),
				ReceiptHandle: msg.ReceiptHandle,
			}
		}
		out, err := m.client.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{
			QueueUrl: aws.String(m.url),
			Entries:  entries,
		})
		m.count(func(a *Account) {
			a.Deletes++
			if err == nil {
				a.Deleted += len(out.Successful)
			}
		})
		if err != nil {
			m.opts.Log.WarnContext(ctx, "delete messages", "queue", m.url, "error", err)
		}
	}
}
