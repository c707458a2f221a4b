// Package frontiertest is the conformance suite of the frontier's ports.
// Adapters and decorators that pass it are interchangeable.
package frontiertest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"sluice/shared/conformance"
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
	conformance.Run(t, queueChecks, open)
}

var queueChecks = []conformance.Check[*Queue]{
	// Everything that is known of a link must survive the way.
	{Name: "delivers what was sent", Check: checkRoundTrip},
	// An empty queue is not an error: workers poll all the time.
	{Name: "empty queue has none", Check: checkEmpty},
	// A worker takes no more than it has room for.
	{Name: "delivers at most max", Check: checkMax},
	// Senders need not know how many messages a request of the cloud takes.
	{Name: "sends many at once", Check: checkMany},
	// The largest task the frontier makes must pass, a larger one fail early.
	{Name: "takes tasks up to the limit", Check: checkLarge},
	// Two workers on one task would fetch its pages twice.
	{Name: "hides what is in flight", Check: checkInvisible},
	// A worker that died must not take its task along.
	{Name: "delivers again after the visibility timeout", Check: checkRedelivery},
	// Acknowledged work is over.
	{Name: "deletes what was acknowledged", Check: checkDelete},
	// A late worker must not acknowledge a task that another holds now.
	{Name: "receipt of an earlier delivery deletes nothing", Check: checkEarlierReceipt},
	// Redelivered acknowledgements are ordinary.
	{Name: "invalid receipts are no error", Check: checkInvalidReceipts},
	// Host delays and Retry-After rest on it.
	{Name: "holds delayed sends back", Check: checkDelayedSend},
	// The rest of a task is sent before the task is acknowledged.
	{Name: "gauge counts what is left of a task", Check: checkGaugeRest},
	// The rest of a task comes back when its host may be fetched again.
	{Name: "delay brings a delivery back", Check: checkDelay},
	// A drained worker hands its tasks over at once.
	{Name: "delay of zero brings it back at once", Check: checkDelayZero},
	// A slow task can be held for longer.
	{Name: "delay may prolong", Check: checkDelayLonger},
	// A late worker must not release a task that another holds.
	{Name: "expired receipt delays nothing", Check: checkDelayExpired},
	// A task that kills its workers must leave the queue, with its links on record.
	{Name: "task received too often is dead", Check: checkMaxReceives},
	// One bad message must not stop the others.
	{Name: "body that is not a task is dead", Check: checkPoison},
	// Seeds can be sent with the cloud's own tools.
	{Name: "takes a bare URL as a seed", Check: checkBareURL},
	// Under a race, still one receiver for each.
	{Name: "concurrent receivers share", Check: checkReceivers},
	// The feeder's cap and the end of a crawl rest on it.
	{Name: "gauge counts links in every state", Check: checkGauge},
	// A redelivered burial must not double the record.
	{Name: "burying is idempotent", Check: checkBury},
	// Workers stop with their context, not with the polling time.
	{Name: "receive ends with its context", Check: checkContext},
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
