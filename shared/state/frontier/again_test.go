package frontier_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
)

// shelf is a backlog of links in their stored order.
type shelf struct {
	*pile
	links   map[string][]frontier.Link // by host
	looked  map[string]int             // the largest number of links that were asked for
	reorder int                        // links
}

func newShelf(priorities map[string][]float64) *shelf {
	s := &shelf{pile: newPile(), links: map[string][]frontier.Link{}, looked: map[string]int{}}
	for host, all := range priorities {
		for i, p := range all {
			s.links[host] = append(s.links[host], frontier.Link{URL: fmt.Sprintf("http://%s/%d", host, i), Priority: p})
		}
	}
	return s
}

func (s *shelf) Queued(_ context.Context, _, host string) (int, error) {
	if host != "" {
		return s.queued[host], nil
	}
	sum := 0
	for _, n := range s.queued {
		sum += n
	}
	return sum, nil
}

func (s *shelf) Best(_ context.Context, _, host string, _, n int) ([]frontier.Link, error) {
	s.looked[host] = max(s.looked[host], n)
	slices.SortFunc(s.links[host], frontier.BestFirst)
	return slices.Clone(s.links[host][:min(n, len(s.links[host]))]), nil
}

func (s *shelf) Waiting(context.Context, string, int, int, int) ([]frontier.HostDepth, error) {
	var hosts []frontier.HostDepth
	for host, links := range s.links {
		if len(links) > 0 {
			slices.SortFunc(links, frontier.BestFirst)
			hosts = append(hosts, frontier.HostDepth{Host: host, Links: len(links), Best: links[0].Priority})
		}
	}
	slices.SortFunc(hosts, func(a, b frontier.HostDepth) int {
		if n := a.Order().Compare(b.Order()); n != 0 {
			return n
		}
		return strings.Compare(a.Host, b.Host)
	})
	return hosts, nil
}

func (s *shelf) Remove(_ context.Context, _, host string, urls []string) error {
	s.links[host] = slices.DeleteFunc(s.links[host], func(l frontier.Link) bool { return slices.Contains(urls, l.URL) })
	return nil
}

func (*shelf) Raise(context.Context, string, []frontier.Link) error { panic("not called") }

func (s *shelf) Reorder(_ context.Context, _ string, links []frontier.Link) error {
	s.reorder += len(links)
	for _, all := range s.links {
		for i := range all {
			for _, l := range links {
				if all[i].URL == l.URL {
					all[i] = l
				}
			}
		}
	}
	return nil
}

// teacher knows the present priorities of some links, and the pages of all hosts.
type teacher struct {
	now  map[string]float64
	read int
}

func (t *teacher) Again(l frontier.Link) frontier.Link {
	if p, ok := t.now[l.URL]; ok {
		l.Priority = p
	}
	return l
}

func (t *teacher) Read(string) int { return t.read }

// known is so many pages that a crawl that has fetched them has learned.
const known = 1000

// A crawl that learns queues the best links over all hosts, in their present order,
// and none that are far below the best.
func TestLearnedOrder(t *testing.T) {
	for _, test := range []struct {
		name    string
		waiting map[string][]float64
		queued  map[string]int
		now     map[string]float64
		refill  bool
		sent    map[string]int
		reorder int
	}{
		{"the best over all hosts", map[string][]float64{"a": {.9, .5, .3, .2}, "b": {.6, .4, .1}}, nil, nil, false, map[string]int{"a": 3, "b": 2}, 0},
		{"at most a wave", map[string][]float64{"a": {.9, .9, .9, .9}, "b": {.8, .8, .8, .8, .8}}, nil, nil, false, map[string]int{"a": 4, "b": 4}, 0},
		{"a host that is far below waits", map[string][]float64{"a": {.9}, "b": {.2, .1}}, nil, nil, false, map[string]int{"a": 1}, 0},
		{"below the line", map[string][]float64{"a": {.01}}, nil, nil, false, map[string]int{}, 0},
		{"enough is queued", map[string][]float64{"a": {.9}}, map[string]int{"b": 5}, nil, true, map[string]int{}, 0},
		{"a busy host says what is good", map[string][]float64{"a": {.9}, "b": {.2}}, map[string]int{"a": 2}, nil, true, map[string]int{}, 0},
		{"a host that is asked to wait says nothing", map[string][]float64{"a": {.9}, "b": {.2}}, map[string]int{"a": 2}, nil, false, map[string]int{"b": 1}, 0},
		{"seeds of a busy host say nothing", map[string][]float64{"a": {frontier.SeedPriority}, "b": {.2, .15}}, map[string]int{"a": 4}, nil, true, map[string]int{"b": 2}, 0},
		{"many hosts are asked to wait", map[string][]float64{"a": {.9}, "b": {.2}}, map[string]int{"a": 90}, nil, false, map[string]int{"b": 1}, 0},
		{
			"the best has become the worst", map[string][]float64{"a": {.9}, "b": {.2}}, nil, map[string]float64{"http://a/0": .01},
			false, map[string]int{"b": 1}, 1,
		},
		{
			"what has become worse stays", map[string][]float64{"a": {.9, .8, .7}}, nil, map[string]float64{"http://a/0": .1, "http://a/1": .75},
			false, map[string]int{"a": 2}, 1,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShelf(test.waiting)
			maps.Copy(s.queued, test.queued)
			f := &frontier.Feeder{
				Crawl: "c", Backlog: s, Hosts: s, Queue: s, Gauge: s, Now: time.Now, TaskLinks: 4, Line: .02,
				Judge: &teacher{now: test.now}, Orders: s, Wave: 8, Fetched: known,
			}
			feed := f.Sweep
			if test.refill {
				feed = f.Refill
			}
			if _, err := feed(t.Context(), 0, 100); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.sent, s.sent); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			if s.reorder != test.reorder {
				t.Errorf("%d links reordered, want %d", s.reorder, test.reorder)
			}
		})
	}
}

// The fewer pages a crawl has fetched, the nearer to the best must a link be.
func TestColdCrawl(t *testing.T) {
	for fetched, want := range map[int64]map[string]int{
		0:         {"a": 2},
		known / 2: {"a": 3},
		known:     {"a": 3, "b": 2},
		9 * known: {"a": 3, "b": 2},
	} {
		s := newShelf(map[string][]float64{"a": {.8, .8, .6}, "b": {.4, .3, .1}})
		f := &frontier.Feeder{
			Crawl: "c", Backlog: s, Hosts: s, Queue: s, Gauge: s, Now: time.Now, TaskLinks: 4,
			Judge: &teacher{}, Orders: s, Wave: 8, Fetched: fetched,
		}
		if _, err := f.Sweep(t.Context(), 0, 100); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, s.sent); diff != "" {
			t.Errorf("after %d pages sent (-want +got):\n%s", fetched, diff)
		}
	}
}

// Links that have become better deep in the backlog are found when the pages of their
// host have doubled, below the line, too.
func TestDeepLinksRise(t *testing.T) {
	waiting := make([]float64, 200)
	for i := range waiting {
		waiting[i] = .1
	}
	s := newShelf(map[string][]float64{"a": append(waiting, .001), "b": {.9}})
	know := &teacher{now: map[string]float64{"http://a/200": .8}}
	f := &frontier.Feeder{
		Crawl: "c", Backlog: s, Hosts: s, Queue: s, Gauge: s, Now: time.Now, TaskLinks: 4, Line: .02,
		Judge: know, Orders: s, Wave: 8, Fetched: known,
	}
	feed := func(want map[string]int) {
		t.Helper()
		clear(s.sent)
		if _, err := f.Sweep(t.Context(), 0, 100); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, s.sent); diff != "" {
			t.Errorf("sent with %d pages (-want +got):\n%s", know.read, diff)
		}
	}
	know.read = 7
	feed(map[string]int{"b": 1})
	know.read = 8
	feed(map[string]int{"a": 1})
	if !slices.ContainsFunc(s.links["a"], func(l frontier.Link) bool { return l.Priority == .1 }) || s.reorder != 1 {
		t.Errorf("%d links reordered", s.reorder)
	}
	s.looked = map[string]int{}
	know.read = 15
	feed(map[string]int{"a": 4})
	if s.looked["a"] > 100 {
		t.Errorf("%d links of the host were read before its pages had doubled", s.looked["a"])
	}
	clear(s.sent)
	if _, err := f.SweepBelow(t.Context(), 0, 100); err != nil || s.sent["a"] != 4 {
		t.Errorf("SweepBelow: %v, %v", s.sent, err)
	}
}

// A process that visits a host judges some of its links again, more when the pages of
// the host have doubled. It stores the new place of few links that stay, and of none
// of a host of which it knows nothing.
func TestLearnedOrderOfAVisit(t *testing.T) {
	for _, test := range []struct {
		name    string
		read    int
		doubled bool
		sent    []float64 // present priorities
		reorder int
		looked  int
	}{
		{"nothing is known", 0, true, []float64{.5, .4999, .4998, .4997}, 0, 4},
		{"some are looked at", 12, false, []float64{.4999, .4998, .4996, .4995}, 1, 16},
		{"many are", 12, true, []float64{.9, .9, .9, .9}, 1, 192},
	} {
		t.Run(test.name, func(t *testing.T) {
			waiting, now := make([]float64, 200), map[string]float64{}
			for i := range waiting {
				waiting[i] = .5 - float64(i)/1e4
				now[fmt.Sprintf("http://a/%d", 100+i)] = .9
			}
			now["http://a/3"], now["http://a/0"] = .001, .001
			s := newShelf(map[string][]float64{"a": waiting})
			f := frontier.NewHostFeeder("c", s, s, s, time.Now)
			f.Judge, f.Orders, f.Doubled, f.TaskLinks = &teacher{now: now, read: test.read}, s, test.doubled, 4
			if _, err := f.Feed(t.Context(), []string{"a"}, 0, 100); err != nil {
				t.Fatal(err)
			}
			if s.sent["a"] != 4 || s.reorder != test.reorder || s.looked["a"] != test.looked {
				t.Errorf("%d sent, %d reordered, %d looked at, want 4, %d, %d", s.sent["a"], s.reorder, s.looked["a"], test.reorder, test.looked)
			}
			if diff := cmp.Diff(test.sent, s.priorities); diff != "" {
				t.Errorf("priorities sent (-want +got):\n%s", diff)
			}
		})
	}
}
