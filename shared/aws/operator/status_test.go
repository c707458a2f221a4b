package operator

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/stack"
	"sluice/shared/console"
	"sluice/shared/console/cost"
	"sluice/shared/crawl/plan"
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
)

func TestStatus(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	j := s.Create(t, job.Message{Crawl: "c", Limits: limits.Limits{MaxDuration: time.Hour}, MaxCost: 3})
	s.Create(t, job.Message{Crawl: "d"})
	s.End(t, "c",
		ledger.End{URL: "http://a.test/1", Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Rendered: true, Relevant: true, Enqueued: 4, Dropped: 2, Drops: map[string]int{"scope": 2}}},
		ledger.End{URL: "http://a.test/2", Entry: &ledger.Entry{Verdict: ledger.Passed, Rule: "description", Fetched: true}},
		ledger.End{URL: "http://a.test/3", Entry: &ledger.Entry{Verdict: ledger.Rejected, Rule: "http_404", Fetched: true}},
		ledger.End{URL: "http://a.test/4", Entry: &ledger.Entry{Verdict: ledger.Dead, Rule: "timeout"}},
	)
	backlog := s.parts.Store.Backlog()
	for _, u := range []string{"http://a.test/5", "http://b.test/", "http://b.test/1", "http://c.test/"} {
		if err := backlog.Add(ctx, "c", []frontier.Link{{URL: u, Priority: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := backlog.Close(ctx, "c", "c.test", "host_down"); err != nil {
		t.Fatal(err)
	}
	task := &frontier.Task{ID: "1", Crawl: "c", Host: "a.test", Links: []frontier.Link{{URL: "http://a.test/6", Priority: 9}}}
	if err := s.parts.Queue.Send(ctx, []frontier.Outgoing{{Task: task}}); err != nil {
		t.Fatal(err)
	}
	if err := s.parts.Queue.Bury(ctx, task, "timeout"); err != nil {
		t.Fatal(err)
	}
	if err := s.parts.Spend.Add(ctx, "c", map[string]float64{string(cost.SQSRequests): 5e6}); err != nil {
		t.Fatal(err)
	}

	st, err := s.Status(ctx, "c")
	if err != nil {
		t.Fatal(err)
	}
	if st.Refresh != (console.Refreshed{}) {
		t.Errorf("a first crawl has refreshed %+v", st.Refresh)
	}
	for i := range st.Queues { // a message whose answer is lost is sent again
		st.Queues[i].Waiting = min(st.Queues[i].Waiting, 1)
	}
	bucket := "s3://" + s.Name
	want := &console.Status{
		Stack: s.Name, Health: &console.Health{Alarms: []console.Alarm{}, Errors: []console.FunctionError{}},
		Summary: console.Summary{
			Out: bucket, Corpus: bucket + "/corpus/c", Rejects: bucket + "/rejects/c", WARC: bucket + "/raw/c", Generation: 1,
			ClosedHosts: []console.ClosedHost{{Host: "c.test", Rule: "host_down"}},
			Crawl:       "c", Topic: "topics/t.topic", State: job.Running, Created: j.Created, Updated: j.Updated, MaxPages: 1000, MaxCost: 3, Deadline: &j.Deadline,
			Fetched: 3, Rendered: 1, Kept: 1, Rejected: 2, Passed: 1, DeadLetters: 1, Enqueued: 4, DroppedLinks: 2, HarvestRate: 1.0 / 3, CostDollars: 2, DurationS: st.DurationS,
			Rules: map[string]int64{"description": 1, "http_404": 1, "timeout": 1}, Drops: map[string]int64{"scope": 2},
		},
		Waiting: 3, Queued: 1, HostCounts: console.HostCounts{Active: 1, Idle: 1, Closed: 1},
		Hosts: []console.Host{{Host: "a.test", Queued: 1, Waiting: 1}, {Host: "b.test", Waiting: 2}},
		Queues: []console.Queue{
			{Name: "frontier_high", Waiting: 1}, {Name: "frontier_normal"}, {Name: "frontier_low"}, {Name: "render"}, {Name: "seeds"}, {Name: "clean"}, {Name: "structure"},
			{Name: "frontier_dead", Waiting: 1}, {Name: "seeds_dead"}, {Name: "clean_dead"}, {Name: "structure_dead"},
		},
	}
	if diff := cmp.Diff(want, st); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}

	if look, err := s.Look(ctx, "c"); err != nil || look.Waiting != 0 || look.Queued != 1 {
		t.Errorf("look: %+v, %v", look, err)
	}
	if _, err := s.Stop(ctx, "c", "enough"); err != nil {
		t.Fatal(err)
	}
	all, err := s.Overview(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Crawls) != 2 || all.Crawls[0].Crawl != "c" || all.Crawls[0].StopReason != "enough" || all.Crawls[1].StopReason != "" || len(all.Queues) != 11 {
		t.Errorf("overview: %+v", all)
	}
	if _, err := s.Status(ctx, "none"); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("status of none: %v", err)
	}
}

// A crawl is done when its segments are cleaned, or when nothing cleans them any more.
func TestStatusOfUncleaned(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.Create(t, job.Message{Crawl: "c"})
	s.PutObject(t, "raw/c/1.warc.gz", "x")
	s.PutObject(t, "raw/c/2.warc.gz", "x")
	s.PutObject(t, "raw/c/3.warc", "x") // a foreign one
	s.PutObject(t, "corpus/c/1.jsonl", "x")
	want := func(state job.State, reason string, uncleaned int) {
		t.Helper()
		st, err := s.Status(ctx, "c")
		if err != nil || st.State != state || st.StopReason != reason || st.Uncleaned != uncleaned {
			t.Errorf("%s (%s), %d segments, %v; want %s (%s), %d", st.State, st.StopReason, st.Uncleaned, err, state, reason, uncleaned)
		}
	}
	want(job.Running, "", 2)
	if st, err := s.Look(ctx, "c"); err != nil || st.Uncleaned != 0 {
		t.Errorf("a look at a running crawl counts %d segments, %v", st.Uncleaned, err)
	}
	if _, err := s.parts.Jobs.Update(ctx, "c", func(j *job.Job) error { return j.Finish(job.ReasonFrontierEmpty) }); err != nil {
		t.Fatal(err)
	}
	want(console.Cleaning, "", 2)
	if all, err := s.Overview(ctx); err != nil || all.Crawls[0].State != console.Cleaning {
		t.Errorf("overview: %+v, %v", all, err)
	}
	s.PutObject(t, "rejects/c/2.jsonl", "")
	s.now = func() time.Time { return time.Now().Add(eventTime) }
	want(job.Done, job.ReasonFrontierEmpty, 1)
	if _, err := s.parts.SQS.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &s.parts.Resources.CleanQueue, MessageBody: aws.String("x")}); err != nil {
		t.Fatal(err)
	}
	want(console.Cleaning, "", 1)
	s.PutObject(t, "rejects/c/3.jsonl", "")
	want(job.Done, job.ReasonFrontierEmpty, 0)
}

// A crawl that brought too little says so with its figures.
func TestStatusOfBarren(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	want := job.Harvest{Read: 512, Kept: 3}
	if _, err := s.parts.Jobs.Update(t.Context(), "c", func(j *job.Job) error {
		j.Order = &job.Order{Learns: true, Watch: &job.Watch{Last: want}}
		return j.Finish(job.ReasonHarvestRate)
	}); err != nil {
		t.Fatal(err)
	}
	st, err := s.Look(t.Context(), "c")
	if err != nil || st.Barren == nil || *st.Barren != want {
		t.Errorf("the last pages brought %+v, %v, want %+v", st.Barren, err, want)
	}
}

// A crawl that brought nothing new says so with its figures.
func TestStatusOfSaturated(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	want := job.Growth{Harvest: job.Harvest{Read: 1012, Kept: 240}, Documents: 3, Words: 12}
	if _, err := s.parts.Jobs.Update(t.Context(), "c", func(j *job.Job) error {
		j.Order = &job.Order{Learns: true, Growth: &job.GrowthWatch{Last: want}}
		return j.Finish(job.ReasonCoverage)
	}); err != nil {
		t.Fatal(err)
	}
	st, err := s.Look(t.Context(), "c")
	if err != nil || st.Saturated == nil || *st.Saturated != want || st.Barren != nil {
		t.Errorf("the last pages brought %+v, %v, want %+v", st.Saturated, err, want)
	}
}

// The keys are those that users' programs rely on.
func TestStatusKeys(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(&console.Status{Stack: "s", Hosts: []console.Host{}, Summary: console.Summary{Out: "o", Corpus: "o", Rejects: "o", WARC: "o", ClosedHosts: []console.ClosedHost{}}, Queues: []console.Queue{}})
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(b, &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"stack", "crawl", "topic", "state", "reason", "stop_reason", "fetched", "kept", "rejected", "passed", "skipped", "redirected", "sources",
		"dropped_links", "enqueued", "dead_letters", "harvest_rate", "duration_s", "rules", "drops", "waiting", "queued", "hosts", "closed_hosts",
		"cost_dollars", "queues", "corpus", "rejects", "warc", "out", "max_pages",
	} {
		if _, ok := keys[key]; !ok {
			t.Errorf("there is no %q in %s", key, b)
		}
	}
}

func TestStarting(t *testing.T) {
	s := newStack(t)
	if yes, err := s.Starting(t.Context()); yes || err != nil {
		t.Errorf("nothing sent: %v, %v", yes, err)
	}
	s.seed(t, Order{Message: job.Message{Crawl: "c"}, TopicFile: file(topicYAML)})
	if yes, err := s.Starting(t.Context()); !yes || err != nil {
		t.Errorf("a start sent: %v, %v", yes, err)
	}
}

func TestCost(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.Create(t, job.Message{Crawl: "c", MaxCost: 3})
	if c, err := s.Cost(ctx, "c"); err != nil || c.Dollars != 0 || c.PerMillion != 0 || c.MaxCost != 3 {
		t.Errorf("cost of nothing: %+v, %v", c, err)
	}
	s.End(t, "c", ledger.End{URL: "http://a.test/1", Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true}})
	usage := map[string]float64{string(cost.SQSRequests): 5e6, string(cost.DynamoWriteUnits): 1e6, "new.item": 1}
	if err := s.parts.Spend.Add(ctx, "c", usage); err != nil {
		t.Fatal(err)
	}
	c, err := s.Cost(ctx, "c")
	if err != nil {
		t.Fatal(err)
	}
	want := &Cost{Stack: s.Name, Crawl: "c", Pages: 1, MaxCost: 3, PerMillion: 2.625e6, Bill: Bill{
		Dollars: 2.625, AsOf: c.AsOf, Region: "us-east-1", Unpriced: []string{"new.item"},
		Services: []ServiceCost{{"dynamodb", 0.625}, {"sqs", 2}},
		Items:    []ItemCost{{"dynamodb.write_units", 1e6, 0.625}, {"sqs.requests", 5e6, 2}},
	}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("cost (-want +got):\n%s", diff)
	}
	if _, err := s.Cost(ctx, "none"); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("cost of none: %v", err)
	}
}

func TestForecast(t *testing.T) {
	t.Parallel()
	f, err := NewForecast(cost.Plan{Pages: 1_000_000, Hosts: 1000, Delay: time.Second, Links: PlannedLinks, Relevant: PlannedRelevant, Archived: 1}, rank.Default, stack.OnDemand)
	if err != nil {
		t.Fatal(err)
	}
	if f.Dollars <= 0 || f.Dollars > 8 || f.PerMillion != f.Dollars || f.Naive < 2*f.Dollars || f.ElapsedS < 1000 || len(f.Services) < 4 || f.AsOf == "" {
		t.Errorf("forecast: %+v", f)
	}
	less, err := NewForecast(cost.Plan{Pages: 1_000_000, Hosts: 1000, Delay: time.Second, Links: PlannedLinks, Relevant: PlannedRelevant, Archived: 1}, rank.Default, stack.Provisioned)
	if err != nil {
		t.Fatal(err)
	}
	if less.Capacity != stack.Provisioned || less.Dollars < f.Dollars/3 || less.Dollars > 2*f.Dollars/3 {
		t.Errorf("forecast with %s capacity: $%.2f, on demand $%.2f", less.Capacity, less.Dollars, f.Dollars)
	}
	semantic, err := NewForecast(cost.Plan{Pages: 1_000_000, Hosts: 1000, Delay: time.Second, Links: PlannedLinks, Relevant: PlannedRelevant, Archived: 1}, "", stack.OnDemand)
	if err != nil {
		t.Fatal(err)
	}
	if semantic.Strategy != rank.NameSemantic || semantic.Dollars >= f.Dollars {
		t.Errorf("forecast without weak links: %s, $%.2f, with them $%.2f", semantic.Strategy, semantic.Dollars, f.Dollars)
	}
	if _, err := NewForecast(cost.Plan{Pages: 1, Hosts: 1}, rank.Default, "reserved"); !errors.Is(err, ErrRequest) {
		t.Errorf("forecast with another capacity: %v", err)
	}
	if _, err := NewForecast(cost.Plan{Hosts: -1, Delay: -time.Second}, rank.Default, stack.OnDemand); !errors.Is(err, ErrRequest) {
		t.Errorf("forecast of nothing: %v", err)
	}
}

// Changes of the threshold by a crawl that adapts are in its status and in explanations; a
// crawl that continues by another topic has the threshold of that, and counts on.
func TestAdjustments(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.PutObject(t, moneyTopic, topicYAML+"strategy: adaptive\n")
	compiled, err := s.parts.Topics.Get(ctx, moneyTopic)
	if err != nil {
		t.Fatal(err)
	}
	s.Create(t, job.Message{Crawl: "c", Topic: moneyTopic})
	begins := compiled.File.Thresholds.Priority
	j, err := s.parts.Jobs.Update(ctx, "c", func(j *job.Job) error {
		j.Strategy = compiled.File.Strategy
		if err := plan.Order(j, compiled); err != nil {
			return err
		}
		j.Tune(job.Progress{Fetched: 100, Kept: 50})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	st, err := s.Look(ctx, "c")
	if err != nil {
		t.Fatal(err)
	}
	want := []job.Adjustment{{Fetched: 100, Kept: 50, Pages: 100, Above: 100, KeptNow: 50, Rule: "raise", Threshold: j.Thresholds.Priority}}
	if diff := cmp.Diff(want, st.Adjustments); diff != "" || j.Thresholds.Priority <= begins {
		t.Errorf("threshold %v after %v, changes (-want +got):\n%s", j.Thresholds.Priority, begins, diff)
	}
	x := s.explain(t, "http://a.test/", "unknown").Constants
	if x.PriorityThreshold != j.Thresholds.Priority || len(x.Changes) != 1 || x.Changes[0].Threshold != j.Thresholds.Priority {
		t.Errorf("explained by %+v", x)
	}

	file := TopicFile{Name: "other.yaml", Data: []byte(topicYAML + "strategy: adaptive\nthresholds: {priority: 0.7}\n")}
	if _, err := s.Pause(ctx, "c"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resume(ctx, "c", Changes{TopicFile: &file}); err != nil {
		t.Fatal(err)
	}
	if j, err = s.parts.Jobs.Get(ctx, "c"); err != nil {
		t.Fatal(err)
	}
	if x := s.explain(t, "http://a.test/", "unknown").Constants; x.PriorityThreshold != .7 || len(x.Changes) != 1 {
		t.Errorf("by another topic explained by %+v", x)
	}
	if j.Thresholds.Priority != .7 || j.Tuning.Ceiling != 4*.7 || j.Tuning.Last.Fetched != 100 || len(j.Tuning.Past) != 0 {
		t.Errorf("by another topic %+v, %+v", j.Thresholds, j.Tuning)
	}
}
