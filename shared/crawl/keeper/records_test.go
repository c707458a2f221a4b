package keeper_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/keeper"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// sites is the queue of sites and the poller of their function.
type sites struct {
	on    bool
	full  bool // the queue has messages
	sent  []job.SiteMessage
	fails bool
}

func (s *sites) On(context.Context) error            { s.on = true; return nil }
func (s *sites) Off(context.Context) error           { s.on = false; return nil }
func (s *sites) Empty(context.Context) (bool, error) { return !s.full, nil }

func (s *sites) Send(_ context.Context, messages []job.SiteMessage) error {
	if s.fails {
		return errors.New("no queue")
	}
	s.sent = append(s.sent, messages...)
	s.full = s.full || len(messages) > 0
	return nil
}

// newStructured has a structured crawl that has kept 7 pages of two hosts.
func newStructured(t *testing.T) (*stack, *keeper.Keeper) {
	t.Helper()
	s, k := newStack(t, "one")
	s.hosts = []frontier.Standing{{Host: "b.test"}}
	s.totals.Verdicts = map[ledger.Verdict]int64{ledger.Kept: 7}
	s.update(t, func(j *job.Job) error { j.Structured = true; return nil })
	return s, k
}

func (s *stack) update(t *testing.T, change func(j *job.Job) error) *job.Job {
	t.Helper()
	j, err := s.Update(t.Context(), "one", change)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func (s *stack) job(t *testing.T) *job.Job { return s.update(t, func(*job.Job) error { return nil }) }

// As long as a structured crawl goes on, its sites may be analysed. When it has ended, its
// records are asked for, one message a host, and the stack stays on until they are made.
func TestRecords(t *testing.T) {
	s, k := newStructured(t)
	s.busy = true
	s.look(t, k, "one")
	if !s.sites.on || len(s.sites.sent) > 0 {
		t.Errorf("of a running crawl the poller is on: %t, sent %+v", s.sites.on, s.sites.sent)
	}
	s.busy = false
	s.look(t, k, "one")
	if state := s.look(t, k, "one"); state != job.Done || !s.on {
		t.Fatalf("the crawl is %s, the stack on: %t", state, s.on)
	}
	s.look(t, k, "one")
	want := []job.SiteMessage{{Crawl: "one", Host: "b.test", Kept: 7}, {Crawl: "one", Host: "a.test", Kept: 7}}
	if diff := cmp.Diff(want, s.sites.sent); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	s.look(t, k, "one")
	if len(s.sites.sent) != 2 || !s.on || !s.sites.on {
		t.Errorf("a look later: sent %+v, the stack on: %t, the poller: %t", s.sites.sent, s.on, s.sites.on)
	}
	s.sites.full = false // the message about b.test has become a dead letter
	s.update(t, func(j *job.Job) error { j.Records["a.test"].Made = true; return nil })
	s.look(t, k, "one")
	if s.on || s.sites.on {
		t.Errorf("with an empty queue the stack is on: %t, the poller: %t", s.on, s.sites.on)
	}

	// What the crawl brings after another seed makes other records.
	if j := s.update(t, (*job.Job).Reopen); j.Records != nil {
		t.Errorf("a crawl that continues has the records %+v", j.Records)
	}
}

// A message that was perhaps not sent is sent again.
func TestRecordsAgain(t *testing.T) {
	s, k := newStructured(t)
	s.update(t, func(j *job.Job) error { return j.Stop("enough") })
	s.sites.fails = true
	if err := k.Look(t.Context()); err == nil {
		t.Error("a look succeeded that could not send")
	}
	if j := s.job(t); j.Records != nil || !s.on {
		t.Errorf("noted as asked for: %+v, the stack on: %t", j.Records, s.on)
	}
	s.sites.fails = false
	s.look(t, k, "one")
	if len(s.sites.sent) != 2 || !s.job(t).Records.Missing() {
		t.Errorf("sent %+v, noted %+v", s.sites.sent, s.job(t).Records)
	}
}

// While queues have messages, the last pages of the crawl may be among them.
func TestRecordsWait(t *testing.T) {
	s, k := newStructured(t)
	s.start(t, job.Message{Crawl: "two"})
	s.update(t, func(j *job.Job) error { return j.Stop("enough") })
	s.busy = true
	for range 4 {
		s.look(t, k, "one")
	}
	if len(s.sites.sent) > 0 {
		t.Errorf("sent %+v after 4 minutes", s.sites.sent)
	}
	s.look(t, k, "one")
	if len(s.sites.sent) != 2 {
		t.Errorf("sent %+v after 5 minutes", s.sites.sent)
	}
}

// Records that no function makes are left to an export.
func TestNoRecords(t *testing.T) {
	for name, change := range map[string]func(s *stack, j *job.Job){
		"topical":    func(_ *stack, j *job.Job) { j.Structured = false },
		"refresh":    func(_ *stack, j *job.Job) { j.RefreshOf = []string{"zero"} },
		"no pages":   func(s *stack, _ *job.Job) { s.totals.Verdicts = nil },
		"many hosts": func(s *stack, _ *job.Job) { s.hosts = manyHosts() },
	} {
		t.Run(name, func(t *testing.T) {
			s, k := newStructured(t)
			s.update(t, func(j *job.Job) error {
				change(s, j)
				return j.Stop("enough")
			})
			s.look(t, k, "one")
			s.look(t, k, "one")
			if len(s.sites.sent) > 0 || s.on || s.sites.on {
				t.Errorf("sent %+v, the stack on: %t, the poller: %t", s.sites.sent, s.on, s.sites.on)
			}
			if whole := s.job(t).Records.Whole(); whole != (name == "no pages") {
				t.Errorf("the records %+v are whole: %t", s.job(t).Records, whole)
			}
		})
	}
}

func manyHosts() (all []frontier.Standing) {
	for i := range 100 {
		all = append(all, frontier.Standing{Host: fmt.Sprintf("%d.test", i)})
	}
	return all
}
