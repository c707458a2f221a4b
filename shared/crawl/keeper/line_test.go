package keeper_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/keeper"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// order sets the order of the crawl.
func (s *stack) order(t *testing.T, o job.Order) {
	t.Helper()
	if _, err := s.Update(t.Context(), "one", func(j *job.Job) error { j.Order = &o; return nil }); err != nil {
		t.Fatal(err)
	}
}

// Links wait while there are better ones on any host: below the line of a strategy
// until nothing else is under way, and far below the best of all.
func TestLine(t *testing.T) {
	for _, tt := range []struct {
		name  string
		order job.Order
		a, b  float64 // priorities of the links that wait; 0: none
		busy  int     // links of a.test under way
		sent  []string
		want  float64
		watch bool
	}{
		{name: "the best that was learned", order: job.Order{Learns: true, Wait: .1}, a: .8, b: .1, sent: []string{"http://a.test/1"}, want: .2},
		{name: "beside one under way", order: job.Order{Learns: true, Wait: .1}, a: .8, b: .1, busy: 1, want: .2},
		{name: "much is probable", order: job.Order{Learns: true, Wait: .1}, a: 7, b: .3, sent: []string{"http://a.test/1", "http://b.test/1"}, want: .25},
		{name: "a seed says nothing", order: job.Order{Learns: true, Wait: .1}, a: frontier.SeedPriority, b: .04, sent: []string{"http://a.test/1", "http://b.test/1"}, want: .01},
		{name: "nothing waits", order: job.Order{Learns: true, Wait: .1}, want: .1},
		{name: "above the line", order: job.Order{Line: .5, Wait: .5}, a: .6, b: .4, sent: []string{"http://a.test/1"}, want: .5},
		{name: "weak links, another under way", order: job.Order{Line: .5, Wait: .5}, b: .4, busy: 1, want: .5},
		{name: "only weak links", order: job.Order{Line: .5, Wait: .5}, a: .01, b: .4, sent: []string{"http://b.test/1"}, want: .1, watch: true},
		{name: "still only weak links", order: job.Order{Line: .5, Wait: .1}, b: .04, busy: 1, sent: []string{"http://b.test/1"}, want: .01, watch: true},
		{name: "a better one again", order: job.Order{Line: .5, Wait: .1}, b: .6, busy: 1, sent: []string{"http://b.test/1"}, want: .5, watch: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, k := newStack(t, "one")
			s.order(t, tt.order)
			s.hosts, s.queued = []frontier.Standing{{Host: "b.test"}}, tt.busy
			s.waiting = map[string][]frontier.Link{}
			for host, p := range map[string]float64{"a.test": tt.a, "b.test": tt.b} {
				if p > 0 {
					s.waiting[host] = []frontier.Link{{URL: "http://" + host + "/1", Priority: p}}
				}
			}
			s.look(t, k, "one")
			if diff := cmp.Diff(tt.sent, s.sent); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			j, err := s.Get(t.Context(), "one")
			if err != nil || math.Abs(j.Order.Wait-tt.want) > 1e-9 {
				t.Fatalf("order is %+v, %v, want links below %v to wait", j.Order, err, tt.want)
			}
			s.queued = 1
			s.look(t, k, "one")
			if j, err = s.Get(t.Context(), "one"); err != nil || (j.Order.Watch != nil) != tt.watch {
				t.Errorf("watch is %+v, %v", j.Order.Watch, err)
			}
		})
	}
}

// A crawl of many hosts reads the best links of all of them more rarely.
func TestLineOfManyHosts(t *testing.T) {
	s, k := newStack(t, "one")
	s.order(t, job.Order{Learns: true})
	s.queued = 1
	s.waiting = map[string][]frontier.Link{}
	for i := range 2500 {
		host := fmt.Sprintf("h%d.test", i)
		s.hosts = append(s.hosts, frontier.Standing{Host: host, Queued: 1})
		s.waiting[host] = []frontier.Link{{URL: "http://" + host + "/", Priority: .8}}
	}
	reads := 0
	for range 12 {
		s.order(t, job.Order{Learns: true})
		s.look(t, k, "one")
		if j, err := s.Get(t.Context(), "one"); err != nil {
			t.Fatal(err)
		} else if j.Order.Wait > 0 {
			reads++
		}
	}
	if reads != 4 {
		t.Errorf("%d of 12 looks read the best links of 2,500 hosts, want 4", reads)
	}
}

// A crawl that learns ends when fewer than 5 of 500 pages that were read are kept.
func TestHarvest(t *testing.T) {
	s, k := newStack(t, "one")
	s.order(t, job.Order{Learns: true})
	s.queued = 1
	for _, step := range []struct {
		kept, passed, missing int64
		state                 job.State
		watch                 *job.Watch
	}{
		{0, 900, 0, job.Running, nil},
		{1, 900, 0, job.Running, &job.Watch{Began: job.Harvest{Read: 901, Kept: 1}}},
		{1, 1399, 700, job.Running, &job.Watch{Began: job.Harvest{Read: 901, Kept: 1}}},
		{6, 1400, 700, job.Running, &job.Watch{Began: job.Harvest{Read: 1406, Kept: 6}, Last: job.Harvest{Read: 505, Kept: 5}}},
		{10, 1905, 700, job.Done, &job.Watch{Began: job.Harvest{Read: 1915, Kept: 10}, Last: job.Harvest{Read: 509, Kept: 4}}},
	} {
		s.totals = ledger.Totals{
			Verdicts: map[ledger.Verdict]int64{ledger.Kept: step.kept, ledger.Passed: step.passed, ledger.Rejected: step.missing},
			Rules:    map[string]int64{"http_404": step.missing, "description_threshold": step.passed},
		}
		j := s.lookAs(t, k, step.state, job.ReasonHarvestRate)
		if diff := cmp.Diff(step.watch, j.Order.Watch); diff != "" {
			t.Errorf("watch (-want +got):\n%s", diff)
		}
	}
}

// lookAs looks after the crawl "one", which then has to be in a state, done for a reason only.
func (s *stack) lookAs(t *testing.T, k *keeper.Keeper, want job.State, reason string) *job.Job {
	t.Helper()
	state := s.look(t, k, "one")
	j, err := s.Get(t.Context(), "one")
	if err != nil || state != want {
		t.Fatalf("the crawl is %s (%s), %v, want %s", state, j.Reason, err, want)
	}
	if state == job.Done && j.Reason != reason {
		t.Errorf("the crawl ended for %s", j.Reason)
	}
	return j
}

// A crawl ends when the last documents say nearly nothing new. The samples of an older
// version are empty.
func TestGrowth(t *testing.T) {
	s, k := newStack(t, "one")
	s.order(t, job.Order{Line: .5, Wait: .5})
	s.queued = 1
	covers := func(documents, words int) {
		s.covered = job.Coverage{}
		for i := range documents {
			s.covered = s.covered.With(job.CoverageOf(uint64(i)<<40, nil))
		}
		for i := range words {
			s.covered = s.covered.With(job.CoverageOf(0, []string{fmt.Sprint(i)}))
		}
	}
	grown := func(read, kept, documents, words int64) job.Growth {
		return job.Growth{Harvest: job.Harvest{Read: read, Kept: kept}, Documents: documents, Words: words}
	}
	first := grown(2000, 900, 50, 80)
	for _, step := range []struct {
		kept, passed, unchanged int64
		documents, words        int
		state                   job.State
		want                    *job.GrowthWatch
	}{
		{900, 700, 0, 0, 0, job.Running, nil},
		{900, 1100, 0, 50, 80, job.Running, &job.GrowthWatch{Began: first}},
		{1500, 1499, 0, 50, 80, job.Running, &job.GrowthWatch{Began: first}},
		{1500, 1500, 0, 200, 400, job.Running, &job.GrowthWatch{Began: grown(3000, 1500, 200, 400), Last: grown(1000, 600, 150, 320)}},
		{2600, 1500, 1100, 200, 400, job.Running, &job.GrowthWatch{Began: grown(3000, 1500, 200, 400), Last: grown(1000, 600, 150, 320)}},
		{2700, 1500, 1100, 202, 401, job.Done, &job.GrowthWatch{Began: grown(4200, 1600, 202, 401), Last: grown(1200, 100, 2, 1)}},
	} {
		s.totals = ledger.Totals{
			Verdicts: map[ledger.Verdict]int64{ledger.Kept: step.kept, ledger.Passed: step.passed},
			Rules:    map[string]int64{"description_threshold": step.passed},
			Changes:  map[ledger.Change]int64{ledger.Unchanged: step.unchanged},
		}
		covers(step.documents, step.words)
		j := s.lookAs(t, k, step.state, job.ReasonCoverage)
		if diff := cmp.Diff(step.want, j.Order.Growth); diff != "" {
			t.Errorf("watch (-want +got):\n%s", diff)
		}
	}
}

// Neither records of a structured crawl nor a crawl without an order are watched.
func TestGrowthOfOthers(t *testing.T) {
	for name, order := range map[string]*job.Order{"without an order": nil, "structured": {Learns: true}} {
		s, k := newStack(t, "one")
		s.queued = 1
		if _, err := s.Update(t.Context(), "one", func(j *job.Job) error {
			j.Order, j.Structured = order, order != nil
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		s.covered = job.CoverageOf(1<<40, []string{"bank"})
		for range 3 {
			s.totals.Verdicts = map[ledger.Verdict]int64{ledger.Kept: s.totals.Verdicts[ledger.Kept] + 2000}
			if state := s.look(t, k, "one"); state != job.Running {
				t.Errorf("%s: the crawl is %s", name, state)
			}
		}
	}
}
