package keeper_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

// A look feeds hosts that have links but no task: at once when nothing is under way,
// else at the start of a period. It reads no other host: each read costs.
func TestFeed(t *testing.T) {
	link := frontier.Link{URL: "http://b.test/"}
	for _, tt := range []struct {
		name  string
		hosts []frontier.Standing
		busy  int           // links of a.test under way
		wait  time.Duration // before the look
		asked []string
		fed   bool
	}{
		{name: "nothing under way", asked: []string{"a.test", "b.test"}, hosts: []frontier.Standing{{Host: "b.test"}}, fed: true},
		{name: "a task under way", busy: 1, hosts: []frontier.Standing{{Host: "b.test"}}},
		{name: "a task under way, a new period", busy: 1, wait: 9 * time.Minute, hosts: []frontier.Standing{{Host: "b.test"}}, asked: []string{"b.test"}, fed: true},
		{name: "the host has a task", wait: 9 * time.Minute, hosts: []frontier.Standing{{Host: "b.test", Queued: 1}}, asked: []string{"a.test"}},
		{name: "the host is closed", hosts: []frontier.Standing{{Host: "b.test", Closed: "robots"}}, asked: []string{"a.test"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, k := newStack(t, "one")
			s.hosts, s.queued = tt.hosts, tt.busy
			s.waiting = map[string][]frontier.Link{"b.test": {link}}
			s.now = s.now.Add(tt.wait)
			s.look(t, k, "one")
			if diff := cmp.Diff(tt.asked, s.asked); diff != "" {
				t.Errorf("hosts that were asked (-want +got):\n%s", diff)
			}
			if fed := len(s.sent) == 1 && len(s.waiting["b.test"]) == 0; fed != tt.fed {
				t.Errorf("sent %q, %d links wait", s.sent, len(s.waiting["b.test"]))
			}
		})
	}
}

// A second look in a row with nothing under way and nothing to feed reads no host.
func TestQuietLooksCostNothing(t *testing.T) {
	s, k := newStack(t, "one")
	s.look(t, k, "one")
	s.look(t, k, "one")
	if diff := cmp.Diff([]string{"a.test"}, s.asked); diff != "" {
		t.Errorf("hosts that were asked (-want +got):\n%s", diff)
	}
}

// A reproducible crawl continues with the lowest round that has links on any host,
// when the one before is over; it ends after the last one.
func TestRounds(t *testing.T) {
	s, k := newStack(t)
	s.start(t, job.Message{Crawl: "one", RandomSeed: 7})
	s.hosts = []frontier.Standing{{Host: "b.test"}}
	s.waiting = map[string][]frontier.Link{
		"a.test": {{URL: "http://a.test/5", Round: 5}, {URL: "http://a.test/3", Round: 3}},
		"b.test": {{URL: "http://b.test/5", Round: 5}, {URL: "http://b.test/4", Round: 4}},
	}
	for _, want := range []struct {
		round int
		sent  []string
	}{
		{3, []string{"http://a.test/3"}},
		{4, []string{"http://b.test/4"}},
		{5, []string{"http://a.test/5", "http://b.test/5"}},
	} {
		s.sent = nil
		state := s.look(t, k, "one")
		j, err := s.Get(t.Context(), "one")
		if err != nil || state != job.Running || j.Round != want.round || j.Quiet != 0 {
			t.Errorf("the crawl is %s, round %d, quiet %d, error %v, want round %d", state, j.Round, j.Quiet, err, want.round)
		}
		if diff := cmp.Diff(want.sent, s.sent); diff != "" {
			t.Errorf("sent in round %d (-want +got):\n%s", want.round, diff)
		}
	}
	s.look(t, k, "one")
	if state := s.look(t, k, "one"); state != job.Done {
		t.Errorf("after the last round the crawl is %s", state)
	}
}

// Links that cannot be read do not end a crawl, at any look.
func TestLinksUnreadable(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		s, k := newStack(t)
		s.start(t, job.Message{Crawl: "one", RandomSeed: 7})
		if quiet {
			s.look(t, k, "one")
		}
		s.broken = true
		if err := k.Look(t.Context()); err == nil {
			t.Errorf("quiet: %t: no error", quiet)
		}
		if j, err := s.Get(t.Context(), "one"); err != nil || j.State != job.Running || !s.on {
			t.Errorf("quiet: %t: the crawl is %s, the stack on: %t, error %v", quiet, j.State, s.on, err)
		}
	}
}
