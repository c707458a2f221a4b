package sqsqueue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/state/frontier"
)

func newTask(host string, priority float64) *frontier.Task {
	return &frontier.Task{
		V: 1, ID: "id-" + host, Crawl: "c", Host: host, Bounces: 2, Hops: 3,
		Links:         []frontier.Link{{URL: "http://" + host + "/", Priority: priority, Attempts: 4}},
		FirstEnqueued: time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC),
	}
}

func send(t *testing.T, q *sqsqueue.Queue, out ...frontier.Outgoing) {
	t.Helper()
	if err := q.Send(t.Context(), out); err != nil {
		t.Fatalf("Send: %v", err)
	}
}

// drain receives and deletes until all lanes are empty.
func drain(t *testing.T, q *sqsqueue.Queue) []*frontier.Task {
	t.Helper()
	var all []*frontier.Task
	for {
		ds, err := q.Receive(t.Context(), 10)
		if err != nil {
			t.Fatalf("Receive: %v", err)
		}
		if len(ds) == 0 {
			return all
		}
		for _, d := range ds {
			all = append(all, d.Task)
			if err := q.Delete(t.Context(), []string{d.Receipt}); err != nil {
				t.Fatalf("Delete: %v", err)
			}
		}
	}
}

func hosts(tasks []*frontier.Task) []string {
	var out []string
	for _, t := range tasks {
		out = append(out, t.Host)
	}
	slices.Sort(out)
	return out
}

func TestReceiveWaits(t *testing.T) {
	t.Parallel()
	w := newQueues(t, 1)
	q := sqsqueue.New(w.client, w.lanes, w.dead, sqsqueue.Options{Poll: 20 * time.Second})
	received := make(chan int, 1)
	go func() {
		ds, err := q.Receive(t.Context(), 10)
		if err != nil {
			t.Errorf("Receive: %v", err)
		}
		received <- len(ds)
	}()
	time.Sleep(300 * time.Millisecond)
	send(t, q, frontier.Outgoing{Task: newTask("a.test", 1)})
	select {
	case n := <-received:
		if n != 1 {
			t.Errorf("received %d tasks, want the one that was sent meanwhile", n)
		}
	case <-time.After(15 * time.Second):
		t.Error("Receive did not notice what was sent while it waited")
	}
}

// Lanes are shared, not drained one after the other: the best comes first, and
// the last gets a share while the best still has work.
func TestLanes(t *testing.T) {
	t.Parallel()
	w := newQueues(t, 3)
	base := func(crawl string) float64 {
		if crawl != "c" {
			t.Errorf("asked for the base of crawl %q", crawl)
		}
		return 0.5
	}
	q := sqsqueue.New(w.client, w.lanes, w.dead, sqsqueue.Options{LaneBase: base})
	var out []frontier.Outgoing
	for lane, priority := range []float64{2, 1.9, 0.9} { // 4, 3.8 and 1.8 times the base
		for i := range 8 {
			out = append(out, frontier.Outgoing{Task: newTask(fmt.Sprintf("lane%d-%d.test", lane, i), priority)})
		}
	}
	send(t, q, out...)
	depths, err := q.Depths(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]sqsqueue.Depth{{Waiting: 8}, {Waiting: 8}, {Waiting: 8}}, depths); diff != "" {
		t.Errorf("depths (-want +got):\n%s", diff)
	}
	served := ""
	for range 16 {
		ds, err := q.Receive(t.Context(), 1)
		if err != nil || len(ds) != 1 {
			t.Fatalf("Receive: %d deliveries, %v", len(ds), err)
		}
		served += ds[0].Task.Host[4:5]
	}
	if want := "0102010201020102"; served != want {
		t.Errorf("lanes served: %s, want %s", served, want)
	}
}

// A delay of hours is made of hops of 15 minutes, invisible to receivers.
func TestLongDelay(t *testing.T) {
	t.Parallel()
	w := newQueues(t, 1)
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	q := sqsqueue.New(w.client, w.lanes, w.dead, sqsqueue.Options{MaxReceives: 2, Now: func() time.Time { return now }})
	late := newTask("a.test", 1)
	late.NotBefore = now.Add(2 * time.Second)
	body, err := late.Encode()
	if err != nil {
		t.Fatal(err)
	}
	w.inject(t, w.lanes[0], string(body), nil)
	if got := drain(t, q); len(got) != 0 {
		t.Fatalf("delivered %s before its time", got[0].Host)
	}
	if d, err := q.Depths(t.Context()); err != nil || d[0] != (sqsqueue.Depth{Delayed: 1}) {
		t.Fatalf("depth %+v, %v: want the task sent again with its delay", d, err)
	}
	time.Sleep(2100 * time.Millisecond)
	ds, err := q.Receive(t.Context(), 10)
	if err != nil || len(ds) != 1 {
		t.Fatalf("Receive: %d deliveries, %v", len(ds), err)
	}
	late.NotBefore = time.Time{}
	if diff := cmp.Diff(late, ds[0].Task); diff != "" || ds[0].Receives != 1 {
		t.Errorf("received %d times, task (-sent +received):\n%s", ds[0].Receives, diff)
	}
}

func TestSendsHopsOfLongDelays(t *testing.T) {
	t.Parallel()
	w := newQueues(t, 1)
	q := sqsqueue.New(w.client, w.lanes, w.dead, sqsqueue.Options{})
	send(t, q, frontier.Outgoing{Task: newTask("a.test", 1), Delay: 40 * time.Hour})
	d, err := q.Depths(t.Context())
	if err != nil || d[0] != (sqsqueue.Depth{Delayed: 1}) {
		t.Errorf("depth %+v, %v: want one delayed", d, err)
	}
}

// Hostile pages have characters in their anchors that SQS refuses.
func TestCharacters(t *testing.T) {
	t.Parallel()
	w := newQueues(t, 1)
	q := sqsqueue.New(w.client, w.lanes, w.dead, sqsqueue.Options{})
	want := newTask("a.test", 1)
	want.Links[0].Anchor = "\x00\x01\x7f\u0085\u2028\ufffd\ufffe\uffff\U0001ffff党"
	send(t, q, frontier.Outgoing{Task: want})
	got := drain(t, q)
	if len(got) != 1 {
		t.Fatalf("received %d tasks, want 1", len(got))
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("task (-sent +received):\n%s", diff)
	}
	if err := q.Bury(t.Context(), want, "bad \x00\ufffe bytes \xff"); err != nil {
		t.Errorf("Bury: %v", err)
	}
}

func TestPut(t *testing.T) {
	t.Parallel()
	w := newQueues(t, 1)
	dead := sqsqueue.NewDead(w.client, w.dead, w.lanes[0])
	large := strings.Repeat("党", 400_000)
	for _, l := range []sqsqueue.Letter{
		{Body: "plain", Reason: "r", Class: "poison", Source: "clean"},
		{Body: large, Reason: strings.Repeat("长", 4000)},
		{Body: ""},
		{Body: "\x00"},
	} {
		if err := dead.Put(t.Context(), l); err != nil {
			t.Fatalf("Put: %v", err)
		}
	}
	got := map[string]sqsqueue.Letter{}
	if err := dead.Each(t.Context(), func(l sqsqueue.Letter) error {
		if l.Sent.IsZero() || l.ID == "" {
			t.Errorf("letter %q without id or time", l.ID)
		}
		got[l.Body[:min(len(l.Body), 6)]] = l
		return nil
	}); err != nil {
		t.Fatalf("Each: %v", err)
	}
	if len(got) != 4 {
		t.Fatalf("%d letters, want 4", len(got))
	}
	if l := got["plain"]; l.Reason != "r" || l.Class != "poison" || l.Source != "clean" || l.Cut != 0 {
		t.Errorf("letter %+v", l)
	}
	if l := got["党党"]; l.Cut != len(large) || !strings.HasPrefix(large, l.Body) || len(l.Body) < 1<<20-5<<10 || len(l.Reason) < 2000 {
		t.Errorf("a body of %d bytes became one of %d, cut %d, reason of %d", len(large), len(l.Body), l.Cut, len(l.Reason))
	}
}

func TestRedrive(t *testing.T) {
	t.Parallel()
	w := newQueues(t, 3)
	tracker := newTracker()
	opts := sqsqueue.Options{Tracker: tracker}
	q := sqsqueue.New(w.client, w.lanes, w.dead, opts)
	if err := q.Bury(t.Context(), newTask("own.test", 0), "timeout"); err != nil {
		t.Fatalf("Bury: %v", err)
	}
	low := newTask("low.test", 0)
	body, err := low.Encode()
	if err != nil {
		t.Fatal(err)
	}
	best := w.lanes[0][strings.LastIndexByte(w.lanes[0], '/')+1:]
	w.inject(t, w.dead, string(body), map[string]string{"reason": "r", "source": best})
	w.inject(t, w.dead, "http://mended.test/", nil)
	w.inject(t, w.dead, `{"v":7}`, map[string]string{"reason": "version"})
	w.inject(t, w.dead, "fixed later", nil)
	w.inject(t, w.dead, "http://other.test/", nil)

	pick := func(l *sqsqueue.Letter) bool {
		if l.Body == "fixed later" {
			l.Body = "http://fixed.test/"
		}
		return l.Body != "http://other.test/" && l.Body != `{"v":7}`
	}
	if err := q.Dead().Redrive(t.Context(), pick); err != nil {
		t.Fatalf("Redrive: %v", err)
	}
	if n, err := tracker.Queued(t.Context(), "c", ""); err != nil || n != 2 {
		t.Errorf("%d links booked, %v, want 2", n, err)
	}
	if d, err := q.Depths(t.Context()); err != nil || d[0].Waiting != 1 {
		t.Errorf("depths %+v, %v: want one letter back in the best lane it came from", d, err)
	}
	tasks := drain(t, q)
	if diff := cmp.Diff([]string{"fixed.test", "low.test", "mended.test", "own.test"}, hosts(tasks)); diff != "" {
		t.Errorf("tasks that came back (-want +got):\n%s", diff)
	}
	for _, task := range tasks {
		if task.Bounces != 0 || task.Hops != 0 || task.Links[0].Attempts != 0 {
			t.Errorf("counts of %s were not reset: %+v", task.Host, task)
		}
	}
	if n, err := tracker.Queued(t.Context(), "c", ""); err != nil || n != 0 {
		t.Errorf("%d links booked at the end, %v, want 0", n, err)
	}
	_, strays, err := q.DeadLinks(t.Context())
	if err != nil || len(strays) != 1 || strays[0].Reason != "version" {
		t.Errorf("strays %+v, %v: want the one of another version", strays, err)
	}
}

// Letters moved by SQS itself have no reason, but a source.
func TestMovedBySQS(t *testing.T) {
	t.Parallel()
	w := newQueues(t, 1)
	q := sqsqueue.New(w.client, w.lanes, w.dead, sqsqueue.Options{})
	attributes, err := w.client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &w.dead, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.client.SetQueueAttributes(t.Context(), &sqs.SetQueueAttributesInput{QueueUrl: &w.lanes[0], Attributes: map[string]string{
		"RedrivePolicy": fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":"1"}`, attributes.Attributes["QueueArn"]),
	}})
	if err != nil {
		t.Fatal(err)
	}
	send(t, q, frontier.Outgoing{Task: newTask("a.test", 1)})
	ds, err := q.Receive(t.Context(), 1)
	if err != nil || len(ds) != 1 {
		t.Fatalf("Receive: %d deliveries, %v", len(ds), err)
	}
	if err := q.Delay(t.Context(), ds[0].Receipt, 0); err != nil {
		t.Fatal(err)
	}
	if again := drain(t, q); len(again) != 0 {
		t.Fatalf("received %d tasks, want it moved", len(again))
	}
	links, _, err := q.DeadLinks(t.Context())
	if err != nil || len(links) != 1 {
		t.Fatalf("DeadLinks: %d, %v, want 1", len(links), err)
	}
	if want := w.lanes[0][strings.LastIndexByte(w.lanes[0], '/')+1:]; links[0].Source != want || links[0].Reason != "" {
		t.Errorf("source %q, reason %q, want source %q", links[0].Source, links[0].Reason, want)
	}
}
