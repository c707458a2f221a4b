package outage_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/fault"
	"sluice/shared/web/fetch"
	"sluice/shared/web/outage"
)

// net is a network that is down between times, and hosts that are.
type net struct {
	mu       sync.Mutex
	down     func(host string) error
	requests map[string]int
}

func (n *net) Fetch(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
	host := strings.TrimSuffix(strings.TrimPrefix(r.URL, "http://"), "/")
	n.mu.Lock()
	n.requests[host]++
	n.mu.Unlock()
	time.Sleep(50 * time.Millisecond)
	if err := n.down(host); err != nil {
		return nil, err
	}
	return &fetch.Response{URL: r.URL, Status: 200}, nil
}

var refused = fault.New(fault.Retryable, "connect", errors.New("connection refused"))

// watch makes a Watch over a network.
func watch(opts outage.Options, down func(host string) error) (*outage.Watch, *net) {
	n := &net{down: down, requests: map[string]int{}}
	return outage.New(n, opts), n
}

func get(ctx context.Context, w *outage.Watch, host string) error {
	_, err := w.Fetch(ctx, &fetch.Request{URL: "http://" + host + "/"})
	return err
}

// between reports a failure of all hosts in a part of the time since now.
func between(from, to time.Duration) func(string) error {
	start := time.Now()
	return func(string) error {
		if at := time.Since(start); at >= from && at < to {
			return refused
		}
		return nil
	}
}

// In an outage no request fails. All wait, few probe, and all go on when it is over.
func TestOutage(t *testing.T) {
	t.Parallel()
	for name, from := range map[string]time.Duration{"at the start": 0, "later": 10 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble.Test(t, func(t *testing.T) {
				w, n := watch(outage.Options{Hold: time.Hour, Most: time.Hour}, between(from, from+61*time.Second))
				var all sync.WaitGroup
				for _, host := range []string{"a.test", "b.test", "c.test"} {
					all.Go(func() {
						for range 100 {
							if err := get(t.Context(), w, host); err != nil {
								t.Error(host, err)
							}
							time.Sleep(time.Second)
						}
					})
				}
				time.Sleep(from + 30*time.Second)
				if s := w.State(); s.Since.IsZero() || !errors.Is(s.Cause, refused) {
					t.Errorf("state in the outage: %+v", s)
				}
				all.Wait()
				if s := w.State(); !s.Since.IsZero() {
					t.Errorf("state after the outage: %+v", s)
				}
				extra := -300
				for _, k := range n.requests {
					extra += k
				}
				if extra < 3 || extra > 10 {
					t.Errorf("%d requests in an outage of a minute, want each host's first and some probes", extra)
				}
			})
		})
	}
}

// A host is at fault if others answer, and then at once.
func TestHost(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		start, dies := time.Now(), 10*time.Second
		w, n := watch(outage.Options{}, func(host string) error {
			if host == "new.test" || host == "old.test" && time.Since(start) > dies {
				return refused
			}
			return nil
		})
		var all sync.WaitGroup
		all.Go(func() {
			for range 40 {
				if err := get(t.Context(), w, "fine.test"); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Second)
			}
		})
		for range 5 {
			if err := get(t.Context(), w, "old.test"); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
		}
		for _, host := range []string{"old.test", "new.test"} {
			time.Sleep(dies)
			asked := time.Now()
			if err := get(t.Context(), w, host); !errors.Is(err, refused) || time.Since(asked) > 2*time.Second {
				t.Errorf("%s: %v after %s, want its failure when another host has answered", host, err, time.Since(asked))
			}
		}
		all.Wait()
		if n.requests["old.test"] != 6 || n.requests["new.test"] != 1 {
			t.Errorf("requests %v, want one for each failure", n.requests)
		}
		// Alone, a host that never answered is at fault, too.
		if err := get(t.Context(), w, "new.test"); !errors.Is(err, refused) {
			t.Error("alone:", err)
		}
	})
}

// What cannot be an outage is no reason to wait.
func TestOtherFailures(t *testing.T) {
	t.Parallel()
	for _, f := range []*fault.Error{
		fault.New(fault.Permanent, "dns", errors.New("no such host")),
		fault.New(fault.Permanent, "tls", errors.New("expired")),
		fault.New(fault.Retryable, "truncated", errors.New("EOF")),
	} {
		bubble.Test(t, func(t *testing.T) {
			w, _ := watch(outage.Options{}, func(string) error { return f })
			asked := time.Now()
			if err := get(t.Context(), w, "a.test"); !errors.Is(err, f) || time.Since(asked) > time.Second {
				t.Errorf("%v after %s, want %v at once", err, time.Since(asked), f)
			}
		})
	}
}

// A request does not wait longer than it may, and no outage lasts for ever.
func TestBounds(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		w, _ := watch(outage.Options{Hold: time.Minute, Most: 10 * time.Minute, Over: func() { close(ended) }}, func(string) error { return refused })
		start := time.Now()
		for {
			asked := time.Now()
			err := get(t.Context(), w, "a.test")
			if f := fault.Of(err); f.Rule != outage.Rule || f.Class != fault.After || !errors.Is(err, refused) {
				t.Fatalf("error %v, want one of the outage with its cause", err)
			}
			if lasted := time.Since(asked); lasted > 62*time.Second {
				t.Errorf("waited %s", lasted)
			}
			select {
			case <-ended:
				if lasted := time.Since(start); lasted < 10*time.Minute || lasted > 10*time.Minute+2*time.Second {
					t.Errorf("over after %s, want ten minutes", lasted)
				}
				return
			default:
			}
		}
	})
}

// A page that never answers is no outage while its host answers otherwise, though nothing
// else is asked; nor is a host while others answer now and then.
func TestNoOutage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		hold     time.Duration
		dead     string // the host, or one page of it
		other    time.Duration
		requests int // of the page, for three failures
	}{
		{name: "page", hold: time.Minute, dead: "a.test/slow", requests: 4},
		{name: "page, no time to wait", hold: time.Second, dead: "a.test/slow", requests: 6},
		{name: "host, others have a long delay", hold: time.Minute, dead: "a.test", other: 20 * time.Second, requests: 9},
		{name: "host, others have a longer delay", hold: time.Second, dead: "a.test", other: 90 * time.Second, requests: 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			bubble.Test(t, func(t *testing.T) {
				dead := ""
				w, n := watch(outage.Options{Hold: tt.hold}, func(at string) error {
					if dead != "" && strings.HasPrefix(at, dead) {
						return refused
					}
					return nil
				})
				if err := get(t.Context(), w, "a.test"); err != nil {
					t.Fatal(err)
				}
				dead = tt.dead
				var all sync.WaitGroup
				start, failures := time.Now(), 0
				all.Go(func() {
					for tt.other > 0 && time.Since(start) < 11*time.Minute {
						_ = get(t.Context(), w, "b.test")
						time.Sleep(tt.other)
					}
				})
				time.Sleep(time.Second)
				for failures < 3 && time.Since(start) < 10*time.Minute {
					if err := get(t.Context(), w, "a.test/slow"); errors.Is(err, refused) && outage.Of(err) == nil {
						failures++
					}
					time.Sleep(time.Second)
				}
				took := time.Since(start)
				all.Wait()
				if failures < 3 || n.requests["a.test/slow"] > tt.requests {
					t.Errorf("%d failures after %s and requests %v, want three with at most %d of the page", failures, took, n.requests, tt.requests)
				}
			})
		})
	}
}

// An outage ends, too, where robots.txt never answers again.
func TestProbeOfPage(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		down := between(0, 10*time.Second)
		w, n := watch(outage.Options{}, func(at string) error {
			if strings.HasSuffix(at, "/robots.txt") {
				return refused
			}
			return down(at)
		})
		start := time.Now()
		if err := get(t.Context(), w, "a.test/page"); err != nil || time.Since(start) > time.Minute {
			t.Errorf("%v after %s, requests %v", err, time.Since(start), n.requests)
		}
	})
}

// The end of a request's context ends its wait.
func TestCanceled(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		w, _ := watch(outage.Options{}, func(string) error { return refused })
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if err := get(ctx, w, "a.test"); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// A host that keeps requests waiting for longer than the pause between probes is not asked
// again at once.
func TestRestOfHost(t *testing.T) {
	t.Parallel()
	bubble.Test(t, func(t *testing.T) {
		ended := map[string]time.Time{}
		var mu sync.Mutex
		hangs := func(at string) error {
			host, _, _ := strings.Cut(at, "/")
			mu.Lock()
			if last, asked := ended[host]; asked && time.Since(last) < 4*time.Second {
				t.Errorf("%s was asked %s after it had failed", at, time.Since(last))
			}
			mu.Unlock()
			time.Sleep(20 * time.Second)
			mu.Lock()
			defer mu.Unlock()
			ended[host] = time.Now()
			return fault.New(fault.Retryable, "timeout", errors.New("no response head in time"))
		}
		w, n := watch(outage.Options{Hold: 5 * time.Minute}, hangs)
		var all sync.WaitGroup
		for i, host := range []string{"a.test", "b.test", "c.test"} {
			all.Go(func() {
				time.Sleep(time.Duration(i) * 10 * time.Second)
				if err := get(t.Context(), w, host+"/page"); outage.Of(err) == nil {
					t.Error(host, err)
				}
			})
		}
		all.Wait()
		if len(n.requests) < 4 {
			t.Errorf("requests %v, want each host's and probes", n.requests)
		}
	})
}
