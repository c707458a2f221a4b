//go:build linux

package cloud_test

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	lambdatypes "github.com/aws/aws-sdk-go-v2/service/lambda/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// steps are done one after the other, each until it is true.
func steps(all ...func() bool) func() bool {
	return func() bool {
		for len(all) > 0 && all[0]() {
			all = all[1:]
		}
		return len(all) == 0
	}
}

// after is a step that takes that long.
func after(d time.Duration) func() bool {
	var begun time.Time
	return func() bool {
		if begun.IsZero() {
			begun = time.Now()
		}
		return time.Since(begun) >= d
	}
}

// do is a step that is done once.
func do(f func()) func() bool {
	return func() bool {
		f()
		return true
	}
}

// asked counts the requests for pages of hosts with this prefix.
func (w *watched) asked(t *testing.T, prefix string) int {
	n := 0
	for _, h := range onlyPages(w.log(t)) {
		if strings.HasPrefix(h.Host, prefix) {
			n++
		}
	}
	return n
}

func (c *cloud) change(t *testing.T, id string, change func(*job.Job) error) {
	t.Helper()
	if _, err := c.Jobs.Update(t.Context(), id, change); err != nil {
		t.Fatal(err)
	}
}

// spare has crawls take no second look, after which a stack stays on for a while.
func (c *cloud) spare(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		c.change(t, id, func(j *job.Job) error {
			j.Holds = false
			return nil
		})
	}
}

// Of two concurrent crawls, one is paused and resumed, the other is stopped.
// When the last has ended, the stack is off and nothing is invoked.
func TestSteer(t *testing.T) {
	t.Parallel()
	const (
		delay = 100 * time.Millisecond
		grace = 8 * time.Second // for current tasks: 25 pages, and a look at the job
	)
	web := watch(t, plainWeb, 0)
	o := cloudOptions{proxy: web.URL, contact: "mailto:ops@example.com", delayMS: int(delay.Milliseconds())}
	c := newCloud(t, o)
	left, right := pages("left", 3, 120), pages("right", 3, 400)
	c.begin(t, &job.Message{Crawl: "left", Limits: limits.Limits{MaxPages: 2000}}, left)
	c.begin(t, &job.Message{Crawl: "right", Limits: limits.Limits{MaxPages: 2000}}, right)
	var paused, other, stopped, invoked int
	begun := time.Now()
	c.run(t, o, steps(
		func() bool {
			return time.Since(begun) > time.Minute || web.asked(t, "left") > 30 && web.asked(t, "right") > 30
		},
		do(func() { c.wantPower(t, true) }),
		do(func() { c.change(t, "left", (*job.Job).Pause) }),
		after(grace),
		do(func() { paused, other = web.asked(t, "left"), web.asked(t, "right") }),
		func() bool { return web.asked(t, "right") > other+50 || time.Since(begun) > 3*time.Minute },
		do(func() {
			if n := web.asked(t, "left"); n != paused || n == len(left) {
				t.Errorf("a paused crawl asked for %d pages, then for %d of %d", paused, n, len(left))
			}
			if web.asked(t, "right") == other {
				t.Error("the other crawl does not go on")
			}
		}),
		do(func() { c.change(t, "left", (*job.Job).Resume) }),
		do(func() { c.spare(t, "left", "right") }),
		do(func() { c.change(t, "right", func(j *job.Job) error { return j.Stop("") }) }),
		after(grace),
		do(func() { stopped = web.asked(t, "right") }),
		c.ended(t, 6*time.Minute, "left", "right"),
		do(func() {
			if n := web.asked(t, "right"); n != stopped || n == len(right) {
				t.Errorf("a stopped crawl asked for %d pages, then for %d of %d", stopped, n, len(right))
			}
		}),
		after(2*time.Second), // for the keeper to look again
		do(func() { invoked = c.invocations() }),
		after(5*time.Second),
	))
	c.wantPower(t, false)
	if n := c.invocations(); n != invoked {
		t.Errorf("%d invocations after the end", n-invoked)
	}
	if j, err := c.Jobs.Get(t.Context(), "right"); err != nil || j.State != job.Stopped {
		t.Errorf("stopped crawl: %+v, %v", j, err)
	}
	hits := onlyPages(web.log(t))
	hits = slices.DeleteFunc(hits, func(h hit) bool { return strings.HasPrefix(h.Host, "right") })
	wantAlone(t, web.log(t), delay)
	c.wantWhole(t, "left", canonical(t, hits))
	if len(hits) != len(left) {
		t.Errorf("%d requests for %d pages", len(hits), len(left))
	}
}

// wantPower checks whether the clock of the stack is on.
func (c *cloud) wantPower(t *testing.T, on bool) {
	t.Helper()
	out, err := c.rules.DescribeRule(t.Context(), &eventbridge.DescribeRuleInput{Name: aws.String(c.env["SLUICE_SCHEDULE"])})
	if err != nil {
		t.Fatal(err)
	}
	if (out.State == "ENABLED") != on {
		t.Errorf("the schedule is %s, want it on: %v", out.State, on)
	}
}

// invocations counts those of the functions that queues invoke.
func (c *cloud) invocations() int {
	n := 0
	for _, name := range []string{"crawl", "clean", "seed"} {
		n += c.fns[name].Usage().Invocations
	}
	return n
}

// The budget of pages holds for all workers together, to within one batch each.
func TestBudget(t *testing.T) {
	t.Parallel()
	const (
		budget = 200
		batch  = 10 * frontier.MaxLinks
	)
	web := watch(t, plainWeb, 5*time.Millisecond)
	o := cloudOptions{proxy: web.URL, contact: "mailto:ops@example.com", concurrency: 3}
	c := newCloud(t, o)
	c.begin(t, &job.Message{Crawl: "budget", Limits: limits.Limits{MaxPages: budget}}, pages("b", 20, 50))
	pumps := c.run(t, o, c.ended(t, 6*time.Minute, "budget"))
	j, err := c.Jobs.Get(t.Context(), "budget")
	if err != nil {
		t.Fatal(err)
	}
	n, workers := len(onlyPages(web.log(t))), pumps["crawl"].Account().MaxConcurrency
	t.Logf("%s: %d pages by up to %d workers at a time", j.Reason, n, workers)
	if j.Reason != job.ReasonMaxPages || n < budget || n > budget+(workers-1)*batch {
		t.Errorf("crawl is %s (%s) after %d pages by %d workers, want %d", j.State, j.Reason, n, workers, budget)
	}
}

// The event source mappings of a stack are on while a crawl runs, and off
// before and after.
func TestMappings(t *testing.T) {
	t.Parallel()
	web := watch(t, plainWeb, 0)
	o := cloudOptions{proxy: web.URL, contact: "mailto:ops@example.com", delayMS: 100, guarded: true}
	c := newCloud(t, o)
	ids := []string{c.mapping(t, "one"), c.mapping(t, "two")}
	c.env["SLUICE_MAPPINGS"] = strings.Join(ids, ",")
	c.wantMappings(t, ids, "Disabled")
	c.begin(t, &job.Message{Crawl: "short", Limits: limits.Limits{MaxPages: 100}}, pages("m", 1, 60))
	c.run(t, o, steps(
		func() bool { return web.asked(t, "m") > 0 },
		do(func() { c.wantMappings(t, ids, "Enabled"); c.spare(t, "short") }),
		c.ended(t, 6*time.Minute, "short"),
		after(2*time.Second),
	))
	c.wantMappings(t, ids, "Disabled")
	c.wantPower(t, false)
}

// mapping creates a function that is never called, and maps an empty queue to
// it.
func (c *cloud) mapping(t *testing.T, name string) (id string) {
	t.Helper()
	client := lambda.NewFromConfig(c.cfg)
	name = c.env["SLUICE_STACK"] + "-" + name
	queue, err := c.sqs.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		t.Fatal(err)
	}
	var code bytes.Buffer
	z := zip.NewWriter(&code)
	if _, err := z.Create("bootstrap"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = client.CreateFunction(t.Context(), &lambda.CreateFunctionInput{
		FunctionName: &name, Role: aws.String("arn:aws:iam::" + account + ":role/none"), Handler: aws.String("bootstrap"),
		Runtime: lambdatypes.RuntimeProvidedal2023, Code: &lambdatypes.FunctionCode{ZipFile: code.Bytes()},
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := client.CreateEventSourceMapping(t.Context(), &lambda.CreateEventSourceMappingInput{
		FunctionName: &name, EventSourceArn: aws.String(arn(*queue.QueueUrl)), Enabled: aws.Bool(false),
	})
	if err != nil {
		t.Fatal(err)
	}
	return *out.UUID
}

func (c *cloud) wantMappings(t *testing.T, ids []string, state string) {
	t.Helper()
	client := lambda.NewFromConfig(c.cfg)
	for _, id := range ids {
		out, err := client.GetEventSourceMapping(t.Context(), &lambda.GetEventSourceMappingInput{UUID: &id})
		if err != nil {
			t.Fatal(err)
		}
		if aws.ToString(out.State) != state {
			t.Errorf("mapping %s is %s, want %s", id, aws.ToString(out.State), state)
		}
	}
}
