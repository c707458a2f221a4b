package frontier

import (
	"context"
	"time"
)

// Outgoing is a task to send, not to be delivered before Delay has passed.
type Outgoing struct {
	Task  *Task
	Delay time.Duration
}

// Delivery is one receipt of one task.
type Delivery struct {
	Task     *Task
	Receipt  string // valid until the task is delivered again
	Receives int    // how often the task was delivered, this time included
}

// Sender is the end of a Queue that tasks go in.
type Sender interface {
	// Send stores all tasks, or returns an error and may have stored some.
	Send(ctx context.Context, out []Outgoing) error
}

// Queue carries host tasks with the semantics of a standard cloud queue: at
// least once, in no promised order, each delivery invisible to others for the
// queue's visibility timeout and delivered again when that ends without a
// Delete. A task received more often than the queue's maximum goes to the dead
// letters instead, and so does a body that is not a task.
//
// A Queue prefers tasks of higher Best priority, if its lanes distinguish them;
// callers must not rely on it. All methods are safe for concurrent use. Errors
// carry a fault class; callers retry, adapters don't.
type Queue interface {
	Sender
	// Receive returns at most limit deliveries. If there are none it waits for
	// at most the adapter's polling time, then returns none and no error.
	Receive(ctx context.Context, limit int) ([]Delivery, error)
	// Delete acknowledges deliveries. An invalid receipt is not an error and
	// deletes nothing.
	Delete(ctx context.Context, receipts []string) error
	// Delay makes the delivery visible again after d instead of after the
	// visibility timeout. An invalid receipt is not an error.
	Delay(ctx context.Context, receipt string, d time.Duration) error
}

// DeadLetters stores links that failed for good, with the reason. It is safe
// for concurrent use.
type DeadLetters interface {
	// Bury stores the links of t as dead. It is idempotent by crawl and URL;
	// the last reason is kept.
	Bury(ctx context.Context, t *Task, reason string) error
}

// Gauge counts the links in progress in a queue. Counts may lag behind other
// processes, never behind the caller's own calls.
type Gauge interface {
	// Queued returns the links in all messages of crawl (waiting, delayed or
	// in flight), of one host, or of all hosts when host is "". Whether a
	// duplicate of a message, the same ID and Hops, counts is up to the adapter.
	Queued(ctx context.Context, crawl, host string) (int, error)
}
