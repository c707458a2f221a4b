// Package frontiertest is the conformance suite of the frontier's ports.
// Adapters and decorators that pass it are interchangeable.
package frontiertest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"sluice/shared/state/frontier"
)

// Queue is an empty queue under test, with access to its storage.
type Queue struct {
	frontier.Queue
	frontier.DeadLetters
	frontier.Gauge

	Visibility  time.Duration // of the queue
	MaxReceives int           // of the queue

	// Advance lets time pass for the queue.
	Advance func(d time.Duration)
	// Inject puts a message body into the queue, as a stranger may.
	Inject func(body []byte) error
	// Buried returns the reasons of the dead letters of a crawl by URL.
	Buried func(crawl string) (map[string]string, error)
	// Dead returns the number of all dead letters.
	Dead func() (int, error)
}

// RunQueue checks a queue against the contract of frontier.Queue,
// frontier.DeadLetters and frontier.Gauge. Each check gets a fresh one.
func RunQueue(t *testing.T, open func(t *testing.T) *Queue) {
	for _, c := range queueChecks {
		t.Run(c.name, func(t *testing.T) { c.check(t, open(t)) })
	}
}

type queueCheck struct {
	name  string
	check func(*testing.T, *Queue)
}

var queueChecks = []queueCheck{
	// Everything that is known of a link must survive the way.
	{"delivers what was sent", checkRoundTrip},
	// An empty queue is not an error: workers poll all the time.
	{"empty queue has none", checkEmpty},
	// A worker takes no more than it has room for.
	{"delivers at most max", checkMax},
	// Senders need not know how many messages a request of the cloud takes.
	{"sends many at once", checkMany},
	// The largest task the frontier makes must pass, a larger one fail early.
	{"takes tasks up to the limit", checkLarge},
	// Two workers on one task would fetch its pages twice.
	{"hides what is in flight", checkInvisible},
	// A worker that died must not take its task along.
	{"delivers again after the visibility timeout", checkRedelivery},
	// Acknowledged work is over.
	{"deletes what was acknowledged", checkDelete},
	// A late worker must not acknowledge a task that another holds now.
	{"receipt of an earlier delivery deletes nothing", checkEarlierReceipt},
	// Redelivered acknowledgements are ordinary.
	{"invalid receipts are no error", checkInvalidReceipts},
	// Host delays and Retry-After rest on it.
	{"holds delayed sends back", checkDelayedSend},
	// The rest of a task is sent before the task is acknowledged.
	{"gauge counts what is left of a task", checkGaugeRest},
	// The rest of a task comes back when its host may be fetched again.
	{"delay brings a delivery back", checkDelay},
	// A drained worker hands its tasks over at once.
	{"delay of zero brings it back at once", checkDelayZero},
	// A slow task can be held for longer.
	{"delay may prolong", checkDelayLonger},
	// A late worker must not release a task that another holds.
	{"expired receipt delays nothing", checkDelayExpired},
	// A task that kills its workers must leave the queue, with its links on record.
	{"task received too often is dead", checkMaxReceives},
	// One bad message must not stop the others.
	{"body that is not a task is dead", checkPoison},
	// Seeds can be sent with the cloud's own tools.
	{"takes a bare URL as a seed", checkBareURL},
	// Under a race, still one receiver for each.
	{"concurrent receivers share", checkReceivers},
	// The feeder's cap and the end of a crawl rest on it.
	{"gauge counts links in every state", checkGauge},
	// A redelivered burial must not double the record.
	{"burying is idempotent", checkBury},
	// Workers stop with their context, not with the polling time.
	{"receive ends with its context", checkContext},
}

// task returns a task of n links of a host.
func task(crawl, host string, n int) *frontier.Task {
	t := &frontier.Task{
		V: 1, ID: uuid.NewString(), Crawl: crawl, Host: host,
		FirstEnqueued: time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC),
	}
	for i := range n {
		t.Links = append(t.Links, frontier.Link{URL: fmt.Sprintf("http://%s/%d", host, i), Priority: float64(i)})
	}
	return t
}

func send(t *testing.T, q *Queue, tasks ...*frontier.Task) {
	t.Helper()
	var out []frontier.Outgoing
	for _, task := range tasks {
		out = append(out, frontier.Outgoing{Task: task})
	}
	if err := q.Send(t.Context(), out); err != nil {
		t.Fatalf("Send: %v", err)
	}
}

// receive receives until n deliveries have come: a queue may return fewer at a
// time than it has.
func receive(t *testing.T, q *Queue, n int) []frontier.Delivery {
	t.Helper()
	var all []frontier.Delivery
	for range 10 * (n + 1) {
		ds, err := q.Receive(t.Context(), n-len(all))
		if err != nil {
			t.Fatalf("Receive: %v", err)
		}
		if all = append(all, ds...); len(all) >= n {
			return all
		}
	}
	t.Fatalf("received %d tasks, want %d", len(all), n)
	return nil
}

func one(t *testing.T, q *Queue) frontier.Delivery {
	t.Helper()
	return receive(t, q, 1)[0]
}

func none(t *testing.T, q *Queue) {
	t.Helper()
	ds, err := q.Receive(t.Context(), 10)
	if err != nil {
		t.Fatalf("Receive: %v", err)
	}
	if len(ds) > 0 {
		t.Fatalf("received task %s (%d. time), want none", ds[0].Task.ID, ds[0].Receives)
	}
}

func remove(t *testing.T, q *Queue, receipts ...string) {
	t.Helper()
	if err := q.Delete(t.Context(), receipts); err != nil {
		t.Fatalf("Delete: %v", err)
	}
}

func delay(t *testing.T, q *Queue, receipt string, d time.Duration) {
	t.Helper()
	if err := q.Delay(t.Context(), receipt, d); err != nil {
		t.Fatalf("Delay: %v", err)
	}
}

func queued(t *testing.T, q *Queue, crawl, host string, want int) {
	t.Helper()
	got, err := q.Queued(t.Context(), crawl, host)
	if err != nil {
		t.Fatalf("Queued: %v", err)
	}
	if got != want {
		t.Fatalf("Queued(%q, %q) = %d, want %d", crawl, host, got, want)
	}
}
