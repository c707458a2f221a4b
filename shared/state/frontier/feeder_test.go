package frontier_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
)

// pile is a backlog, a gauge and a queue that counts its calls.
type pile struct {
	frontier.Backlog
	waiting map[string]int // links, by host
	queued  map[string]int

	sends   []int // tasks of each call
	sent    map[string]int
	removed map[string]int
}

func (p *pile) Queued(_ context.Context, _, host string) (int, error) { return p.queued[host], nil }

func (p *pile) Best(_ context.Context, _, host string, _, n int) ([]frontier.Link, error) {
	var links []frontier.Link
	for i := range min(n, p.waiting[host]) {
		links = append(links, frontier.Link{URL: fmt.Sprintf("http://%s/%d", host, i)})
	}
	return links, nil
}

func (p *pile) Send(_ context.Context, out []frontier.Outgoing) error {
	p.sends = append(p.sends, len(out))
	for _, o := range out {
		p.sent[o.Task.Host] += len(o.Task.Links)
	}
	return nil
}

func (p *pile) Remove(_ context.Context, _, host string, urls []string) error {
	p.removed[host] += len(urls)
	return nil
}

// Hosts are fed together: those that are idle, in order, within the budget.
func TestFeed(t *testing.T) {
	var hosts []string
	p := &pile{waiting: map[string]int{}, queued: map[string]int{}, sent: map[string]int{}, removed: map[string]int{}}
	for i := range 24 {
		host := fmt.Sprintf("h%02d.test", i)
		hosts = append(hosts, host)
		p.waiting[host] = 3
	}
	p.waiting["h00.test"], p.waiting["h01.test"] = 100, 0
	p.queued["h02.test"] = 1
	f := &frontier.Feeder{Crawl: "c", Backlog: p, Queue: p, Gauge: p, Now: time.Now, Idle: true}
	fed, err := f.Feed(t.Context(), hosts, 0, 60)
	if err != nil || fed != 60 {
		t.Fatalf("%d links fed, %v", fed, err)
	}
	if diff := cmp.Diff([]int{8, 5}, p.sends); diff != "" {
		t.Errorf("tasks of each call (-want +got):\n%s", diff)
	}
	want := map[string]int{"h00.test": 25, "h14.test": 2}
	for _, host := range hosts[3:14] {
		want[host] = 3
	}
	if diff := cmp.Diff(want, p.sent); diff != "" {
		t.Errorf("links sent (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(p.sent, p.removed); diff != "" {
		t.Errorf("links removed (-sent +removed):\n%s", diff)
	}
}
