package hosts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/fault"
	"sluice/shared/web/fetch"
)

// web answers by URL and counts what it was asked.
type web struct {
	mu      sync.Mutex
	answers map[string]answer
	asked   []string
}

type answer struct {
	status   int
	body     string
	location string
	header   [2]string
	err      error
	wait     time.Duration
}

func (w *web) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	w.mu.Lock()
	w.asked = append(w.asked, r.URL)
	a, ok := w.answers[r.URL]
	w.mu.Unlock()
	if !ok {
		a.status = 404
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(a.wait):
	}
	if a.err != nil {
		return nil, a.err
	}
	h := http.Header{}
	h.Set(a.header[0], a.header[1])
	body := []byte(a.body)[:min(int64(len(a.body)), r.MaxBody)]
	return &fetch.Response{URL: r.URL, Status: a.status, Header: h, Location: a.location, Body: body}, nil
}

// cache is a RobotsCache that stores what a real one would.
type cache struct {
	mu   sync.Mutex
	kept map[string]*Rules
	puts int
	err  error
}

func (c *cache) Robots(_ context.Context, key string, _ time.Time) (*Rules, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[key], c.err
}

func (c *cache) PutRobots(_ context.Context, key string, r *Rules) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]*Rules{}
	}
	c.kept[key] = r
	c.puts++
	return nil
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const (
	origin    = "http://a.test"
	robotsURL = origin + "/robots.txt"
	closed    = "User-agent: *\nDisallow: /"
)

func TestRobotsAnswers(t *testing.T) {
	tests := []struct {
		name   string
		answer answer
		want   string // "open", "closed" or the fault's rule
		class  fault.Class
		valid  time.Duration
	}{
		{"rules", answer{status: 200, body: closed}, "closed", 0, 24 * time.Hour},
		{"short max-age", answer{status: 200, body: closed, header: [2]string{"Cache-Control", "public, max-age=60"}}, "closed", 0, time.Hour},
		{"max-age", answer{status: 200, header: [2]string{"Cache-Control", "MAX-AGE=7200"}}, "open", 0, 2 * time.Hour},
		{"long max-age", answer{status: 200, header: [2]string{"Cache-Control", "max-age=31536000"}}, "open", 0, 24 * time.Hour},
		{"absurd max-age", answer{status: 200, header: [2]string{"Cache-Control", "max-age=99999999999999999999"}}, "open", 0, 24 * time.Hour},
		{"no-cache", answer{status: 200, header: [2]string{"Cache-Control", "no-cache"}}, "open", 0, time.Hour},
		{"none", answer{status: 404, body: closed}, "open", 0, 24 * time.Hour},
		{"not understood", answer{status: 400}, "open", 0, 24 * time.Hour},
		{"not for us", answer{status: 403}, "open", 0, 24 * time.Hour},
		{"not modified, out of the blue", answer{status: 304}, "open", 0, 24 * time.Hour},
		{"redirect without a place", answer{status: 302}, "open", 0, 24 * time.Hour},
		{"redirect to a file", answer{status: 302, location: "file:///etc/passwd"}, "open", 0, 24 * time.Hour},
		{"redirect to nonsense", answer{status: 302, location: "http://[/"}, "open", 0, 24 * time.Hour},
		{"redirect in a circle", answer{status: 302, location: "/robots.txt#x"}, "open", 0, 24 * time.Hour},
		{"broken", answer{status: 500}, RuleUnreachable, fault.After, time.Minute},
		{"busy", answer{status: 503, header: [2]string{"Retry-After", "7"}}, RuleUnreachable, fault.After, time.Minute},
		{"busy for long", answer{status: 503, header: [2]string{"Retry-After", "600"}}, RuleUnreachable, fault.After, 10 * time.Minute},
		{"too many requests", answer{status: 429}, RuleUnreachable, fault.After, time.Minute},
		{"odd status", answer{status: 999}, RuleUnreachable, fault.After, time.Minute},
		{"timeout", answer{err: fault.New(fault.Retryable, "timeout", nil)}, RuleUnreachable, fault.After, time.Minute},
		{"slow", answer{err: fault.New(fault.Permanent, "slow_body", nil)}, RuleUnreachable, fault.After, time.Minute},
		{"unclassified", answer{err: errors.New("odd")}, RuleUnreachable, fault.After, time.Minute},
		{"no such name", answer{err: fault.New(fault.Permanent, "dns", nil)}, "dns", fault.Permanent, time.Minute},
		{"inside address", answer{err: fault.New(fault.Permanent, "address", nil)}, "address", fault.Permanent, time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &web{answers: map[string]answer{robotsURL: tt.answer}}
			c := new(cache)
			r := &Robots{Client: w, Cache: c, Now: func() time.Time { return noon }}
			for range 2 { // the second time as it was kept
				rules, err := r.For(t.Context(), "http", "a.test")
				switch {
				case err != nil:
					if f := fault.Of(err); f.Rule != tt.want || f.Class != tt.class || f.Class == fault.After && f.Delay != tt.valid {
						t.Errorf("got %v %q, delay %v", f.Class, f.Rule, f.Delay)
					}
					cause := fmt.Sprint("status ", tt.answer.status)
					if tt.answer.err != nil {
						cause = tt.answer.err.Error()
					}
					if !strings.Contains(err.Error(), cause) {
						t.Errorf("error %v, want the cause in it: %s", err, cause)
					}
					if rules == nil || rules.Allowed("/") {
						t.Error("unreachable rules allow something")
					}
				case rules.Allowed("/a") != (tt.want == "open"):
					t.Errorf("allowed: %v, want %s", rules.Allowed("/a"), tt.want)
				}
			}
			if n := len(w.asked); n > 1 && tt.answer.location != "/robots.txt#x" || n > 6 {
				t.Errorf("asked %d times", n)
			}
			if err := r.Keep(t.Context(), "http", "a.test"); err != nil {
				t.Fatal(err)
			}
			kept := c.kept[origin]
			if !kept.Fetched().Equal(noon) || kept.Expires().Sub(noon) != tt.valid {
				t.Errorf("holds from %v to %v", kept.Fetched(), kept.Expires())
			}
			back := stored(t, kept)
			if d := cmp.Diff(kept, back, exported); d != "" {
				t.Error("after storing:", d)
			}
		})
	}
}

func TestRobotsRedirects(t *testing.T) {
	w := &web{answers: map[string]answer{
		robotsURL:                    {status: 301, location: "https://a.test/robots.txt"},
		"https://a.test/robots.txt":  {status: 308, location: "//b.test/1"},
		"https://b.test/1":           {status: 302, location: "2"},
		"https://b.test/2":           {status: 307, location: "/3"},
		"https://b.test/3":           {status: 303, location: "/4?x"},
		"https://b.test/4?x":         {status: 200, body: closed},
		"http://far.test/robots.txt": {status: 301, location: robotsURL},
		"http://in.test/robots.txt":  {status: 301, location: "http://10.0.0.1/"},
		"http://10.0.0.1/":           {err: fault.New(fault.Permanent, "address", nil)},
	}}
	r := &Robots{Client: w, Cache: new(cache)}
	if rules, err := r.For(t.Context(), "http", "a.test"); err != nil || rules.Allowed("/a") {
		t.Errorf("five hops: %v", err)
	}
	if rules, err := r.For(t.Context(), "http", "far.test"); err != nil || !rules.Allowed("/a") {
		t.Errorf("six hops: %v", err)
	}
	if _, err := r.For(t.Context(), "http", "in.test"); fault.Of(err).Rule != RuleUnreachable {
		t.Errorf("a hop inside: %v", err)
	}
	if rules, err := r.For(t.Context(), "https", "a.test"); err != nil || rules.Allowed("/a") {
		t.Errorf("another scheme has rules of its own: %v", err)
	}
}

func TestRobotsExpire(t *testing.T) {
	w := &web{answers: map[string]answer{robotsURL: {status: 500}}}
	now := noon
	r := &Robots{Client: w, Cache: new(cache), Now: func() time.Time { return now }}
	ask := func() error {
		_, err := r.For(t.Context(), "http", "a.test")
		return err
	}
	if err := ask(); fault.Of(err).Delay != time.Minute {
		t.Error(err)
	}
	now = now.Add(40 * time.Second)
	if err := ask(); fault.Of(err).Delay != 20*time.Second || len(w.asked) != 1 {
		t.Errorf("%v after %d requests", err, len(w.asked))
	}
	w.answers[robotsURL] = answer{status: 200}
	now = now.Add(20 * time.Second)
	if err := ask(); err != nil || len(w.asked) != 2 {
		t.Errorf("%v after %d requests", err, len(w.asked))
	}
	now = now.Add(24*time.Hour - 1)
	if err := ask(); err != nil || len(w.asked) != 2 {
		t.Errorf("%v after %d requests", err, len(w.asked))
	}
	now = now.Add(1)
	if err := ask(); err != nil || len(w.asked) != 3 {
		t.Errorf("%v after %d requests", err, len(w.asked))
	}
}

// A refresh asks once more, also for the other files of the site, and then uses
// the new rules.
func TestRobotsSince(t *testing.T) {
	w := &web{answers: map[string]answer{robotsURL: {status: 200}}}
	now, c := noon, new(cache)
	clock := func() time.Time { return now }
	askAll(t, &Robots{Client: w, Cache: c, Now: clock})
	w.answers[robotsURL] = answer{status: 200, body: "User-agent: *\nDisallow: /private/"}
	now = now.Add(time.Second)
	anew := &Robots{Client: w, Cache: c, Now: clock, Since: now}
	for _, asker := range []*Robots{anew, anew, {Client: w, Cache: c, Now: clock, Since: anew.Since}} {
		if rules, _ := askAll(t, asker); rules.Allowed("/private/1") {
			t.Error("went by the rules from before")
		}
		now = now.Add(time.Minute)
	}
	if want := []string{robotsURL, tdmURL, aiURL, robotsURL, tdmURL, aiURL}; !slices.Equal(w.asked, want) {
		t.Errorf("asked for %q, want %q", w.asked, want)
	}
	w.answers[robotsURL] = answer{status: 500}
	r := &Robots{Client: w, Cache: c, Now: clock, Since: now}
	if _, err := r.For(t.Context(), "http", "a.test"); fault.Of(err).Rule != RuleUnreachable {
		t.Errorf("robots.txt is out of reach: %v", err)
	}
}

func TestRobotsAtOnce(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		w := &web{answers: map[string]answer{robotsURL: {status: 200, body: closed, wait: time.Second}}}
		r := &Robots{Client: w, Cache: new(cache)}
		var tasks sync.WaitGroup
		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		tasks.Go(func() {
			if _, err := r.For(impatient, "http", "a.test"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the first task got %v", err)
			}
		})
		bubble.Wait() // it is the one that asks
		for range 10 {
			tasks.Go(func() {
				if rules, err := r.For(t.Context(), "http", "a.test"); err != nil || rules.Allowed("/") {
					t.Errorf("a patient task got %v", err)
				}
			})
		}
		tasks.Wait()
		if len(w.asked) != 2 {
			t.Errorf("asked %d times", len(w.asked))
		}
	})
}

func TestRobotsCacheFails(t *testing.T) {
	broken := errors.New("disk")
	r := &Robots{Client: new(web), Cache: &cache{err: broken}}
	if _, err := r.For(t.Context(), "http", "a.test"); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
