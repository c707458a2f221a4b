package keeper_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"sluice/shared/crawl/keeper"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// The threshold of a crawl that adapts follows its counts, once an interval: neither a
// look in the same interval nor a second keeper that has read the same totals, or older
// ones, changes it again.
func TestTune(t *testing.T) {
	s, k := newStack(t, "one")
	s.update(t, func(j *job.Job) error {
		j.MaxPages, j.Thresholds, j.Tuning = 1000, &job.Thresholds{Priority: .4}, job.NewTuning(.4, .01)
		return nil
	})
	s.queued = 1
	for _, tt := range []struct {
		name           string
		fetched, below int64
		want           float64
		changes        int
	}{
		{"an interval goes on", 99, 0, .4, 0},
		{"more than half came from above the line", 100, 40, .4 * 1.05, 1},
		{"no page since", 100, 40, .4 * 1.05, 1},
		{"not yet another interval", 199, 139, .4 * 1.05, 1},
		{"less came, but not in both", 200, 97, .4 * 1.05, 1},
		{"less came", 400, 290, .4 * 1.05 * .95, 2},
	} {
		s.fetched, s.totals = tt.fetched, ledger.Totals{Below: tt.below, Verdicts: map[ledger.Verdict]int64{ledger.Kept: tt.fetched / 2}}
		s.look(t, k, "one")
		j := s.job(t)
		if math.Abs(j.Thresholds.Priority-tt.want) > 1e-12 || len(j.Tuning.Log) != tt.changes {
			t.Errorf("%s: threshold %v, want %v; changes %+v", tt.name, j.Thresholds.Priority, tt.want, j.Tuning.Log)
		}
	}
}

// Two keepers that look at the same time tune once for an interval, also where the second
// writes after the first.
func TestTuneTwice(t *testing.T) {
	s, k := newStack(t, "one")
	s.update(t, func(j *job.Job) error {
		j.MaxPages, j.Thresholds, j.Tuning = 1000, &job.Thresholds{Priority: .4}, job.NewTuning(.4, .01)
		return nil
	})
	s.queued, s.fetched = 1, 120
	second := keeper.New(keeper.Ports{
		Jobs: s, Totals: s, Coverages: s, Spend: s, Hosts: s, Backlog: s, Queue: s, Gauge: s, Queues: s, Switch: s, Structure: &s.sites,
	}, keeper.Options{Now: func() time.Time { return s.now }})
	looked := false
	s.before = func() { // the first has read the totals
		s.before = nil
		looked = true
		if err := second.Look(t.Context()); err != nil {
			t.Error(err)
		}
	}
	s.look(t, k, "one")
	if j := s.job(t); !looked || len(j.Tuning.Log) != 1 || math.Abs(j.Thresholds.Priority-.4*1.3) > 1e-12 {
		t.Errorf("a second look: %t; threshold %v, changes %+v", looked, j.Thresholds.Priority, j.Tuning.Log)
	}
}

// learner learns a word from a crawl.
type learner struct {
	calls int
	fails bool
}

func (l *learner) Learn(_ context.Context, j *job.Job) (*job.Words, error) {
	if l.calls++; l.fails {
		return nil, errors.New("no bucket")
	}
	return &job.Words{Key: "learned/" + j.ID + "/1.topic", Version: "1", Thresholds: job.Thresholds{Priority: .4, Body: .1}, Learned: []job.Learned{{Word: "国债"}}}, nil
}

// Words are learned once after 200 pages, by one of two keepers, and not again before there
// are twice as many, also if it failed.
func TestLearn(t *testing.T) {
	for _, fails := range []bool{false, true} {
		s, _ := newStack(t, "one")
		s.update(t, func(j *job.Job) error {
			j.MaxPages, j.Thresholds, j.Tuning = 1000, &job.Thresholds{Priority: .4}, job.NewTuning(.4, .01)
			return nil
		})
		learner := &learner{fails: fails}
		k := keeper.New(keeper.Ports{
			Jobs: s, Totals: s, Coverages: s, Spend: s, Hosts: s, Backlog: s, Queue: s, Gauge: s, Queues: s, Switch: s, Structure: &s.sites, Learner: learner,
		}, keeper.Options{Now: func() time.Time { return s.now }})
		s.queued = 1
		for s.fetched = 100; s.fetched < 400; s.fetched += 100 {
			s.before = func() { // another keeper, which has read the same totals
				s.before = nil
				if err := k.Look(t.Context()); (err != nil) != (fails && s.fetched == 200) {
					t.Errorf("failing %t: after %d pages %v", fails, s.fetched, err)
				}
			}
			if err := k.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		j := s.job(t)
		if learner.calls != 1 {
			t.Errorf("failing %t: %d calls within 300 pages", fails, learner.calls)
		}
		if words := j.Tuning.Topic != ""; words == fails || words != (j.Thresholds.Body == .1) || words != (j.TopicKey() == "learned/one/1.topic") {
			t.Errorf("failing %t: %+v, %+v", fails, j.Thresholds, j.Tuning)
		}
	}
}

// late is a learner that no other crawl waits for.
type late struct {
	s     *stack
	looks int64 // at the other crawl, before it learned
}

func (l *late) Learn(ctx context.Context, _ *job.Job) (*job.Words, error) {
	other, err := l.s.Get(ctx, "two")
	if err == nil {
		l.looks = other.Revision - 1
	}
	return nil, err
}

// To learn words may take all the time of a call: by then all crawls have been looked after.
func TestLearnsLast(t *testing.T) {
	s, _ := newStack(t, "one", "two")
	s.update(t, func(j *job.Job) error {
		j.MaxPages, j.Thresholds, j.Tuning = 1000, &job.Thresholds{Priority: .4}, job.NewTuning(.4, .01)
		return nil
	})
	l := &late{s: s}
	k := keeper.New(keeper.Ports{
		Jobs: s, Totals: s, Coverages: s, Spend: s, Hosts: s, Backlog: s, Queue: s, Gauge: s, Queues: s, Switch: s, Structure: &s.sites, Learner: l,
	}, keeper.Options{Now: func() time.Time { return s.now }})
	s.queued, s.fetched = 1, 200
	if err := k.Look(t.Context()); err != nil || l.looks != 1 {
		t.Errorf("%d looks at the other crawl before words were learned, %v", l.looks, err)
	}
}
