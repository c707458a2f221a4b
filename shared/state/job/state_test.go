package job

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sluice/shared/state/limits"
)

func TestTransitions(t *testing.T) {
	pause := (*Job).Pause
	resume := (*Job).Resume
	stop := func(j *Job) error { return j.Stop("") }
	finish := func(j *Job) error { return j.Finish(ReasonFrontierEmpty) }
	for _, tt := range []struct {
		name   string
		from   State
		reason string
		do     func(*Job) error
		want   State // "" where it is not possible
		why    string
	}{
		{"pause running", Running, "", pause, Paused, ""},
		{"pause paused", Paused, "", pause, "", ""},
		{"pause stopped", Stopped, ReasonStopped, pause, "", ""},
		{"pause done", Done, ReasonFrontierEmpty, pause, "", ""},
		{"resume running", Running, "", resume, "", ""},
		{"resume paused", Paused, "", resume, Running, ""},
		{"resume stopped", Stopped, ReasonStopped, resume, Running, ""},
		{"resume done", Done, ReasonFrontierEmpty, resume, "", ""},
		{"stop running", Running, "", stop, Stopped, ReasonStopped},
		{"stop paused", Paused, "", stop, Stopped, ReasonStopped},
		{"stop stopped", Stopped, "enough", stop, "", ""},
		{"stop done", Done, ReasonFrontierEmpty, stop, "", ""},
		{"finish running", Running, "", finish, Done, ReasonFrontierEmpty},
		{"finish paused", Paused, "", finish, Done, ReasonFrontierEmpty},
		{"finish stopped", Stopped, ReasonStopped, finish, "", ""},
		{"finish done", Done, ReasonMaxPages, finish, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := &Job{ID: "c", State: tt.from, Reason: tt.reason, Quiet: 2}
			err := tt.do(j)
			if tt.want == "" {
				var refused *StateError
				if !errors.As(err, &refused) || refused.State != tt.from || refused.ID != "c" {
					t.Fatalf("error %v, want a StateError of %s", err, tt.from)
				}
				if j.State != tt.from || j.Reason != tt.reason || j.Quiet != 2 {
					t.Errorf("refused, but changed: %+v", j)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if j.State != tt.want || j.Reason != tt.why || j.Quiet != 0 {
				t.Errorf("state %s (%s), quiet %d, want %s (%s)", j.State, j.Reason, j.Quiet, tt.want, tt.why)
			}
			if err := j.checkState(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A crawl that spent a budget continues only with a larger one.
func TestResumeRaised(t *testing.T) {
	end := time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		reason string
		raise  func(*Job)
		want   bool
	}{
		{"nothing raised", ReasonMaxPages, func(*Job) {}, false},
		{"pages raised", ReasonMaxPages, func(j *Job) { j.MaxPages = 101 }, true},
		{"pages left to the topic", ReasonMaxPages, func(j *Job) { j.MaxPages = 0 }, true},
		{"pages lowered", ReasonMaxPages, func(j *Job) { j.MaxPages = 99 }, false},
		{"another budget raised", ReasonMaxPages, func(j *Job) { j.MaxCost = 99 }, false},
		{"deadline later", ReasonMaxDuration, func(j *Job) { j.Deadline = end.Add(1) }, true},
		{"deadline taken away", ReasonMaxDuration, func(j *Job) { j.Deadline = time.Time{} }, true},
		{"deadline earlier", ReasonMaxDuration, func(j *Job) { j.Deadline = end.Add(-1) }, false},
		{"cost raised", ReasonMaxCost, func(j *Job) { j.MaxCost = 3.5 }, true},
		{"cost without a limit", ReasonMaxCost, func(j *Job) { j.MaxCost = 0 }, true},
		{"the same deadline", ReasonMaxDuration, func(*Job) {}, false},
		{"the same cost", ReasonMaxCost, func(*Job) {}, false},
		{"cost lowered", ReasonMaxCost, func(j *Job) { j.MaxCost = 1 }, false},
		{"empty", ReasonFrontierEmpty, func(j *Job) { j.MaxPages, j.MaxCost = 1000, 0 }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := &Job{ID: "c", State: Running, Limits: limits.Limits{MaxPages: 100}, Deadline: end, MaxCost: 3}
			if err := j.Finish(tt.reason); err != nil {
				t.Fatal(err)
			}
			tt.raise(j)
			err := j.Resume()
			if (err == nil) != tt.want {
				t.Fatalf("Resume: %v, want possible: %v", err, tt.want)
			}
			if tt.want && (j.State != Running || j.Spent != nil) {
				t.Errorf("resumed job: %+v", j)
			}
		})
	}
}

// New seeds wake a crawl that ran out of links, and no other.
func TestReopen(t *testing.T) {
	for _, tt := range []struct {
		from   State
		reason string
		want   State
	}{
		{Done, ReasonFrontierEmpty, Running},
		{Done, ReasonHostsDown, Running},
		{Done, ReasonHarvestRate, Running},
		{Done, ReasonCoverage, Running},
		{Done, ReasonMaxPages, Done},
		{Stopped, ReasonStopped, Stopped},
		{Paused, "", Paused},
		{Running, "", Running},
	} {
		j := &Job{ID: "c", State: tt.from, Reason: tt.reason, Order: &Order{Wait: 1, Watch: &Watch{Began: Harvest{Read: 900}}, Growth: &GrowthWatch{Began: Growth{Words: 900}}}}
		err := j.Reopen()
		if watched := j.Order.Watch != nil && j.Order.Growth != nil; watched != (j.State == tt.from) || j.Order.Wait != 1 {
			t.Errorf("Reopen of %s (%s): order %+v", tt.from, tt.reason, j.Order)
		}
		if err != nil || j.State != tt.want || j.checkState() != nil {
			t.Errorf("Reopen of %s (%s): %s (%s), %v, want %s", tt.from, tt.reason, j.State, j.Reason, err, tt.want)
		}
	}
}

func TestFinishReasons(t *testing.T) {
	for _, reason := range []string{"", ReasonStopped, "tired"} {
		j := &Job{ID: "c", State: Running}
		if err := j.Finish(reason); err == nil || j.State != Running {
			t.Errorf("Finish(%q): %v, state %s", reason, err, j.State)
		}
	}
}

// The reason of a user may have 200 bytes.
func TestStopReason(t *testing.T) {
	for n, want := range map[int]State{200: Stopped, 201: Running} {
		j := &Job{ID: "c", State: Running}
		if err := j.Stop(strings.Repeat("x", n)); j.State != want || (err == nil) != (want == Stopped) {
			t.Errorf("Stop with %d bytes: %v, state %s", n, err, j.State)
		}
	}
}

func TestStateErrorText(t *testing.T) {
	for _, tt := range []struct {
		err  StateError
		want string
	}{
		{StateError{"c", "pause", Paused, ""}, "pause crawl c: it is paused"},
		{StateError{"c", "stop", Stopped, ReasonStopped}, "stop crawl c: it is stopped"},
		{StateError{"c", "stop", Done, ReasonMaxPages}, "stop crawl c: it is done (max_pages)"},
		{StateError{"c", "resume", Done, ReasonMaxCost}, "resume crawl c: it is done (max_cost); raise its max_cost first"},
		{StateError{"c", "resume", Done, ReasonMaxPages}, "resume crawl c: it is done (max_pages); raise its max_pages first"},
		{StateError{"c", "resume", Done, ReasonMaxDuration}, "resume crawl c: it is done (max_duration); raise its max_duration first"},
		{StateError{"c", "resume", Done, ReasonFrontierEmpty}, "resume crawl c: it is done (frontier_empty)"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%+v reads %q, want %q", tt.err, got, tt.want)
		}
	}
}
