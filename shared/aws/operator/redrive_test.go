package operator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
)

func encode(t *testing.T, task *frontier.Task) string {
	t.Helper()
	b, err := task.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func event(key string) string {
	return fmt.Sprintf(`{"Records":[{"eventName":"ObjectCreated:Put","s3":{"bucket":{"name":"b"},"object":{"key":%q}}}]}`, key)
}

// whys returns why letters stay, by reason; "" for those that go back.
func whys(out *console.Redriven) map[string]string {
	m := map[string]string{}
	for _, l := range out.Letters {
		m[l.Reason] = l.Why
	}
	return m
}

// A dead link is fetched again, and its crawl resumes.
func TestRedriveFrontier(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.Create(t, job.Message{Crawl: "c"})
	s.Create(t, job.Message{Crawl: "other"})
	s.End(t, "c", ledger.End{URL: "http://a.test/dead", Entry: &ledger.Entry{Verdict: ledger.Dead, Rule: "timeout"}})
	if _, err := s.parts.Jobs.Update(ctx, "c", func(j *job.Job) error { return j.Finish(job.ReasonFrontierEmpty) }); err != nil {
		t.Fatal(err)
	}
	task := func(crawl, url string) string {
		return encode(t, &frontier.Task{ID: "1", Crawl: crawl, Host: "a.test", Links: []frontier.Link{{URL: url, Attempts: 5}}})
	}
	s.Bury(t, "FrontierDeadQueue",
		sqsqueue.Letter{Body: task("c", "http://a.test/dead"), Reason: "timeout", Class: "permanent", Source: s.Name + "-high"},
		sqsqueue.Letter{Body: "{", Reason: "bad json", Class: "poison"},
		sqsqueue.Letter{Body: `{"v":9}`, Reason: "version"},
		sqsqueue.Letter{Body: task("gone", "http://a.test/x"), Reason: "no crawl"},
		sqsqueue.Letter{Body: task("other", "http://a.test/other"), Reason: "other"},
	)
	for _, dry := range []bool{true, false} {
		out, err := s.Redrive(ctx, console.RedriveOptions{Queue: Frontier, Crawl: "c", DryRun: dry})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]console.RedriveCount{{Queue: Frontier, Back: 1, Others: 4}}, out.Queues); diff != "" {
			t.Errorf("dry %v (-want +got):\n%s", dry, diff)
		}
		l := out.Letters[0]
		if l.Crawl != "c" || l.Reason != "timeout" || l.Class != "permanent" || l.Source != s.Name+"-high" || !l.Back || !slices.Equal(l.URLs, []string{"http://a.test/dead"}) || l.Sent.IsZero() {
			t.Errorf("letter is %+v", l)
		}
		var resumed []string
		state, lane := ledger.Done, 0
		if !dry {
			resumed, state, lane = []string{"c"}, ledger.Queued, 1
		}
		if !slices.Equal(out.Resumed, resumed) {
			t.Errorf("dry %v: resumed %v", dry, out.Resumed)
		}
		states, err := s.parts.Store.Ledger().States(ctx, "c", []string{"http://a.test/dead"})
		if err != nil || states[0] != state {
			t.Errorf("dry %v: state %v, %v", dry, states, err)
		}
		queues, err := s.queues(ctx)
		if err != nil || queues[0].Messages() != lane {
			t.Errorf("dry %v: lanes %+v, %v", dry, queues, err)
		}
		if rule, _ := s.On(t); rule == dry {
			t.Errorf("dry %v: the stack's rule is %v", dry, rule)
		}
	}
	high, _, _ := strings.Cut(s.Outputs["FrontierQueues"], ",")
	bodies := s.Messages(t, high)
	if len(bodies) != 1 || strings.Contains(bodies[0], "attempts") {
		t.Errorf("sent back: %q", bodies)
	}

	out, err := s.Redrive(ctx, console.RedriveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := whys(out)
	for reason, want := range map[string]string{"bad json": "bad task message", "version": "version 9", "no crawl": `no such crawl: "gone"`} {
		if !strings.Contains(got[reason], want) {
			t.Errorf("letter %q stays since %q, want %q", reason, got[reason], want)
		}
	}
	if diff := cmp.Diff([]console.RedriveCount{{Queue: Frontier, Back: 1, Stay: 3}, {Queue: Seeds}, {Queue: Clean}, {Queue: Structure}}, out.Queues); diff != "" {
		t.Errorf("the rest (-want +got):\n%s", diff)
	}
	if _, err := s.Redrive(ctx, console.RedriveOptions{Crawl: "none"}); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("redrive of no crawl: %v", err)
	}
}

// Repaired letters go back: a missing topic exists now.
func TestRedriveSeedsAndClean(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.Create(t, job.Message{Crawl: "c"})
	start := `{"v":1,"crawl":"new","topic":"topics/money.topic"}`
	s.Bury(t, "SeedsDeadQueue",
		sqsqueue.Letter{Body: start, Reason: "no topic"},
		sqsqueue.Letter{Body: `{"v":1,"crawl":"gone","seeds":["http://a.test/"]}`, Reason: "no crawl"},
		sqsqueue.Letter{Body: `{"v":1,"crawl":"c","topic":"topics/money.topic"}`, Reason: "there"},
		sqsqueue.Letter{Body: `{"v":1,"crawl":"c","topic":"topics/t.topic","max_pages":7}`, Reason: "budget"},
		sqsqueue.Letter{Body: "http://a.test/", Reason: "which crawl"},
		sqsqueue.Letter{Body: "file:///etc/passwd", Reason: "file"},
		sqsqueue.Letter{Body: event("seeds/new/list.txt"), Reason: "list"},
		sqsqueue.Letter{Body: event("elsewhere/x"), Reason: "elsewhere"},
		sqsqueue.Letter{Body: strings.Repeat("x", 2<<20), Reason: "huge"},
	)
	s.Bury(t, "CleanDeadQueue",
		sqsqueue.Letter{Body: event("raw/c/1.warc.gz"), Reason: "segment"},
		sqsqueue.Letter{Body: event("raw/gone/1.warc.gz"), Reason: "segment of none"},
		sqsqueue.Letter{Body: `{"Event":"s3:TestEvent"}`, Reason: "test"},
		sqsqueue.Letter{Body: "nonsense", Reason: "nonsense"},
	)
	out, err := s.Redrive(ctx, console.RedriveOptions{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	if why := whys(out)["no topic"]; !strings.Contains(why, "the bucket has no topic topics/money.topic") {
		t.Errorf("a start without its topic stays since %q", why)
	}
	s.PutObject(t, moneyTopic, topicYAML)
	s.PutObject(t, "topics/t.topic", topicYAML)
	if out, err = s.Redrive(ctx, console.RedriveOptions{}); err != nil {
		t.Fatal(err)
	}
	got := whys(out)
	for reason, want := range map[string]string{
		"no crawl": "no such crawl", "there": "with topic topics/t.topic", "budget": "max_pages 1000, not 7", "file": "write a whole http or https address", "elsewhere": "not under seeds/CRAWL/", "huge": "it had 2097152 bytes",
		"segment of none": "no such crawl", "test": "no object", "nonsense": "not an S3 event",
	} {
		if !strings.Contains(got[reason], want) {
			t.Errorf("letter %q stays since %q, want %q", reason, got[reason], want)
		}
	}
	if diff := cmp.Diff([]console.RedriveCount{{Queue: Frontier}, {Queue: Seeds, Back: 3, Stay: 6}, {Queue: Clean, Back: 1, Stay: 3}, {Queue: Structure}}, out.Queues); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	seeds := s.Messages(t, s.Outputs["SeedsQueue"])
	slices.Sort(seeds)
	if diff := cmp.Diff([]string{"http://a.test/", event("seeds/new/list.txt"), start}, seeds); diff != "" {
		t.Errorf("seeds sent back (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{event("raw/c/1.warc.gz")}, s.Messages(t, s.Outputs["CleanQueue"])); diff != "" {
		t.Errorf("segments sent back (-want +got):\n%s", diff)
	}
	for _, l := range out.Letters {
		if len(l.Body) > console.MaxShown+len("…") {
			t.Errorf("a body of %d bytes is shown", len(l.Body))
		}
	}
}

// Invalid letters can be deleted; valid ones only by id.
func TestRedriveDiscard(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.Create(t, job.Message{Crawl: "c"})
	seeds := func(crawl string) string {
		return fmt.Sprintf(`{"v":1,"crawl":%q,"seeds":["http://a.test/"]}`, crawl)
	}
	s.Bury(t, "SeedsDeadQueue",
		sqsqueue.Letter{Body: seeds("c"), Reason: "valid"},
		sqsqueue.Letter{Body: seeds("gone"), Reason: "no crawl"},
		sqsqueue.Letter{Body: "{", Reason: "bad json"},
		sqsqueue.Letter{Body: "http://a.test/", Reason: "which crawl"},
	)
	s.Bury(t, "FrontierDeadQueue",
		sqsqueue.Letter{Body: "{", Reason: "no task"},
		sqsqueue.Letter{Body: encode(t, &frontier.Task{ID: "1", Crawl: "c", Host: "a.test", Links: []frontier.Link{{URL: "http://a.test/"}}}), Reason: "timeout"},
	)
	ids := map[string]string{}
	fates := func(opts console.RedriveOptions, want ...console.RedriveCount) map[string]string {
		t.Helper()
		opts.Discard = true
		out, err := s.Redrive(ctx, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, out.Queues); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", opts, diff)
		}
		fates := map[string]string{}
		for _, l := range out.Letters {
			ids[l.Reason] = l.ID
			fates[l.Reason] = "stays"
			if l.Discarded {
				fates[l.Reason] = "discarded"
			}
			if l.Back || !l.Discarded && l.Why != console.NotBroken {
				t.Errorf("letter %+v", l)
			}
		}
		return fates
	}
	frontiers, clean, sites := console.RedriveCount{Queue: Frontier, Stay: 1, Discarded: 1}, console.RedriveCount{Queue: Clean}, console.RedriveCount{Queue: Structure}
	fates(console.RedriveOptions{DryRun: true}, frontiers, console.RedriveCount{Queue: Seeds, Stay: 2, Discarded: 2}, clean, sites)
	fates(console.RedriveOptions{Queue: Seeds, Crawl: "gone"}, console.RedriveCount{Queue: Seeds, Discarded: 1, Others: 3})
	fates(console.RedriveOptions{Letters: []string{ids["which crawl"]}, Queue: Seeds}, console.RedriveCount{Queue: Seeds, Discarded: 1, Others: 2})
	got := fates(console.RedriveOptions{}, frontiers, console.RedriveCount{Queue: Seeds, Stay: 1, Discarded: 1}, clean, sites)
	if diff := cmp.Diff(map[string]string{"valid": "stays", "bad json": "discarded", "no task": "discarded", "timeout": "stays"}, got); diff != "" {
		t.Errorf("fates (-want +got):\n%s", diff)
	}
	out, err := s.Redrive(ctx, console.RedriveOptions{Discard: true, Letters: []string{ids["bad json"]}})
	if err != nil || !slices.Equal(out.Missing, []string{ids["bad json"]}) {
		t.Errorf("a letter that is gone: %+v, %v", out, err)
	}
	if n := len(s.Messages(t, s.Outputs["SeedsQueue"])); n != 0 {
		t.Errorf("a discard sent %d messages", n)
	}
	if rule, _ := s.On(t); rule {
		t.Error("a discard turned the stack on")
	}
	if out, err = s.Redrive(ctx, console.RedriveOptions{Letters: []string{ids["valid"]}}); err != nil || out.Queues[1].Back != 1 || out.Queues[0].Others != 1 {
		t.Errorf("one letter sent back: %+v, %v", out, err)
	}
}

// Hosts that were closed because they were down are opened again, in crawls that may go on.
func TestRedriveHosts(t *testing.T) {
	s := newStack(t)
	backlog := s.parts.Store.Backlog()
	for _, id := range []string{"c", "stopped"} {
		s.Create(t, job.Message{Crawl: id})
		if err := backlog.Add(t.Context(), id, []frontier.Link{{URL: "http://down.test/1"}, {URL: "http://down.test/2"}, {URL: "http://full.test/"}, {URL: "http://up.test/"}}); err != nil {
			t.Fatal(err)
		}
		s.fail(t, id, "down.test", 12)
		for host, rule := range map[string]string{"down.test": step.RuleHostDown, "full.test": "host_budget"} {
			if err := backlog.Close(t.Context(), id, host, rule); err != nil {
				t.Fatal(err)
			}
		}
	}
	for id, end := range map[string]func(*job.Job) error{
		"c":       func(j *job.Job) error { return j.Finish(job.ReasonFrontierEmpty) },
		"stopped": func(j *job.Job) error { return j.Stop("enough") },
	} {
		if _, err := s.parts.Jobs.Update(t.Context(), id, end); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		opts console.RedriveOptions
		want []string
		open int // hosts of c that have links and are open, afterwards
	}{
		{console.RedriveOptions{Rules: []string{"timeout"}}, nil, 1},
		{console.RedriveOptions{Discard: true}, nil, 1},
		{console.RedriveOptions{DryRun: true}, []string{"down.test"}, 1},
		{console.RedriveOptions{Rules: []string{step.RuleHostDown}}, []string{"down.test"}, 2},
		{console.RedriveOptions{}, nil, 2},
	} {
		out, err := s.Redrive(t.Context(), tt.opts)
		if err != nil {
			t.Fatal(err)
		}
		var hosts []string
		for _, h := range out.Hosts {
			hosts = append(hosts, h.Host)
			if want := (console.ClosedHost{Crawl: "c", Host: h.Host, Rule: step.RuleHostDown, Links: 2}); h != want {
				t.Errorf("%+v: %+v, want %+v", tt.opts, h, want)
			}
		}
		if !slices.Equal(hosts, tt.want) || (len(out.Resumed) > 0) != (tt.open == 2 && hosts != nil) {
			t.Errorf("%+v: opens %v, resumes %v, want %v", tt.opts, hosts, out.Resumed, tt.want)
		}
		waiting, err := backlog.Waiting(t.Context(), "c", 0, 0, 10)
		if err != nil || len(waiting) != tt.open {
			t.Errorf("%+v: %d hosts wait, %v, want %d", tt.opts, len(waiting), err, tt.open)
		}
		// Else the next task would close it again.
		if lease := s.fail(t, "c", "down.test", 0); (lease.State.Failures == 0) != (tt.open == 2) || lease.Next.After(time.Now().Add(time.Minute)) != (tt.open == 1) {
			t.Errorf("%+v: the host has %d failures, and is asked at %v", tt.opts, lease.State.Failures, lease.Next)
		}
	}
}

// fail adds failures to a host, which is then to be asked in an hour, and returns its state.
func (s *testStack) fail(t *testing.T, crawl, host string, failures int) *hosts.Lease {
	t.Helper()
	lease, err := s.parts.Hosts.Acquire(t.Context(), crawl, host, "test", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if lease.State.Failures += failures; failures > 0 {
		lease.Next = time.Now().Add(time.Hour)
	}
	if err := s.parts.Hosts.Release(t.Context(), crawl, lease); err != nil {
		t.Fatal(err)
	}
	return lease
}
