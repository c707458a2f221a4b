package frontier_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
)

// pile is a backlog, a gauge and a queue that counts its calls.
type pile struct {
	frontier.Backlog
	waiting map[string]int     // links, by host
	best    map[string]float64 // priority of the first link of a host; each other one has 1 less
	equal   bool               // all priorities are 0
	queued  map[string]int

	sends []int // tasks of each call
	sent  map[string]int

	priorities []float64 // of the links sent
	removed    map[string]int
}

func (p *pile) Queued(_ context.Context, _, host string) (int, error) { return p.queued[host], nil }

func (p *pile) Best(_ context.Context, _, host string, _, n int) ([]frontier.Link, error) {
	var links []frontier.Link
	for i := range min(n, p.waiting[host]) {
		l := frontier.Link{URL: fmt.Sprintf("http://%s/%d", host, i), Priority: p.best[host] - float64(i)}
		if p.equal {
			l.Priority = 0
		}
		links = append(links, l)
	}
	return links, nil
}

// Waiting lists the hosts by name: the order does not matter here.
func (p *pile) Waiting(_ context.Context, _ string, _, skip, n int) ([]frontier.HostDepth, error) {
	var hosts []frontier.HostDepth
	for _, host := range slices.Sorted(maps.Keys(p.waiting)) {
		hosts = append(hosts, frontier.HostDepth{Host: host, Links: p.waiting[host], Best: p.best[host]})
	}
	hosts = hosts[min(skip, len(hosts)):]
	return hosts[:min(n, len(hosts))], nil
}

func (p *pile) Send(_ context.Context, out []frontier.Outgoing) error {
	p.sends = append(p.sends, len(out))
	for _, o := range out {
		p.sent[o.Task.Host] += len(o.Task.Links)
		for _, l := range o.Task.Links {
			p.priorities = append(p.priorities, l.Priority)
		}
	}
	return nil
}

func (p *pile) Remove(_ context.Context, _, host string, urls []string) error {
	p.removed[host] += len(urls)
	return nil
}

func newPile() *pile {
	return &pile{waiting: map[string]int{}, best: map[string]float64{}, queued: map[string]int{}, sent: map[string]int{}, removed: map[string]int{}}
}

// Hosts are fed together: those that are idle, in order, within the budget.
func TestFeed(t *testing.T) {
	var hosts []string
	p := newPile()
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

// Links below the line are queued only by SweepBelow, the best over all hosts, and
// of equal ones some of each host.
func TestLine(t *testing.T) {
	for _, test := range []struct {
		name          string
		line          float64
		below, budget int
		queued        int            // of a.test, before SweepBelow
		above, under  map[string]int // sent by Sweep and by SweepBelow
	}{
		{"no line", 0, 5, 100, 0, map[string]int{"a.test": 4, "b.test": 6}, map[string]int{}},
		{"a line", 8, 5, 100, 0, map[string]int{"b.test": 3}, map[string]int{"a.test": 1, "b.test": 4}},
		{"a small budget", 8, 5, 2, 0, map[string]int{"b.test": 2}, map[string]int{"b.test": 2}},
		{"a host has queued links", 8, 5, 100, 1, map[string]int{"b.test": 3}, map[string]int{"b.test": 5}},
		{"equals", 100, 5, 100, 0, map[string]int{}, map[string]int{"a.test": 3, "b.test": 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPile()
			p.waiting, p.best = map[string]int{"a.test": 4, "b.test": 6}, map[string]float64{"a.test": 7, "b.test": 10}
			p.equal = test.line == 100
			f := &frontier.Feeder{Crawl: "c", Backlog: p, Hosts: p, Queue: p, Gauge: p, Now: time.Now, Line: test.line, Below: test.below}
			sweep := func(feed func(context.Context, int, int) (int, error)) map[string]int {
				p.sent = map[string]int{}
				fed, err := feed(t.Context(), 0, test.budget)
				sum := 0
				for _, n := range p.sent {
					sum += n
				}
				if err != nil || fed != sum {
					t.Errorf("%d links fed, %d sent, %v", fed, sum, err)
				}
				return p.sent
			}
			if diff := cmp.Diff(test.above, sweep(f.Sweep)); diff != "" {
				t.Errorf("Sweep (-want +got):\n%s", diff)
			}
			p.queued = map[string]int{"a.test": test.queued}
			if diff := cmp.Diff(test.under, sweep(f.SweepBelow)); diff != "" {
				t.Errorf("SweepBelow (-want +got):\n%s", diff)
			}
		})
	}
}
