package operator

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
)

// explain explains a URL and checks its fate.
func (s *testStack) explain(t *testing.T, url, fate string) *console.Explanation {
	t.Helper()
	x, err := s.Explain(t.Context(), "c", url)
	if err != nil {
		t.Fatal(err)
	}
	if x.Fate != fate {
		t.Errorf("%s is %s, want %s", url, x.Fate, fate)
	}
	return x
}

// A page that the crawl kept and clean refused is rejected, as in a local
// crawl.
func TestExplainRefusedLater(t *testing.T) {
	s := newCorpus(t)
	s.PutObject(t, "rejects/c/1.jsonl", rejectBy(t, "http://a.test/a", "p", "boilerplate_only")+rejectBy(t, "http://a.test/b", "p", "boilerplate_only"))
	if x := s.explain(t, "http://a.test/b", "rejected"); x.Kept || x.Rule != "boilerplate_only" || !x.Fetched {
		t.Errorf("refused later: %+v", x)
	}
	if x := s.explain(t, "http://a.test/a", "kept"); !x.Kept { // another segment counts
		t.Errorf("refused in another segment: %+v", x)
	}
}

func TestExplain(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.PutObject(t, moneyTopic, topicYAML)
	s.Create(t, job.Message{Crawl: "c", Topic: moneyTopic})
	link := func(u string) frontier.Link { return frontier.Link{URL: u, Anchor: "anchor of " + u, Priority: 2} }
	trace := func(u string) json.RawMessage {
		b, err := json.Marshal(&step.Trace{Link: link(u), Status: 200, Title: "a title"})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	s.End(t, "c",
		ledger.End{URL: "http://a.test/kept", Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true, Trace: trace("http://a.test/kept")}},
		ledger.End{URL: "http://a.test/dead", Entry: &ledger.Entry{Verdict: ledger.Dead, Rule: "timeout", Trace: trace("http://a.test/dead")}},
	)
	dead := &frontier.Task{ID: "1", Crawl: "c", Host: "a.test", Links: []frontier.Link{link("http://a.test/dead")}}
	held := frontier.NewTask("c", "d.test", []frontier.Link{link("http://d.test/held")}, time.Now())
	held.Hold()
	if err := errors.Join(s.parts.Queue.Bury(ctx, dead, "it never answered"), s.parts.Queue.Bury(ctx, held, "it ended its workers")); err != nil {
		t.Fatal(err)
	}
	backlog := s.parts.Store.Backlog()
	if err := backlog.Add(ctx, "c", []frontier.Link{link("http://a.test/waiting"), link("http://b.test/closed"), link("http://c.test/queued")}); err != nil {
		t.Fatal(err)
	}
	err := errors.Join(
		backlog.Close(ctx, "c", "b.test", "host_budget"),
		backlog.Remove(ctx, "c", "c.test", []string{"http://c.test/queued"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.parts.Store.Ledger().MarkQueued(ctx, "c", []string{"http://a.test/sent"}); err != nil {
		t.Fatal(err)
	}
	if err := s.parts.Store.Gauge().Sent(ctx, []frontier.Mark{held.Mark(time.Now())}); err != nil {
		t.Fatal(err)
	}
	if err := s.parts.Segments.Drop(ctx, "c", []ledger.Decision{{Link: link("http://a.test/dropped"), Rule: "scope"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.parts.Segments.Store("c").Sync(ctx); err != nil {
		t.Fatal(err)
	}
	rules := new(hosts.Rules)
	if err := json.Unmarshal([]byte(`{"rules":["-/dead"],"delay_s":2,"fetched":"2026-11-21T08:00:00Z","expires":"2099-01-01T00:00:00Z"}`), rules); err != nil {
		t.Fatal(err)
	}
	if err := s.parts.Hosts.PutRobots(ctx, "http://a.test", rules); err != nil {
		t.Fatal(err)
	}

	x := s.explain(t, "HTTP://A.test:80/kept#x", "kept")
	if x.URL != "http://a.test/kept" || !x.Kept || !x.Fetched || x.Trace.Title != "a title" || x.Link.Anchor != "anchor of http://a.test/kept" || x.At == nil ||
		x.Entry.Trace != nil || x.Constants == nil || !x.Robots.Allowed || x.Robots.CrawlDelayS != 2 {
		t.Errorf("kept: %+v", x)
	}
	x = s.explain(t, "http://a.test/dead", "dead")
	if x.DeadReason != "it never answered" || x.Rule != "timeout" || x.Robots.Allowed {
		t.Errorf("dead: %+v", x)
	}
	x = s.explain(t, "http://a.test/waiting", "waiting")
	if x.Link == nil || x.Link.Priority != 2 || x.Rule != "" {
		t.Errorf("waiting: %+v", x)
	}
	if x = s.explain(t, "http://b.test/closed", "waiting"); x.Rule != "host_budget" || x.Robots != nil {
		t.Errorf("waiting on a closed host: %+v", x)
	}
	s.explain(t, "http://c.test/queued", "queued")
	s.explain(t, "http://a.test/sent", "queued")
	if x = s.explain(t, "http://d.test/held", "queued"); x.DeadReason != "it ended its workers" {
		t.Errorf("held by the mark of a dead task: %+v", x)
	}
	if x = s.explain(t, "http://a.test/dropped", "dropped"); !x.Dropped || x.Rule != "scope" || x.Link == nil {
		t.Errorf("dropped: %+v", x)
	}
	s.explain(t, "http://a.test/never", "unknown")

	if _, err := s.Explain(ctx, "c", "ftp://a.test/"); !errors.Is(err, ErrBadURL) {
		t.Errorf("bad URL: %v", err)
	}
	if _, err := s.Explain(ctx, "none", "http://a.test/"); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("no crawl: %v", err)
	}
}
