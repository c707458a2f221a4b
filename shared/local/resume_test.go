package local_test

import (
	"context"
	"testing"
	"time"

	"sluice/shared/local"
	"sluice/shared/local/engine"
)

// The budget of time is the Spec's, that of the crawl to continue, or the
// topic's.
func TestMaxDuration(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	for _, tt := range []struct {
		name        string
		given, want time.Duration
		resume      bool
	}{
		{"given", time.Hour, time.Hour, false},
		{"as it was started", 0, time.Hour, true},
		{"given again", time.Minute, time.Minute, true},
	} {
		s.MaxDuration, s.Resume = tt.given, tt.resume
		c := open(t, s)
		if got := c.MaxDuration(); got != tt.want {
			t.Errorf("%s: MaxDuration = %v, want %v", tt.name, got, tt.want)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s = spec(t, web.URL+"/")
	s.Topic.File.Budgets.MaxDuration = 2 * time.Hour
	c := open(t, s)
	defer func() { _ = c.Close() }()
	if got := c.MaxDuration(); got != 2*time.Hour {
		t.Errorf("by the topic: MaxDuration = %v, want 2h", got)
	}
}

// A crawl says why it ended, and one that was cut short continues where it was:
// in the end everything is there, and nothing was asked for twice.
func TestStopAndResume(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reason string
		change       func(s *local.Spec)
		cause        error // the run is stopped with, at its third page; nil: it is not
	}{
		{name: "budget of pages", reason: "max_pages", change: func(s *local.Spec) { s.MaxPages = 3 }},
		{name: "budget of time", reason: "max_duration", change: func(s *local.Spec) { s.MaxDuration = time.Nanosecond }},
		{name: "interrupted", reason: "interrupted", change: func(*local.Spec) {}, cause: engine.ErrInterrupted},
		{name: "budget of pages, in rounds", reason: "max_pages", change: func(s *local.Spec) { s.MaxPages, s.RandomSeed = 3, 9 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			web := money(t)
			s := spec(t, web.URL+"/")
			tt.change(&s)
			stop, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if tt.cause != nil {
				web.on = func(string) {
					if web.total() == 7 { // three are files of the site, one is its sitemap
						cancel(tt.cause)
					}
				}
			}
			c := open(t, s)
			sum, err := c.Run(t.Context(), stop)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			if sum.StopReason != tt.reason || sum.Fetched > 3 || sum.Fetched < 3 && tt.reason != "max_duration" {
				t.Errorf("stopped by %s after %d pages, want %s after 3", sum.StopReason, sum.Fetched, tt.reason)
			}
			s.Resume, s.MaxPages, s.MaxDuration = true, 100, time.Hour
			sum = run(t, s)
			if sum.StopReason != "frontier_empty" || sum.Fetched != 7 || sum.Kept != 3 {
				t.Errorf("resumed: %s after %d pages, %d kept; want frontier_empty, 7, 3", sum.StopReason, sum.Fetched, sum.Kept)
			}
			for at, n := range web.asked {
				if n > 1 {
					t.Errorf("%s was asked for %d times", at, n)
				}
			}
		})
	}
}

// A smaller budget holds for what is queued already, too.
func TestSmallerBudget(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	stop, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	web.on = func(string) {
		if web.total() == 7 { // three are files of the site, one is its sitemap
			cancel(engine.ErrInterrupted)
		}
	}
	c := open(t, s)
	if _, err := c.Run(t.Context(), stop); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	s.Resume = true
	for _, tt := range []struct {
		budget  int
		reason  string
		fetched int64
	}{{2, "max_pages", 3}, {4, "max_pages", 4}, {100, "frontier_empty", 7}} {
		s.MaxPages = tt.budget
		if sum := run(t, s); sum.StopReason != tt.reason || sum.Fetched != tt.fetched {
			t.Errorf("budget %d: %s after %d pages, want %s after %d", tt.budget, sum.StopReason, sum.Fetched, tt.reason, tt.fetched)
		}
	}
}

// A crawl whose last page uses up the budget ends by it, as on a stack, though
// nothing else waits.
func TestLastPage(t *testing.T) {
	t.Parallel()
	s := spec(t, money(t).URL+"/")
	for _, tt := range []struct {
		budget int
		reason string
	}{{7, "max_pages"}, {8, "frontier_empty"}} {
		s.MaxPages = tt.budget
		if sum := run(t, s); sum.StopReason != tt.reason || sum.Fetched != 7 {
			t.Errorf("budget %d: %s after %d pages, want %s after 7", tt.budget, sum.StopReason, sum.Fetched, tt.reason)
		}
		s.Resume = true
	}
}

// A crawl whose corpus is not finished is not at its end.
func TestBreakOffFinish(t *testing.T) {
	t.Parallel()
	web := bulletin(t)
	s := spec(t, web.URL+"/")
	s.Delay = 0
	c := open(t, s)
	stop, cancel := context.WithCancelCause(t.Context())
	cancel(engine.ErrInterrupted)
	if left, err := c.Finish(t.Context(), stop); !left || err != nil {
		t.Errorf("broken off: %v, error %v", left, err)
	}
	if left, err := c.Finish(t.Context(), t.Context()); left || err != nil {
		t.Errorf("left to its end: %v, error %v", left, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
