package frontiertest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
)

func checkRoundTrip(t *testing.T, q *Queue) {
	want := task("c", "a.test", 0)
	want.Bounces = 3
	want.Links = []frontier.Link{{
		URL: "http://a.test:8080/新闻", Origin: "http://a.test/old", Seed: "http://a.test/", Parent: "http://b.test/?a=b&c='d'",
		Anchor: "党建 \"引文\" <b>\u2028", Listed: "2024-05-01", IsSeed: true, IsSource: true, Nested: 3, Depth: 4, Round: 5, Hops: 6, Attempts: 7,
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
