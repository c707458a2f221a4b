package keeper_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/job"
)

// The second look of a crawl is asked for when it is done, once, and again when it is done
// again; the stack stays on until it is taken and its segments are cleaned.
func TestSecondLook(t *testing.T) {
	s, k := newStack(t, "one")
	s.update(t, func(j *job.Job) error { j.Holds = true; return nil })
	for range 2 {
		s.look(t, k, "one")
	}
	if state := s.job(t).State; state != job.Done || !s.on || s.sites.on {
		t.Fatalf("the crawl is %s, the stack on: %t, the poller: %t", state, s.on, s.sites.on)
	}
	s.sites.fails = true
	if err := k.Look(t.Context()); err == nil || s.job(t).Look.Asked != 0 {
		t.Errorf("noted as asked for: %+v, %v", s.job(t).Look, err)
	}
	s.sites.fails = false
	s.look(t, k, "one")
	asked := s.job(t).Look.Asked
	s.look(t, k, "one")
	want := []job.SiteMessage{{Crawl: "one", Look: asked}}
	if diff := cmp.Diff(want, s.sites.sent); diff != "" || asked == 0 || !s.on || !s.sites.on {
		t.Errorf("asked for (-want +got), the stack on: %t, the poller: %t\n%s", s.on, s.sites.on, diff)
	}
	s.sites.full = false
	s.update(t, func(j *job.Job) error { j.Look.Made = asked; return nil })
	if err := k.Look(t.Context()); err != nil || !s.on || s.sites.on {
		t.Errorf("just after it the stack is on: %t, the poller: %t, %v", s.on, s.sites.on, err)
	}
	s.look(t, k, "one")
	if s.on || len(s.sites.sent) != 1 {
		t.Errorf("a minute later the stack is on: %t, sent %+v", s.on, s.sites.sent)
	}

	s.update(t, (*job.Job).Reopen)
	for range 3 {
		s.look(t, k, "one")
	}
	if again := s.job(t).Look; again.Asked <= asked || again.Made != asked || len(s.sites.sent) != 2 {
		t.Errorf("after another seed it is %+v, sent %+v", again, s.sites.sent)
	}
}

// A crawl that was stopped, or holds no pages, is not judged again.
func TestNoSecondLook(t *testing.T) {
	for name, holds := range map[string]bool{"stopped": true, "holds nothing": false} {
		s, k := newStack(t, "one")
		s.update(t, func(j *job.Job) error {
			if j.Holds = holds; holds {
				return j.Stop("enough")
			}
			return nil
		})
		for range 4 {
			s.look(t, k, "one")
		}
		if s.on || len(s.sites.sent) > 0 {
			t.Errorf("%s: the stack is on: %t, sent %+v", name, s.on, s.sites.sent)
		}
	}
}
