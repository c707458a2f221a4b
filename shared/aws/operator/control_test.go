package operator

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/stack"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

func TestOpenNoStack(t *testing.T) {
	newStack(t)
	if _, err := Open(t.Context(), "no-such-stack"); !errors.Is(err, stack.ErrNoStack) {
		t.Errorf("Open of none: %v", err)
	}
}

// Missing credentials or region are reported before any request.
func TestOpenNoCredentials(t *testing.T) {
	for key, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_REGION": "us-east-1",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "", "AWS_WEB_IDENTITY_TOKEN_FILE": "",
	} {
		t.Setenv(key, value)
	}
	if _, err := Open(t.Context(), "s"); !errors.Is(err, errCredentials) {
		t.Errorf("without credentials: %v", err)
	}
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	if _, err := Open(t.Context(), "s"); !errors.Is(err, errRegion) {
		t.Errorf("without region: %v", err)
	}
}

func wantState(t *testing.T, j *job.Job, err error, state job.State, reason string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if j.State != state || j.Reason != reason {
		t.Errorf("crawl is %s (%q), want %s (%q)", j.State, j.Reason, state, reason)
	}
}

func TestControl(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.Create(t, job.Message{Crawl: "c"})

	j, err := s.Pause(ctx, "c")
	wantState(t, j, err, job.Paused, "")
	if _, err := s.Pause(ctx, "c"); err == nil {
		t.Error("a paused crawl was paused")
	}
	if rule, mapping := s.On(t); rule || mapping {
		t.Errorf("before resume the rule is %v and the mapping %v", rule, mapping)
	}
	j, err = s.Resume(ctx, "c", Changes{})
	wantState(t, j, err, job.Running, "")
	if rule, mapping := s.On(t); !rule || !mapping {
		t.Errorf("after resume the rule is %v and the mapping %v", rule, mapping)
	}
	j, err = s.Resume(ctx, "c", Changes{Limits: limits.Limits{MaxPages: 7, MaxDuration: time.Hour}, MaxCost: 1.5}) // it runs
	wantState(t, j, err, job.Running, "")
	if left := time.Until(j.Deadline); j.MaxPages != 7 || j.MaxCost != 1.5 || left < 59*time.Minute || left > time.Hour {
		t.Errorf("budgets are %+v", j)
	}
	s.PutObject(t, "topics/t.topic", topicYAML) // whose scope the crawl has
	delay := 5 * time.Second
	j, err = s.Resume(ctx, "c", Changes{Limits: limits.Limits{MaxPagesPerHost: 3, MaxDepth: 2}, Delay: &delay, Scope: &limits.Scope{Mode: "host"}})
	wantState(t, j, err, job.Running, "")
	if j.MaxPages != 7 || j.MaxPagesPerHost != 3 || j.MaxDepth != 2 || j.Delay != delay || j.Scope == nil || j.Scope.Mode != "host" {
		t.Errorf("changed crawl is %+v", j)
	}
	if _, err := s.Resume(ctx, "c", Changes{Scope: &limits.Scope{Mode: "planet"}}); !errors.Is(err, ErrRequest) {
		t.Errorf("invalid scope: %v", err)
	}
	if _, err := s.Resume(ctx, "c", Changes{Topic: "topics/none.topic"}); !errors.Is(err, ErrRequest) {
		t.Errorf("invalid topic: %v", err)
	}
	j, err = s.Resume(ctx, "c", Changes{TopicFile: &TopicFile{Name: "t.yaml", Data: []byte("name: other\nlanguage: zh\nwords: [体育]\nseeds: ['http://a.demo.test/']\nstrategy: hybrid\n")}})
	wantState(t, j, err, job.Running, "")
	if j.Order == nil || !j.Order.Learns || j.Strategy != "hybrid" {
		t.Errorf("the strategy with the new topic is %q, its order %+v", j.Strategy, j.Order)
	}
	if j.Topic != "topics/other.topic" {
		t.Errorf("new topic is %s", j.Topic)
	}
	j, err = s.Stop(ctx, "c", "enough")
	wantState(t, j, err, job.Stopped, "enough")

	_, err = s.Pause(ctx, "none")
	_, err2 := s.Stop(ctx, "none", "")
	_, err3 := s.Resume(ctx, "No Crawl", Changes{})
	for _, err := range []error{err, err2, err3} {
		if !errors.Is(err, job.ErrUnknown) {
			t.Errorf("change of no crawl: %v", err)
		}
	}
}

// A change of the scope keeps what it does not name, even if that was the
// topic's.
func TestResumeRescopes(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	s.PutObject(t, "topics/t.topic", topicYAML+"scope: {mode: host, allow: [t.test]}\n")
	s.Create(t, job.Message{Crawl: "c"})
	for _, tt := range []struct {
		change Changes
		want   *limits.Scope
	}{
		{Changes{Limits: limits.Limits{MaxPages: 5}}, nil},
		{Changes{Scope: &limits.Scope{Deny: []string{"http://a.test/login/"}}}, &limits.Scope{Mode: "host", Allow: []string{"t.test"}, Deny: []string{"http://a.test/login/"}}},
		{Changes{Scope: &limits.Scope{Allow: []string{"b.test", "*.c.test"}}}, &limits.Scope{Mode: "host", Allow: []string{"b.test", "*.c.test"}, Deny: []string{"http://a.test/login/"}}},
		{Changes{Scope: &limits.Scope{Mode: "domain", Deny: []string{}}}, &limits.Scope{Mode: "domain", Allow: []string{"b.test", "*.c.test"}}},
	} {
		if _, err := s.Resume(ctx, "c", tt.change); err != nil {
			t.Fatal(err)
		}
		j, err := s.parts.Jobs.Get(ctx, "c")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, j.Scope); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.change, diff)
		}
	}
	if _, err := s.Resume(ctx, "c", Changes{Scope: &limits.Scope{Allow: []string{"a b/"}}}); !errors.Is(err, ErrRequest) {
		t.Errorf("an invalid entry: %v", err)
	}
}

// A crawl that a budget ended resumes only with a larger budget.
func TestResumeRaises(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	finish := func(reason string, change func(*job.Job)) {
		t.Helper()
		_, err := s.parts.Jobs.Update(ctx, "c", func(j *job.Job) error {
			change(j)
			return j.Finish(reason)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	s.Create(t, job.Message{Crawl: "c", Limits: limits.Limits{MaxPages: 10}, MaxCost: 1})
	for _, tt := range []struct {
		reason string
		raise  Changes
		other  Changes
		change func(*job.Job)
	}{
		{job.ReasonMaxPages, Changes{Limits: limits.Limits{MaxPages: 20}}, Changes{MaxCost: 5}, func(*job.Job) {}},
		{job.ReasonMaxCost, Changes{MaxCost: 6}, Changes{Limits: limits.Limits{MaxPages: 30}}, func(*job.Job) {}},
		{job.ReasonMaxDuration, Changes{Limits: limits.Limits{MaxDuration: time.Hour}}, Changes{Limits: limits.Limits{MaxPages: 40}}, func(j *job.Job) { j.Deadline = time.Now().Add(-time.Second).UTC() }},
	} {
		finish(tt.reason, tt.change)
		for _, b := range []Changes{{}, tt.other} {
			if _, err := s.Resume(ctx, "c", b); err == nil {
				t.Errorf("%s: resumed with %+v", tt.reason, b)
			}
		}
		j, err := s.Resume(ctx, "c", tt.raise)
		wantState(t, j, err, job.Running, "")
	}
	// A paused crawl past its deadline would end at once.
	_, err := s.parts.Jobs.Update(ctx, "c", func(j *job.Job) error {
		j.Deadline = time.Now().Add(-time.Second).UTC()
		return j.Pause()
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resume(ctx, "c", Changes{}); !errors.Is(err, ErrRequest) {
		t.Errorf("resume after the deadline: %v", err)
	}
	j, err := s.Resume(ctx, "c", Changes{Limits: limits.Limits{MaxDuration: time.Hour}})
	wantState(t, j, err, job.Running, "")
}
