// Package sqsqueue carries host tasks over standard SQS queues: one for each
// lane of priority, and one for the dead letters of all lanes.
//
// Standard queues deliver at least once and in any order. The message group of
// a message is its host, so that a portal with thousands of tasks does not
// delay the others; the host's lease serialises its tasks.
package sqsqueue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"sluice/shared/aws/awsfault"
	"sluice/shared/state/frontier"
)

// Client is the subset of *sqs.Client that the package uses. All calls are
// batches, even of one entry, so that each entry is refused separately.
type Client interface {
	SendMessageBatch(ctx context.Context, in *sqs.SendMessageBatchInput, opts ...func(*sqs.Options)) (*sqs.SendMessageBatchOutput, error)
	ReceiveMessage(ctx context.Context, in *sqs.ReceiveMessageInput, opts ...func(*sqs.Options)) (*sqs.ReceiveMessageOutput, error)
	DeleteMessageBatch(ctx context.Context, in *sqs.DeleteMessageBatchInput, opts ...func(*sqs.Options)) (*sqs.DeleteMessageBatchOutput, error)
	ChangeMessageVisibilityBatch(ctx context.Context, in *sqs.ChangeMessageVisibilityBatchInput, opts ...func(*sqs.Options)) (*sqs.ChangeMessageVisibilityBatchOutput, error)
	Counter
}

var _ Client = (*sqs.Client)(nil)

// Tracker records which tasks are in progress, for a frontier.Gauge: SQS itself
// only has approximate counts over all crawls. Both calls may be repeated with
// the same marks.
type Tracker interface {
	// Sent is called before the messages are sent: a crash in between leaves an
	// extra mark, which the gauge forgets in time, but never a missing one.
	Sent(ctx context.Context, marks []frontier.Mark) error
	// Ended is called after messages are deleted.
	Ended(ctx context.Context, marks []frontier.Mark) error
}

// Options are settings of a stack. The zero value is useful.
type Options struct {
	Poll        time.Duration // of Receive, in whole seconds up to 20; 0 looks without waiting
	MaxReceives int           // 0 means 6; less than the maxReceiveCount of the lanes, whose dead letters have no reason
	// LaneBase returns the priority threshold of a crawl, by which priorities
	// become lanes; nil, or a result that is not positive, means 1.
	LaneBase func(crawl string) float64
	Tracker  Tracker // nil: tasks are not counted
	Render   string  // URL of the queue of tasks for workers with a browser; "": the lanes take them
	Now      func() time.Time
}

const defaultReceives = 6

// Queue implements frontier.Queue and frontier.DeadLetters. The queues
// themselves set visibility timeout and retention.
type Queue struct {
	client Client
	lanes  []string // URLs, best first, and behind them that of Options.Render
	dead   *Dead
	opts   Options
	turn   atomic.Uint64 // of Receive
}

var (
	_ frontier.Queue       = (*Queue)(nil)
	_ frontier.DeadLetters = (*Queue)(nil)
)

// New returns the queue over lanes, URLs of SQS queues, best first and at least
// one, and the queue of their dead letters.
func New(client Client, lanes []string, dead string, opts Options) *Queue {
	opts.MaxReceives = cmp.Or(opts.MaxReceives, defaultReceives)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.LaneBase == nil {
		opts.LaneBase = func(string) float64 { return 1 }
	}
	q := &Queue{client: client, lanes: lanes, opts: opts}
	if opts.Render != "" {
		q.lanes = append(slices.Clone(lanes), opts.Render)
	}
	q.dead = &Dead{client: client, url: dead, back: q.takeBack, now: opts.Now}
	return q
}

// Delete implements frontier.Queue.
func (q *Queue) Delete(ctx context.Context, receipts []string) error {
	var ended []frontier.Mark
	var errs []error
	held := q.parse(receipts)
	for lane, url := range q.lanes {
		of := held[lane]
		done, err := remove(ctx, q.client, url, handles(of))
		errs = append(errs, err)
		for i := range done {
			if done[i] && of[i].mark.ID != "" { // recorded at all, see marks
				ended = append(ended, of[i].mark)
			}
		}
	}
	errs = append(errs, q.ended(ctx, ended))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("delete %d deliveries: %w", len(receipts), err)
	}
	return nil
}

// Delay implements frontier.Queue; see Hide.
func (q *Queue) Delay(ctx context.Context, s string, d time.Duration) error {
	r, ok := parseReceipt(s)
	if !ok || r.lane >= len(q.lanes) {
		return nil
	}
	return Hide(ctx, q.client, q.lanes[r.lane], r.handle, d)
}

// maxHidden is how long a delivery can be hidden: SQS counts its 12 hours from
// the receipt, which was earlier.
const maxHidden = 12*time.Hour - 15*time.Minute

// Hide makes a delivery of the queue visible again after d, rounded up to
// seconds, at least 0 and at most 11:45 h. An invalid handle is not an error.
func Hide(ctx context.Context, client Client, url, handle string, d time.Duration) error {
	err := hide(ctx, client, url, []string{handle}, min(d, maxHidden))
	if err != nil {
		return fmt.Errorf("delay delivery: %w", err)
	}
	return nil
}

func (q *Queue) ended(ctx context.Context, marks []frontier.Mark) error {
	if q.opts.Tracker == nil || len(marks) == 0 {
		return nil
	}
	if err := q.opts.Tracker.Ended(ctx, marks); err != nil {
		return fmt.Errorf("record %d tasks as ended: %w", len(marks), err)
	}
	return nil
}

func (q *Queue) sent(ctx context.Context, marks []frontier.Mark) error {
	if q.opts.Tracker == nil || len(marks) == 0 {
		return nil
	}
	if err := q.opts.Tracker.Sent(ctx, marks); err != nil {
		return fmt.Errorf("record %d tasks as sent: %w", len(marks), err)
	}
	return nil
}

// lane returns the lane of a task.
func (q *Queue) lane(t *frontier.Task) int {
	base := q.opts.LaneBase(t.Crawl)
	if !(base > 0) { // NaN too
		base = 1
	}
	lanes := len(q.lanes)
	if q.opts.Render != "" {
		if lanes--; t.Render {
			return lanes
		}
	}
	return frontier.Lane(t.Best().Priority/base, lanes)
}

// name returns a queue's name, the last part of its URL.
func name(url string) string { return path.Base(url) }

// seconds rounds up to whole seconds.
func seconds(d time.Duration) int32 {
	return int32(max(0, math.Ceil(d.Seconds())))
}

// Depth is the approximate number of messages in a queue; SQS may lag by a
// minute or so.
type Depth struct{ Waiting, InFlight, Delayed int }

// Depths returns the depth of each lane, best first.
func (q *Queue) Depths(ctx context.Context) ([]Depth, error) {
	out := make([]Depth, len(q.lanes))
	for i, url := range q.lanes {
		var err error
		if out[i], err = DepthOf(ctx, q.client, url); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Counter is the subset of *sqs.Client that DepthOf uses.
type Counter interface {
	GetQueueAttributes(ctx context.Context, in *sqs.GetQueueAttributesInput, opts ...func(*sqs.Options)) (*sqs.GetQueueAttributesOutput, error)
}

// DepthOf returns the depth of any queue.
func DepthOf(ctx context.Context, client Counter, url string) (Depth, error) {
	d, err := depth(ctx, client, url)
	return d, awsfault.Wrap("read depth of "+name(url), err)
}
