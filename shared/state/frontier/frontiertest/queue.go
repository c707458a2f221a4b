// Package frontiertest is the conformance suite of the frontier's ports.
// Adapters and decorators that pass it are interchangeable.
package frontiertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

func checkRoundTrip(t *testing.T, q *Queue) {
	want := task("c", "a.test", 0)
	want.Bounces = 3
	want.Links = []frontier.Link{{
		URL: "http://a.test:8080/新闻", Origin: "http://a.test/old", Seed: "http://a.test/", Parent: "http://b.test/?a=b&c='d'",
		Anchor: "党建 \"引文\" <b>\u2028", IsSeed: true, IsSource: true, Depth: 4, Round: 5, Hops: 6, Attempts: 7,
		Priority: 0.1 + 0.2, Parts: frontier.Parts{Description: 0.25, Anchor: 1e-9, Structure: 1},
		Tie: -1e-9, Value: 100,
	}}
	want.Links[0].URL = "http://a.test:8080/%E6%96%B0%E9%97%BB"
	send(t, q, want)
	d := one(t, q)
	if diff := cmp.Diff(want, d.Task); diff != "" {
		t.Errorf("delivered task (-sent +received):\n%s", diff)
	}
	if d.Receives != 1 {
		t.Errorf("Receives = %d at the first delivery, want 1", d.Receives)
	}
}

func checkEmpty(t *testing.T, q *Queue) {
	none(t, q)
	send(t, q)
	remove(t, q)
	none(t, q)
	queued(t, q, "c", "", 0)
}

func checkMax(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1), task("c", "b.test", 1), task("c", "d.test", 1))
	for _, limit := range []int{0, 1, 2} {
		ds, err := q.Receive(t.Context(), limit)
		if err != nil {
			t.Fatalf("Receive: %v", err)
		}
		if len(ds) > limit {
			t.Errorf("Receive(%d) returned %d deliveries", limit, len(ds))
		}
	}
}

func checkMany(t *testing.T, q *Queue) {
	const n = 57
	var all []*frontier.Task
	for i := range n {
		all = append(all, task("c", fmt.Sprintf("h%d.test", i), 1))
	}
	send(t, q, all...)
	hosts := map[string]int{}
	for _, d := range receive(t, q, n) {
		hosts[d.Task.Host]++
	}
	if len(hosts) != n {
		t.Errorf("received %d different tasks, want %d", len(hosts), n)
	}
}

func checkLarge(t *testing.T, q *Queue) {
	fill := func(bytes int) *frontier.Task {
		big := task("c", "a.test", frontier.MaxLinks)
		for i := range big.Links {
			big.Links[i].Anchor = strings.Repeat("x", bytes)
		}
		return big
	}
	big := fill(6000)
	send(t, q, big)
	if diff := cmp.Diff(big, one(t, q).Task); diff != "" {
		t.Errorf("large task changed on the way (-sent +received):\n%s", diff)
	}
	tooBig := fill(frontier.MaxTaskBytes / frontier.MaxLinks)
	if err := q.Send(t.Context(), []frontier.Outgoing{{Task: tooBig}}); err == nil {
		t.Error("Send of a task beyond MaxTaskBytes succeeded")
	}
}

func checkInvisible(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1))
	one(t, q)
	none(t, q)
	q.Advance(q.Visibility / 2)
	none(t, q)
}

func checkRedelivery(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1))
	first := one(t, q)
	q.Advance(q.Visibility)
	second := one(t, q)
	if second.Receives != 2 {
		t.Errorf("Receives = %d at the second delivery, want 2", second.Receives)
	}
	if diff := cmp.Diff(first.Task, second.Task); diff != "" {
		t.Errorf("second delivery (-first +second):\n%s", diff)
	}
	none(t, q)
}

func checkDelete(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1), task("c", "b.test", 1))
	ds := receive(t, q, 2)
	remove(t, q, ds[0].Receipt)
	q.Advance(q.Visibility)
	if d := one(t, q); d.Task.Host != ds[1].Task.Host {
		t.Errorf("the deleted task of %s came back", d.Task.Host)
	}
	none(t, q)
}

func checkEarlierReceipt(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1))
	first := one(t, q)
	q.Advance(q.Visibility)
	second := one(t, q)
	remove(t, q, first.Receipt)
	q.Advance(q.Visibility)
	third := one(t, q)
	if third.Receives != second.Receives+1 {
		t.Errorf("Receives = %d, want %d", third.Receives, second.Receives+1)
	}
}

func checkInvalidReceipts(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1), task("c", "b.test", 1))
	d := one(t, q)
	invalid := []string{"", "x", "1", "1.", "1.0", "-1.1", "9999.1", "1.99999999999999999999", d.Receipt + "0"}
	for _, r := range invalid {
		remove(t, q, r)
		delay(t, q, r, 0)
	}
	queued(t, q, "c", "", 2)
	remove(t, q, append(invalid, d.Receipt, d.Receipt)...)
	remove(t, q, d.Receipt)
	delay(t, q, d.Receipt, 0)
	queued(t, q, "c", "", 1)
	one(t, q)
	none(t, q)
}

func checkDelayedSend(t *testing.T, q *Queue) {
	err := q.Send(t.Context(), []frontier.Outgoing{
		{Task: task("c", "late.test", 2), Delay: 2 * q.Visibility},
		{Task: task("c", "now.test", 1)},
	})
	if err != nil {
		t.Fatalf("Send: %v", err)
	}
	if d := one(t, q); d.Task.Host != "now.test" {
		t.Fatalf("received the delayed task of %s", d.Task.Host)
	}
	none(t, q)
	queued(t, q, "c", "late.test", 2)
	q.Advance(2 * q.Visibility)
	if d := one(t, q); d.Task.Host != "late.test" || d.Receives != 1 {
		t.Errorf("received %s for the %d. time, want late.test for the first", d.Task.Host, d.Receives)
	}
}

func checkDelay(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1))
	delay(t, q, one(t, q).Receipt, q.Visibility/2)
	none(t, q)
	q.Advance(q.Visibility / 2)
	if d := one(t, q); d.Receives != 2 {
		t.Errorf("Receives = %d after a delay, want 2", d.Receives)
	}
}

func checkDelayZero(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1))
	delay(t, q, one(t, q).Receipt, 0)
	one(t, q)
}

func checkDelayLonger(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1))
	delay(t, q, one(t, q).Receipt, 2*q.Visibility)
	q.Advance(q.Visibility)
	none(t, q)
	q.Advance(q.Visibility)
	one(t, q)
}

func checkDelayExpired(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 1))
	first := one(t, q)
	q.Advance(q.Visibility)
	one(t, q)
	delay(t, q, first.Receipt, 0)
	none(t, q)
}

func checkMaxReceives(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 2))
	for i := range q.MaxReceives {
		if d := one(t, q); d.Receives != i+1 {
			t.Fatalf("Receives = %d, want %d", d.Receives, i+1)
		}
		q.Advance(q.Visibility)
	}
	none(t, q)
	buried, err := q.Buried("c")
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"http://a.test/0", "http://a.test/1"} {
		if buried[url] == "" {
			t.Errorf("no dead letter with a reason for %s in %v", url, buried)
		}
	}
	queued(t, q, "c", "", 0)
	q.Advance(q.Visibility)
	none(t, q)
}

func checkPoison(t *testing.T, q *Queue) {
	bodies := []string{
		"{", "{}", "[]", "null", "\xff\xfe", "not a url", `{"v":1,"links":null}`,
		`{"v":2,"crawl":"c","host":"a.test","links":[{"url":"http://a.test/"}]}`,
		`{"v":1,"crawl":"c","host":"b.test","links":[{"url":"http://a.test/"}]}`,
	}
	for _, b := range bodies {
		if err := q.Inject([]byte(b)); err != nil {
			t.Fatalf("Inject: %v", err)
		}
	}
	send(t, q, task("c", "good.test", 1))
	if d := one(t, q); d.Task.Host != "good.test" {
		t.Fatalf("delivered %+v, which is no task", d.Task)
	}
	none(t, q)
	n, err := q.Dead()
	if err != nil {
		t.Fatal(err)
	}
	if n != len(bodies) {
		t.Errorf("%d dead letters, want %d", n, len(bodies))
	}
	q.Advance(q.Visibility)
	if d := one(t, q); d.Task.Host != "good.test" {
		t.Errorf("delivered %+v from the dead", d.Task)
	}
}

func checkBareURL(t *testing.T, q *Queue) {
	if err := q.Inject([]byte("HTTP://A.test:80/x#y")); err != nil {
		t.Fatalf("Inject: %v", err)
	}
	want := []frontier.Link{{URL: "http://a.test/x", Seed: "http://a.test/x", IsSeed: true}}
	d := one(t, q)
	if diff := cmp.Diff(want, d.Task.Links); diff != "" || d.Task.Host != "a.test" {
		t.Errorf("host %q, links (-want +got):\n%s", d.Task.Host, diff)
	}
	remove(t, q, d.Receipt)
	q.Advance(q.Visibility)
	none(t, q)
}

func checkReceivers(t *testing.T, q *Queue) {
	const n = 40
	for i := range n {
		send(t, q, task("c", fmt.Sprintf("h%d.test", i), 1))
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	got := map[string]int{}
	for range 64 {
		wg.Go(func() {
			ds, err := q.Receive(t.Context(), 2)
			if err != nil {
				t.Errorf("Receive: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, d := range ds {
				got[d.Task.Host]++
			}
		})
	}
	wg.Wait()
	for host, times := range got {
		if times != 1 {
			t.Errorf("task of %s was delivered to %d receivers at once", host, times)
		}
	}
	if len(got) < n {
		receive(t, q, n-len(got))
	}
	none(t, q)
}

func checkGauge(t *testing.T, q *Queue) {
	send(t, q, task("c", "a.test", 3), task("c", "b.test", 2), task("other", "a.test", 7))
	err := q.Send(t.Context(), []frontier.Outgoing{{Task: task("c", "a.test", 4), Delay: time.Hour}})
	if err != nil {
		t.Fatalf("Send: %v", err)
	}
	want := func(a, b, all int) {
		t.Helper()
		queued(t, q, "c", "a.test", a)
		queued(t, q, "c", "b.test", b)
		queued(t, q, "c", "", all)
		queued(t, q, "other", "", 7)
		queued(t, q, "third", "", 0)
	}
	want(7, 2, 9)
	for _, d := range receive(t, q, 3) {
		want(7, 2, 9) // in flight counts
		if d.Task.Host == "b.test" {
			remove(t, q, d.Receipt, d.Receipt)
			want(7, 0, 7)
			return
		}
		if d.Task.Crawl == "c" {
			delay(t, q, d.Receipt, time.Minute)
		}
	}
	t.Error("the task of b.test was not delivered")
}

func checkGaugeRest(t *testing.T, q *Queue) {
	whole := task("c", "a.test", 5)
	send(t, q, whole)
	d := one(t, q)
	rest := *d.Task
	rest.Links, rest.Hops = rest.Links[3:], rest.Hops+1
	send(t, q, &rest)
	remove(t, q, d.Receipt)
	queued(t, q, "c", "a.test", 2)
	last := one(t, q)
	if diff := cmp.Diff(rest.Links, last.Task.Links); diff != "" || last.Task.ID != whole.ID {
		t.Errorf("what is left came as task %s, sent was %s (-sent +received):\n%s", last.Task.ID, whole.ID, diff)
	}
	remove(t, q, last.Receipt)
	queued(t, q, "c", "", 0)
}

func checkBury(t *testing.T, q *Queue) {
	bury := func(task *frontier.Task, reason string) {
		t.Helper()
		if err := q.Bury(t.Context(), task, reason); err != nil {
			t.Fatalf("Bury: %v", err)
		}
	}
	bury(task("c", "a.test", 2), "timeout")
	bury(task("c", "a.test", 1), "dns")
	bury(task("d", "a.test", 1), "other crawl")
	got, err := q.Buried("c")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"http://a.test/0": "dns", "http://a.test/1": "timeout"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dead letters (-want +got):\n%s", diff)
	}
	queued(t, q, "c", "", 0)
	none(t, q)
}

func checkContext(t *testing.T, q *Queue) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.Receive(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive with a canceled context: %v, want context.Canceled", err)
	}
}
