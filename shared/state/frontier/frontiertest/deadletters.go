package frontiertest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
)

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
