package keeper_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/keeper"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
	"sluice/shared/state/ledger"
)

// stack is what a keeper sees of a stack, all of it quiet.
type stack struct {
	*jobtest.Memory
	now     time.Time
	fetched int64
	kept    int64
	totals  ledger.Totals // the others
	covered job.Coverage
	queued  int  // links of a.test under way
	busy    bool // something is in a queue
	on      bool
	turn    error  // the stack cannot be switched
	before  func() // called once, in the middle of a look
	fails   string // the crawl whose totals cannot be read
	struck  []time.Time

	hosts   []frontier.Standing        // besides a.test
	waiting map[string][]frontier.Link // by host
	broken  bool                       // waiting cannot be read
	mu      sync.Mutex
	asked   []string // hosts whose links were counted
	sent    []string // URLs
	sites   sites
}

func newStack(t *testing.T, ids ...string) (*stack, *keeper.Keeper) {
	t.Helper()
	s := &stack{now: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), on: true}
	s.Memory = jobtest.NewMemory(func() time.Time { return s.now })
	for _, id := range ids {
		s.start(t, job.Message{Crawl: id})
	}
	return s, keeper.New(keeper.Ports{
		Jobs: s, Totals: s, Coverages: s, Spend: s, Hosts: s, Backlog: s, Queue: s, Gauge: s, Queues: s, Switch: s, Structure: &s.sites,
	}, keeper.Options{Now: func() time.Time { return s.now }})
}

func (s *stack) start(t *testing.T, m job.Message) {
	t.Helper()
	m.Topic, m.Seeds = "topics/finance.topic", []string{"http://a.test/"}
	j, err := m.Job(job.Defaults{MaxPages: 100, Now: s.now})
	if err == nil {
		err = s.Create(t.Context(), j)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stack) Totals(_ context.Context, crawl string) (*ledger.Totals, error) {
	if crawl == s.fails {
		return nil, errors.New("no totals")
	}
	t := s.totals
	t.Fetched, t.Relevant = s.fetched, s.kept
	return &t, nil
}

func (s *stack) Covered(context.Context, string) (job.Coverage, error) { return s.covered, nil }

func (s *stack) Dollars(context.Context, string) (float64, error) { return 0, nil }

func (s *stack) Standings(context.Context, string) ([]frontier.Standing, error) {
	if s.before != nil {
		s.before()
		s.before = nil
	}
	return append(s.hosts, frontier.Standing{Host: "a.test", Queued: s.queued}), nil
}

func (s *stack) Strike(_ context.Context, _ string, due time.Time) error {
	s.struck = append(s.struck, due)
	return nil
}

func (s *stack) Best(_ context.Context, _, host string, round, n int) (best []frontier.Link, err error) {
	if s.broken {
		return nil, errors.New("no links")
	}
	for _, l := range s.waiting[host] {
		if l.Round <= round && len(best) < n {
			best = append(best, l)
		}
	}
	return best, nil
}

func (s *stack) Remove(_ context.Context, _, host string, urls []string) error {
	s.waiting[host] = slices.DeleteFunc(s.waiting[host], func(l frontier.Link) bool { return slices.Contains(urls, l.URL) })
	return nil
}

func (s *stack) Send(_ context.Context, tasks []frontier.Outgoing) error {
	for _, o := range tasks {
		s.sent = append(s.sent, frontier.URLs(o.Task.Links)...)
	}
	slices.Sort(s.sent)
	return nil
}

// Queued is called for several hosts at a time.
func (s *stack) Queued(_ context.Context, _, host string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, host)
	slices.Sort(s.asked)
	return 0, nil
}

func (s *stack) Add(context.Context, string, []frontier.Link) error  { return nil }
func (s *stack) Close(context.Context, string, string, string) error { return nil }
func (s *stack) Empty(context.Context) (bool, error)                 { return !s.busy, nil }
func (s *stack) On(context.Context) error                            { s.on = s.on || s.turn == nil; return s.turn }
func (s *stack) Off(context.Context) error                           { s.on = s.on && s.turn != nil; return s.turn }

// look looks a minute later and returns the state of a crawl.
func (s *stack) look(t *testing.T, k *keeper.Keeper, id string) job.State {
	t.Helper()
	s.now = s.now.Add(time.Minute)
	if err := k.Look(t.Context()); err != nil && s.fails == "" {
		t.Fatal(err)
	}
	j, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return j.State
}

// A poller that is just changing is no failure of a look, which would ring an alarm: the
// next one switches it. Any other error is.
func TestPollerChanges(t *testing.T) {
	s, k := newStack(t)
	for _, tt := range []struct {
		turn  error
		fails bool
		on    bool
	}{
		{fault.NewAfter(time.Second, "mapping_busy", errors.New("it is Enabling")), false, true},
		{fault.New(fault.Broken, "aws_refused", errors.New("no permission")), true, true},
		{nil, false, false},
	} {
		s.turn = tt.turn
		if err := k.Look(t.Context()); (err != nil) != tt.fails || s.on != tt.on {
			t.Errorf("switch %v: look %v, the stack is on: %t, want %t", tt.turn, err, s.on, tt.on)
		}
	}
}

// A crawl ends when nothing was outstanding at two looks in a row.
func TestEnd(t *testing.T) {
	for _, tt := range []struct {
		name  string
		looks []func(*stack)
		ends  bool
	}{
		{"quiet twice", []func(*stack){nil, nil}, true},
		{"quiet once", []func(*stack){nil}, false},
		{"a task between", []func(*stack){nil, func(s *stack) { s.queued = 1 }, func(s *stack) { s.queued = 0 }}, false},
		{"something in a queue", []func(*stack){nil, func(s *stack) { s.busy = true }}, false},
		{"pages spent, with tasks under way", []func(*stack){func(s *stack) { s.fetched, s.queued = 100, 5 }}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, k := newStack(t, "one")
			var state job.State
			for _, change := range tt.looks {
				if change != nil {
					change(s)
				}
				state = s.look(t, k, "one")
			}
			if ended := state == job.Done; ended != tt.ends || s.on != !tt.ends {
				t.Errorf("the crawl is %s, the stack on: %t", state, s.on)
			}
		})
	}
}

// Seeds that come in the middle of the last look keep the crawl going.
func TestSeedsAtTheEnd(t *testing.T) {
	s, k := newStack(t, "one")
	s.look(t, k, "one")
	s.before = func() {
		if _, err := s.Update(t.Context(), "one", (*job.Job).Reopen); err != nil {
			t.Error(err)
		}
	}
	if state := s.look(t, k, "one"); state != job.Running || !s.on {
		t.Errorf("the crawl is %s, the stack on: %t", state, s.on)
	}
	if state := s.look(t, k, "one"); state != job.Done {
		t.Errorf("the crawl is %s a look later", state)
	}
}

// Messages in queues may be those of another running crawl, but not of one that
// has ended or is paused.
func TestOtherCrawlsMessages(t *testing.T) {
	s, k := newStack(t, "one", "two", "three")
	if _, err := s.Update(t.Context(), "three", (*job.Job).Pause); err != nil {
		t.Fatal(err)
	}
	s.busy = true
	s.look(t, k, "one")
	if one, two := s.look(t, k, "one"), s.look(t, k, "two"); one != job.Done || two != job.Running || !s.on {
		t.Errorf("the crawls are %s and %s, the stack on: %t", one, two, s.on)
	}
	s.busy = false
	s.look(t, k, "two")
	if two := s.look(t, k, "two"); two != job.Done || s.on {
		t.Errorf("with empty queues the crawl is %s, the stack on: %t", two, s.on)
	}
}

// Only when all queues are empty is a task lost, and only if it has been due for
// some minutes.
func TestStrike(t *testing.T) {
	s, k := newStack(t, "one")
	s.busy = true
	s.look(t, k, "one")
	s.busy = false
	s.look(t, k, "one")
	if diff := cmp.Diff([]time.Time{s.now.Add(-3 * time.Minute)}, s.struck); diff != "" {
		t.Errorf("struck what was due before (-want +got):\n%s", diff)
	}
}

// A crawl that cannot be looked after keeps neither the others from their end
// nor the stack from staying on.
func TestOneFails(t *testing.T) {
	s, k := newStack(t, "one", "two")
	s.fails = "one"
	s.look(t, k, "two")
	if state := s.look(t, k, "two"); state != job.Done {
		t.Errorf("the other crawl is %s", state)
	}
	if !s.on {
		t.Error("the stack is off")
	}
	if len(s.struck) == 0 {
		t.Error("lost tasks were not struck, though the queues are empty")
	}
}

// A user who was faster is not overruled.
func TestStoppedMeanwhile(t *testing.T) {
	s, k := newStack(t, "one")
	s.look(t, k, "one")
	s.before = func() {
		if _, err := s.Update(t.Context(), "one", func(j *job.Job) error { return j.Stop("enough") }); err != nil {
			t.Error(err)
		}
	}
	if state := s.look(t, k, "one"); state != job.Stopped {
		t.Errorf("the crawl is %s, want stopped", state)
	}
	if s.on {
		t.Error("the stack is on")
	}
}
