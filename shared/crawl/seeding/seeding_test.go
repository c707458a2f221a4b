package seeding

import (
	"context"
	"strings"
	"testing"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

// backlog keeps the links that a seeder adds, and has no task to give for them.
type backlog struct {
	frontier.Backlog
	added []frontier.Link
}

func (b *backlog) Add(_ context.Context, _ string, links []frontier.Link) error {
	b.added = append(b.added, links...)
	return nil
}

// states answers every look-up with one state.
type states struct {
	frozen
	state ledger.State
}

func (s *states) States(_ context.Context, _ string, urls []string) ([]ledger.State, error) {
	out := make([]ledger.State, len(urls))
	for i := range out {
		out[i] = s.state
	}
	return out, nil
}

// seeder returns a seeder on a ledger in which every seed has a state.
func seeder(t *testing.T, state ledger.State) (*Seeder, *jobtest.Memory, *backlog) {
	t.Helper()
	file, err := topic.Parse("t.yaml", []byte("name: t\nlanguage: en\nwords: [bank]\n"))
	if err != nil {
		t.Fatal(err)
	}
	jobs, b := jobtest.NewMemory(time.Now), &backlog{}
	l := &states{frozen: frozen{planted: map[string]bool{}}, state: state}
	s := New(Ports{Jobs: jobs, Topics: &frozen{topic: file.Compiled()}, Ledger: l, Backlog: b},
		Options{MaxPages: 500, Manners: plan.Manners{Version: "1"}})
	return s, jobs, b
}

// create puts a crawl into the registry.
func create(t *testing.T, jobs job.Registry, j job.Job) *job.Job {
	t.Helper()
	j.V, j.Topic, j.MaxPages = 1, "topics/t.topic", 10
	if err := jobs.Create(t.Context(), &j); err != nil {
		t.Fatal(err)
	}
	return &j
}

// A bare URL is a seed of the crawl that is running, if there is only one.
func TestOnly(t *testing.T) {
	for _, tc := range []struct {
		name   string
		states []job.State
		want   string
		why    string
	}{
		{"no crawl", nil, "", "no crawl is running"},
		{"one that rests", []job.State{job.Paused}, "", "no crawl is running"},
		{"one", []job.State{job.Running}, "a", ""},
		{"one of two", []job.State{job.Paused, job.Running}, "b", ""},
		{"the first of two", []job.State{job.Running, job.Paused}, "a", ""},
		{"two", []job.State{job.Running, job.Running}, "", "crawls a and b are running"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, jobs, _ := seeder(t, ledger.Absent)
			for i, state := range tc.states {
				create(t, jobs, job.Job{ID: string(rune('a' + i)), State: state})
			}
			j, err := s.only(t.Context())
			switch refused := fault.Of(err); {
			case tc.why == "" && (err != nil || j.ID != tc.want):
				t.Errorf("only() = %v, %v, want %s", j, err, tc.want)
			case tc.why != "" && (refused == nil || refused.Rule != "which_crawl" || !strings.Contains(err.Error(), tc.why)):
				t.Errorf("only() = %v, %v, want which_crawl with %q", j, err, tc.why)
			}
		})
	}
}

// Seeds have a round where the crawl goes in rounds, those that were planted
// before are not planted again, and the hosts of those that are done not fed.
func TestPlant(t *testing.T) {
	for _, tc := range []struct {
		name       string
		job        job.Job
		state      ledger.State
		added, fed int
		round      int
	}{
		{"in any order", job.Job{ID: "a", Round: 3}, ledger.Absent, 2, 2, 0},
		{"in rounds, before the first", job.Job{ID: "a", RandomSeed: 7}, ledger.Absent, 2, 2, 1},
		{"in rounds", job.Job{ID: "a", RandomSeed: 7, Round: 3}, ledger.Absent, 2, 2, 3},
		{"queued", job.Job{ID: "a"}, ledger.Queued, 0, 2, 0},
		{"done", job.Job{ID: "a"}, ledger.Done, 0, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, _, b := seeder(t, tc.state)
			hosts, err := s.plant(t.Context(), &tc.job, links([]string{"http://a.demo.test/", "http://b.demo.test/"}))
			if err != nil || len(hosts) != tc.fed || len(b.added) != tc.added {
				t.Errorf("hosts %v, links %v, %v; want %d and %d", hosts, b.added, err, tc.fed, tc.added)
			}
			for _, l := range b.added {
				if l.Round != tc.round || !l.IsSeed {
					t.Errorf("planted %+v, want a seed of round %d", l, tc.round)
				}
			}
		})
	}
}
