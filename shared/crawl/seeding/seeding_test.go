package seeding

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/fault"
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// small is a stack whose ledger has every seed in one state, and whose topics and
// objects are those given.
type small struct {
	ledger.Ledger
	frontier.Backlog
	jobs    *jobtest.Memory
	state   ledger.State
	added   []frontier.Link
	marked  []string
	sent    []string // the hosts of tasks
	on      int      // how often it was switched on
	objects map[string]string
}

func (s *small) States(_ context.Context, _ string, urls []string) ([]ledger.State, error) {
	return slices.Repeat([]ledger.State{s.state}, len(urls)), nil
}

func (s *small) MarkQueued(_ context.Context, _ string, urls []string) error {
	s.marked = append(s.marked, urls...)
	return nil
}

func (s *small) Add(_ context.Context, _ string, links []frontier.Link) error {
	s.added = append(s.added, links...)
	return nil
}

func (s *small) Best(_ context.Context, _, host string, _, n int) (links []frontier.Link, err error) {
	for _, l := range s.added {
		if u, err := urlnorm.Parse(l.URL); err == nil && u.Host() == host && len(links) < n {
			links = append(links, l)
		}
	}
	return links, nil
}

func (s *small) Remove(context.Context, string, string, []string) error { return nil }

func (s *small) Queued(context.Context, string, string) (int, error) { return 0, nil }

func (s *small) Send(_ context.Context, out []frontier.Outgoing) error {
	for _, o := range out {
		s.sent = append(s.sent, o.Task.Host)
	}
	return nil
}

func (s *small) On(context.Context) error { s.on++; return nil }

func (s *small) Get(_ context.Context, key string) ([]byte, error) {
	if data, ok := s.objects[key]; ok {
		return []byte(data), nil
	}
	return nil, fault.New(fault.Permanent, "no_object", fs.ErrNotExist)
}

// shelf has two topics: one with a seed, and one without.
type shelf struct{ with, without *topic.Compiled }

func (s shelf) Get(_ context.Context, key string) (*topic.Compiled, error) {
	switch key {
	case "topics/t.topic":
		return s.without, nil
	case "topics/seeds.topic":
		return s.with, nil
	}
	return nil, fault.New(fault.Permanent, "no_topic", fs.ErrNotExist)
}

// seeder returns a seeder on a stack in which every seed has a state.
func seeder(t *testing.T, state ledger.State) (*Seeder, *small) {
	t.Helper()
	read := func(more string) *topic.Compiled {
		file, err := topic.Parse("t.yaml", []byte("name: t\nlanguage: en\nwords: [bank]\n"+more))
		if err != nil {
			t.Fatal(err)
		}
		return file.Compiled()
	}
	s := &small{jobs: jobtest.NewMemory(time.Now), state: state, objects: map[string]string{}}
	topics := shelf{read("seeds: [\"http://seed.demo.test/\"]\nbudgets: {max_duration: 1h}\n"), read("")}
	return New(Ports{Jobs: s.jobs, Topics: topics, Objects: s, Ledger: s, Backlog: s, Queue: s, Gauge: s, Switch: s},
		Options{MaxPages: 500, Manners: plan.Manners{Version: "1"}}), s
}

// create puts a crawl into the registry.
func create(t *testing.T, s *small, j job.Job) {
	t.Helper()
	j.V, j.Topic, j.MaxPages = 1, cmp.Or(j.Topic, "topics/t.topic"), 10
	if err := s.jobs.Create(t.Context(), &j); err != nil {
		t.Fatal(err)
	}
}

// wantRule checks that an error is of a rule and says why, or is none.
func wantRule(t *testing.T, err error, rule, why string) {
	t.Helper()
	refused := fault.Of(err)
	switch {
	case rule == "" && err != nil:
		t.Error(err)
	case rule != "" && (refused == nil || refused.Rule != rule || !strings.Contains(err.Error(), why)):
		t.Errorf("error %v, want %s with %q", err, rule, why)
	}
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
			s, stack := seeder(t, ledger.Absent)
			for i, state := range tc.states {
				create(t, stack, job.Job{ID: string(rune('a' + i)), State: state})
			}
			j, err := s.only(t.Context())
			if tc.why != "" {
				wantRule(t, err, "which_crawl", tc.why)
			} else if err != nil || j.ID != tc.want {
				t.Errorf("only() = %v, %v, want %s", j, err, tc.want)
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
			s, stack := seeder(t, tc.state)
			hosts, err := s.plant(t.Context(), &tc.job, Links([]string{"http://a.demo.test/", "http://b.demo.test/"}))
			if err != nil || len(hosts) != tc.fed || len(stack.added) != tc.added || len(stack.marked) != tc.added {
				t.Errorf("hosts %v, links %v, %v; want %d and %d", hosts, stack.added, err, tc.fed, tc.added)
			}
			for _, l := range stack.added {
				if l.Round != tc.round || !l.IsSeed {
					t.Errorf("planted %+v, want a seed of round %d", l, tc.round)
				}
			}
		})
	}
}

// Links of another crawl wait for the round of this one.
func TestPlantOthersLinks(t *testing.T) {
	for _, round := range []int{0, 1} {
		_, stack := seeder(t, ledger.Absent)
		links := []frontier.Link{{URL: "http://a.demo.test/", Round: 5}}
		states, err := Frontier{stack, stack}.Plant(t.Context(), "a", links, round)
		if err != nil || !slices.Equal(states, []ledger.State{ledger.Absent}) || len(stack.added) != 1 || stack.added[0].Round != round {
			t.Errorf("round %d: states %v, links %+v, error %v", round, states, stack.added, err)
		}
	}
}

// What a message asks for is done, or refused with the reason.
func TestMessages(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		rule, why  string
		added, on  int
	}{
		{name: "a start", body: `{"v":1,"crawl":"new","topic":"topics/t.topic","seeds":["http://a.demo.test/"]}`, added: 1, on: 1},
		{name: "a start with the topic's seeds", body: `{"v":1,"crawl":"new","topic":"topics/seeds.topic"}`, added: 1, on: 1},
		{name: "a start without seeds", body: `{"v":1,"crawl":"new","topic":"topics/t.topic"}`, rule: "bad_crawl", why: "seed"},
		{name: "no such topic", body: `{"v":1,"crawl":"new","topic":"topics/none.topic"}`, rule: "no_topic"},
		{name: "a contact is missing", body: `{"v":1,"crawl":"new","topic":"topics/t.topic","seeds":["http://example.com/"]}`, rule: "bad_crawl", why: "contact"},
		{name: "a contact of its own", body: `{"v":1,"crawl":"new","topic":"topics/t.topic","seeds":["http://example.com/"],"contact":"you@example.org"}`, added: 1, on: 1},
		{name: "seeds of one that runs", body: `{"v":1,"crawl":"runs","seeds":["http://b.demo.test/","http://c.demo.test/"]}`, added: 2, on: 1},
		{name: "seeds of one that rests", body: `{"v":1,"crawl":"rests","seeds":["http://b.demo.test/"]}`, added: 1},
		{name: "seeds of none", body: `{"v":1,"crawl":"none","seeds":["http://b.demo.test/"]}`, rule: "unknown_crawl", why: `no crawl "none"`},
		{name: "a bare URL", body: "http://b.demo.test/", added: 1, on: 1},
		{name: "a refresh", body: `{"v":1,"crawl":"new","topic":"topics/seeds.topic","refresh_of":"runs"}`, added: 1, on: 1},
		{name: "a refresh of none", body: `{"v":1,"crawl":"new","topic":"topics/seeds.topic","refresh_of":"none"}`, rule: "unknown_crawl", why: `no crawl "none" that "new" could refresh`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, stack := seeder(t, ledger.Absent)
			create(t, stack, job.Job{ID: "runs", State: job.Running, Seeds: []string{"http://a.demo.test/"}})
			create(t, stack, job.Job{ID: "rests", State: job.Paused, Seeds: []string{"http://a.demo.test/"}})
			wantRule(t, s.Message(t.Context(), []byte(tc.body)), tc.rule, tc.why)
			if len(stack.added) != tc.added || stack.on != tc.on || tc.on > 0 && len(stack.sent) != tc.added {
				t.Errorf("links %v, tasks %v, switched on %d times; want %d and %d", stack.added, stack.sent, stack.on, tc.added, tc.on)
			}
			for _, l := range stack.added {
				j, err := stack.jobs.Get(t.Context(), "new")
				if err != nil {
					break // an older one has the seed
				}
				if l.Round != 0 || tc.name != "a refresh" && len(j.Seeds) > 0 && !slices.Contains(j.Seeds, l.URL) {
					t.Errorf("planted %+v in %+v", l, j)
				}
			}
		})
	}
}

// A crawl ends in time: by its message, else by its topic, if that has a time.
func TestDeadline(t *testing.T) {
	for more, want := range map[string]time.Duration{
		`"topic":"topics/seeds.topic"`:                             time.Hour,
		`"topic":"topics/seeds.topic","max_duration":"10m"`:        10 * time.Minute,
		`"topic":"topics/t.topic","seeds":["http://a.demo.test/"]`: 0,
	} {
		s, stack := seeder(t, ledger.Absent)
		if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"new",`+more+`}`)); err != nil {
			t.Fatal(err)
		}
		j, err := stack.jobs.Get(t.Context(), "new")
		if err != nil {
			t.Fatal(err)
		}
		if j.Deadline.IsZero() != (want == 0) || want > 0 && j.Deadline.Sub(j.Created) != want {
			t.Errorf("%s: created at %v, to end at %v, want %v later", more, j.Created, j.Deadline, want)
		}
	}
}

// A crawl that can be reproduced begins in its first round, any other has none.
func TestFirstRound(t *testing.T) {
	for more, want := range map[string]int{``: 0, `,"random_seed":7`: 1} {
		s, stack := seeder(t, ledger.Absent)
		if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"new","topic":"topics/seeds.topic"`+more+`}`)); err != nil {
			t.Fatal(err)
		}
		j, err := stack.jobs.Get(t.Context(), "new")
		if err != nil {
			t.Fatal(err)
		}
		if j.Round != want || len(stack.added) != 1 || stack.added[0].Round != want {
			t.Errorf("message with %q: round %d, links %+v, want round %d", more, j.Round, stack.added, want)
		}
	}
}

// A refresh starts from the seeds and the scope of the earlier crawl unless its
// message has others.
func TestRefreshFollows(t *testing.T) {
	for more, want := range map[string]struct {
		seed string
		mode urlnorm.Mode
	}{
		``: {"http://a.demo.test/", urlnorm.ModeHost},
		`,"seeds":["http://b.demo.test/"],"scope":{"mode":"any"}`: {"http://b.demo.test/", urlnorm.ModeAny},
	} {
		s, stack := seeder(t, ledger.Absent)
		create(t, stack, job.Job{ID: "before", State: job.Done, Reason: job.ReasonFrontierEmpty, Seeds: []string{"http://a.demo.test/"}, Scope: &limits.Scope{Mode: urlnorm.ModeHost}})
		if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"new","topic":"topics/seeds.topic","refresh_of":"before"`+more+`}`)); err != nil {
			t.Fatal(err)
		}
		j, err := stack.jobs.Get(t.Context(), "new")
		if err != nil {
			t.Fatal(err)
		}
		if len(stack.added) != 1 || stack.added[0].URL != want.seed {
			t.Errorf("message with %q: planted %v, want %s", more, stack.added, want.seed)
		}
		if !slices.Equal(j.Seeds, []string{want.seed}) || j.Scope == nil || j.Scope.Mode != want.mode {
			t.Errorf("message with %q: seeds %v, scope %+v, want %+v", more, j.Seeds, j.Scope, want)
		}
	}
}

// A schedule sends the same message each time, but for the name of the crawl: each refresh
// is of the one before, and a second delivery changes nothing.
func TestRefreshOfTheNewest(t *testing.T) {
	s, stack := seeder(t, ledger.Absent)
	create(t, stack, job.Job{ID: "first", State: job.Done, Reason: job.ReasonFrontierEmpty, Seeds: []string{"http://a.demo.test/"}, Created: time.Now().Add(-time.Hour)})
	create(t, stack, job.Job{ID: "another", State: job.Done, Reason: job.ReasonFrontierEmpty, Seeds: []string{"http://b.demo.test/"}, Created: time.Now().Add(-time.Minute)})
	for _, want := range [][]string{{"first"}, {"watch-1", "first"}, {"watch-2", "watch-1", "first"}} {
		id := fmt.Sprint("watch-", len(want))
		for range 2 {
			if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"`+id+`","topic":"topics/seeds.topic","refresh_of":"first","revisit":"sources"}`)); err != nil {
				t.Fatal(err)
			}
		}
		j, err := stack.jobs.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(j.RefreshOf, want) {
			t.Errorf("%s refreshes %v, want %v", id, j.RefreshOf, want)
		}
	}
}

// A refresh by a topic without seeds starts from those of the earlier crawl, also if
// these were its topic's.
func TestRefreshByTopicWithoutSeeds(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		seeds      []string
	}{
		{"of a crawl with seeds", "http://a.demo.test/", []string{"http://a.demo.test/"}},
		{"of a crawl with its topic's", "http://seed.demo.test/", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, stack := seeder(t, ledger.Absent)
			create(t, stack, job.Job{ID: "before", Topic: "topics/seeds.topic", State: job.Done, Reason: job.ReasonFrontierEmpty, Seeds: tc.seeds})
			if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"new","topic":"topics/t.topic","refresh_of":"before"}`)); err != nil {
				t.Fatal(err)
			}
			if len(stack.added) != 1 || stack.added[0].URL != tc.want {
				t.Errorf("planted %v, want %s", stack.added, tc.want)
			}
		})
	}
}

// A crawl notes the strategy of its topic. A refresh keeps that of the crawl before,
// which an old program did not note, unless it has another topic.
func TestStrategy(t *testing.T) {
	for _, test := range []struct{ name, message, want string }{
		{"new", `"topic":"topics/t.topic","seeds":["http://a.demo.test/"]`, rank.Default},
		{"refresh", `"topic":"topics/t.topic","refresh_of":"before"`, "best-first"},
		{"refresh of an old crawl", `"topic":"topics/t.topic","refresh_of":"old"`, ""},
		{"refresh by another topic", `"topic":"topics/seeds.topic","refresh_of":"old"`, rank.Default},
	} {
		s, stack := seeder(t, ledger.Absent)
		for id, strategy := range map[string]string{"before": "best-first", "old": ""} {
			create(t, stack, job.Job{ID: id, State: job.Done, Reason: job.ReasonFrontierEmpty, Seeds: []string{"http://a.demo.test/"}, Strategy: strategy})
		}
		if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"new",`+test.message+`}`)); err != nil {
			t.Fatal(err)
		}
		j, err := stack.jobs.Get(t.Context(), "new")
		if err != nil || j.Strategy != test.want {
			t.Errorf("%s: strategy %q (%v), want %q", test.name, j.Strategy, err, test.want)
		}
		ordered := test.want == "best-first" || test.want == rank.Default && rank.Default != rank.NameSemantic
		if (j.Order != nil) != ordered {
			t.Errorf("%s: order %+v", test.name, j.Order)
		}
	}
}

// A crawl notes what its archive holds: what its message says, or its topic, or all. A
// refresh by the same topic goes on as the crawl before, which an old program did not
// note.
func TestArchive(t *testing.T) {
	for _, test := range []struct{ name, message, topic, want string }{
		{"new", `"topic":"topics/t.topic","seeds":["http://a.demo.test/"]`, "", "all"},
		{"by its topic", `"topic":"topics/t.topic","seeds":["http://a.demo.test/"]`, "relevant", "relevant"},
		{"by its message", `"topic":"topics/t.topic","seeds":["http://a.demo.test/"],"archive":"kept"`, "relevant", "kept"},
		{"refresh", `"topic":"topics/t.topic","refresh_of":"before"`, "all", "relevant"},
		{"refresh of an old crawl", `"topic":"topics/t.topic","refresh_of":"old"`, "all", "kept"},
		{"refresh by its message", `"topic":"topics/t.topic","refresh_of":"old","archive":"all"`, "", "all"},
		{"refresh by another topic", `"topic":"topics/seeds.topic","refresh_of":"old"`, "", "all"},
	} {
		s, stack := seeder(t, ledger.Absent)
		t1, err := s.ports.Topics.Get(t.Context(), "topics/t.topic")
		if err != nil {
			t.Fatal(err)
		}
		t1.File.Archive = test.topic
		for id, archive := range map[string]string{"before": "relevant", "old": ""} {
			create(t, stack, job.Job{ID: id, State: job.Done, Reason: job.ReasonFrontierEmpty, Seeds: []string{"http://a.demo.test/"}, Archive: archive})
		}
		if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"new",`+test.message+`}`)); err != nil {
			t.Fatal(err)
		}
		if j, err := stack.jobs.Get(t.Context(), "new"); err != nil || j.Archive != test.want {
			t.Errorf("%s: archive %q (%v), want %q", test.name, j.Archive, err, test.want)
		}
	}
}

// A crawl that ran dry runs again when it gets seeds that are not done.
func TestReopen(t *testing.T) {
	for state, want := range map[ledger.State]job.State{ledger.Absent: job.Running, ledger.Queued: job.Running, ledger.Done: job.Done} {
		s, stack := seeder(t, state)
		create(t, stack, job.Job{ID: "dry", State: job.Done, Reason: job.ReasonFrontierEmpty, Seeds: []string{"http://a.demo.test/"}})
		if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"dry","seeds":["http://a.demo.test/b"]}`)); err != nil {
			t.Fatal(err)
		}
		if j, err := stack.jobs.Get(t.Context(), "dry"); err != nil || j.State != want {
			t.Errorf("with a seed in state %d the crawl is %s (%v), want %s", state, j.State, err, want)
		}
	}
}

// The first seed of a new host widens the scope, up to a number and a size.
func TestEntrances(t *testing.T) {
	had := []string{"http://a.test/"}
	hosts := func(n int) []frontier.Link {
		more := make([]frontier.Link, n)
		for i := range more {
			more[i].URL = fmt.Sprintf("http://h%d.test/", i)
		}
		return more
	}
	long := func(n int) frontier.Link {
		return frontier.Link{URL: "http://long.test/" + strings.Repeat("x", n-len("http://long.test/"))}
	}
	for _, tc := range []struct {
		name string
		more []frontier.Link
		want int // added
	}{
		{"none", nil, 0},
		{"a host that is known", []frontier.Link{{URL: "http://a.test/b"}}, 0},
		{"a host twice", []frontier.Link{{URL: "http://b.test/"}, {URL: "http://b.test/c"}}, 1},
		{"all there may be", hosts(maxScope - 1), maxScope - 1},
		{"one too many", hosts(maxScope), maxScope - 1},
		{"as long as they may be", []frontier.Link{long(maxScopeBytes - len(had[0]))}, 1},
		{"too long", []frontier.Link{long(maxScopeBytes - len(had[0]) + 1)}, 0},
		{"too long together", []frontier.Link{{URL: "http://b.test/"}, long(maxScopeBytes - len(had[0]))}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := entrances(had, tc.more); len(got) != len(had)+tc.want || got[0] != had[0] {
				t.Errorf("%d seeds, want %d more than %d", len(got), tc.want, len(had))
			}
		})
	}
}

// Seeds of later messages are in the scope, beside those of the topic.
func TestWiden(t *testing.T) {
	s, stack := seeder(t, ledger.Absent)
	if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"new","topic":"topics/seeds.topic"}`)); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"http://seed.demo.test/b", "http://b.demo.test/"} {
		if err := s.Message(t.Context(), []byte(`{"v":1,"crawl":"new","seeds":["`+more+`"]}`)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"http://seed.demo.test/", "http://b.demo.test/"}
	if j, err := stack.jobs.Get(t.Context(), "new"); err != nil || !slices.Equal(j.Seeds, want) {
		t.Errorf("the crawl has the seeds %v (%v), want %v", j.Seeds, err, want)
	}
	wantRule(t, s.Message(t.Context(), []byte(`{"v":1,"crawl":"new","seeds":["http://example.com/"]}`)), "bad_seeds", "contact")
}
