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

// frozen is a stack of which no crawl runs: seeds are planted, and wait.
type frozen struct {
	ledger.Ledger
	frontier.Backlog
	topic   *topic.Compiled
	planted map[string]bool
}

func (f *frozen) Get(context.Context, string) (*topic.Compiled, error) { return f.topic, nil }

func (f *frozen) States(_ context.Context, _ string, urls []string) ([]ledger.State, error) {
	states := make([]ledger.State, len(urls))
	for i, u := range urls {
		if f.planted[u] {
			states[i] = ledger.Done
		}
	}
	return states, nil
}

func (f *frozen) Add(context.Context, string, []frontier.Link) error { return nil }

func (f *frozen) MarkQueued(_ context.Context, _ string, urls []string) error {
	for _, u := range urls {
		f.planted[u] = true
	}
	return nil
}

// A start that asks for another crawl than the one of its name is refused with
// what differs; one that comes twice, and seeds, are not.
func TestSecondStart(t *testing.T) {
	file, err := topic.Parse("t.yaml", []byte("name: t\nlanguage: en\nwords: [bank]\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := &frozen{topic: file.Compiled(), planted: map[string]bool{}}
	jobs := jobtest.NewMemory(time.Now)
	s := New(Ports{Jobs: jobs, Topics: f, Ledger: f, Backlog: f}, Options{MaxPages: 500, Delay: time.Second, Manners: plan.Manners{Version: "1"}})
	const head = `{"v":1,"crawl":"c","topic":"topics/t.topic","seeds":["http://a.demo.test/"]`
	const first = head + `,"scope":{"mode":"host","allow":["b.demo.test"],"deny":["http://a.demo.test/x/"]},"max_pages":100,"max_pages_per_host":10,` +
		`"max_depth":5,"max_duration":"90500ms","max_cost":1.5,"delay":"1500us","random_seed":7,"archive":"kept"}`
	m, err := job.ParseMessage([]byte(first))
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.start(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jobs.Update(t.Context(), j.ID, (*job.Job).Pause); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, body, why string }{
		{"the same", first, ""},
		{"what it leaves open", head + `}`, ""},
		{"other seeds", strings.Replace(first, "a.demo.test/\"]", "c.demo.test/\"]", 1), ""},
		{"seeds only", `{"v":1,"crawl":"c","seeds":["http://d.demo.test/"]}`, ""},
		{"topic", strings.Replace(first, "t.topic", "u.topic", 1), "topic topics/t.topic, not topics/u.topic"},
		{"mode", head + `,"scope":{"mode":"any","allow":["b.demo.test"],"deny":["http://a.demo.test/x/"]}}`, "another scope"},
		{"allow", head + `,"scope":{"mode":"host","allow":["c.demo.test"],"deny":["http://a.demo.test/x/"]}}`, "another scope"},
		{"deny", head + `,"scope":{"mode":"host","allow":["b.demo.test"]}}`, "another scope"},
		{"pages", head + `,"max_pages":200,"max_depth":9}`, "max_pages 100, not 200, max_depth 5, not 9"},
		{"pages of a host", head + `,"max_pages_per_host":11}`, "max_pages_per_host 10, not 11"},
		{"duration", head + `,"max_duration":"1h"}`, "max_duration 1m31s, not 1h0m0s"},
		{"cost", head + `,"max_cost":2}`, "max_cost 1.5, not 2"},
		{"delay", head + `,"delay":"0s"}`, "delay 2ms, not 0s"},
		{"random seed", head + `,"random_seed":8}`, "random_seed 7, not 8"},
		{"archive", head + `,"archive":"all"}`, "archive kept, not all"},
		{"user agent", head + `,"user_agent":"lab-bot"}`, "not lab-bot"},
		{"contact", head + `,"contact":"you@example.org"}`, "not you@example.org"},
	} {
		err := s.Message(t.Context(), []byte(tt.body))
		switch refused := fault.Of(err); {
		case tt.why == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.why != "" && (refused == nil || refused.Class != fault.Poison || refused.Rule != "crawl_exists" || !strings.Contains(err.Error(), tt.why)):
			t.Errorf("%s: %v, want crawl_exists with %q", tt.name, err, tt.why)
		}
	}
	if !f.planted["http://c.demo.test/"] || !f.planted["http://d.demo.test/"] || len(f.planted) != 3 {
		t.Errorf("planted: %v", f.planted)
	}
	if j, err = jobs.Get(t.Context(), "c"); err != nil || j.MaxPages != 100 || j.Scope.Mode != "host" {
		t.Errorf("the crawl has become %+v, %v", j, err)
	}
}

// A refresh that is asked for twice goes over the same pages.
func TestSecondRevisits(t *testing.T) {
	now := time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC)
	m := &job.Message{Crawl: "c", Topic: "topics/t", RefreshOf: "a", OlderThan: time.Hour}
	j, err := m.Job(job.Defaults{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if err := Repeats(m, j); err != nil {
		t.Error(err)
	}
	m.OlderThan, m.Revisit = 0, "sources"
	if err := Repeats(m, j); err == nil || !strings.Contains(err.Error(), "revisit , not sources") {
		t.Errorf("other pages: %v", err)
	}
	m.OlderThan, m.Revisit = 2*time.Hour, ""
	if err := Repeats(m, j); err == nil || !strings.Contains(err.Error(), "older_than 1h0m0s, not 2h0m0s") {
		t.Errorf("another age: %v", err)
	}
}

// A start that comes twice asks for the refresh of the same crawl, which may be any
// of those that are looked at: the newest refresh of the one that was asked for is first.
func TestSecondRefresh(t *testing.T) {
	for _, tc := range []struct {
		asked string
		has   []string
		why   string
	}{
		{"", nil, ""},
		{"", []string{"a"}, ""},
		{"a", []string{"a", "b"}, ""},
		{"b", []string{"a", "b"}, ""},
		{"c", []string{"a", "b"}, "no refresh of c"},
		{"a", nil, "no refresh of a"},
	} {
		err := Repeats(&job.Message{RefreshOf: tc.asked}, &job.Job{ID: "c", RefreshOf: tc.has})
		if (err != nil) != (tc.why != "") || err != nil && !strings.Contains(err.Error(), tc.why) {
			t.Errorf("refresh of %q, where the crawl has %v: %v, want %q", tc.asked, tc.has, err, tc.why)
		}
	}
}
