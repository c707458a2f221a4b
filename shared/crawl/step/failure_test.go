package step_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/web/hosts"
	"sluice/shared/web/outage"
)

var errBroken = errors.New("disk is gone")

// brokenCache is a robots cache that can't be read.
type brokenCache struct{}

func (brokenCache) Robots(context.Context, string, time.Time) (*hosts.Rules, error) {
	return nil, errBroken
}
func (brokenCache) PutRobots(context.Context, string, *hosts.Rules) error { return errBroken }

// Retry-After is meant for all of a server's pages: the host pauses, and what
// is left goes back as one message with that delay.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"429", "503"} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, plain)
			w.web.pages["http://a.test/2"] = status + "\nRetry-After: 90\n"
			out := w.run(t, threeLinks()...)
			if got := w.next(t); got != 90*time.Second {
				t.Errorf("the host may be asked again in %s, want 1m30s", got)
			}
			if out.Why != "http_"+status {
				t.Errorf("the host has a pause by %q, want http_%s", out.Why, status)
			}
			if len(out.Rest) != 1 || out.Rest[0].Delay != 90*time.Second || !slices.Equal(urls(out.Rest[0].Task), []string{"http://a.test/2", "http://a.test/3"}) {
				t.Errorf("rest is %s, want pages 2 and 3 in 1m30s", describe(out))
			}
			if n := w.web.requests()["http://a.test/3"]; n != 0 {
				t.Error("the next page was asked for")
			}
			if l := out.Rest[0].Task.Links[0]; l.Attempts != 1 {
				t.Errorf("the page has %d attempts, want 1", l.Attempts)
			}
		})
	}
}

// A failure that may pass concerns its page: it comes again later, each time
// after a longer wait, while the task continues.
func TestRetryableFailure(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"500", "408", "fail retryable timeout"} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, plain)
			w.web.pages["http://a.test/1"] = answer + "\n"
			out := w.run(t, threeLinks()...)
			if out.Kept != 2 || len(out.Rest) != 1 || !slices.Equal(urls(out.Rest[0].Task), []string{"http://a.test/1"}) {
				t.Fatalf("kept %d, rest %s; want the others kept and page 1 left", out.Kept, describe(out))
			}
			var waits []time.Duration
			for len(out.Rest) > 0 {
				rest := out.Rest[0]
				waits = append(waits, rest.Delay)
				w.clock.advance(rest.Delay)
				var err error
				if out, err = w.try(t, rest.Task); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.IsSorted(waits) || len(slices.Compact(waits)) != 4 || waits[0] < time.Second {
				t.Errorf("waits are %v, want four that grow", waits)
			}
			w.checkDead(t, "http://a.test/1", 5)
		})
	}
}

// In an outage the host pauses, and neither it nor the link is worse off.
func TestOutage(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"http://a.test/1", "http://a.test/robots.txt", "http://a.test/ai.txt", "http://a.test/.well-known/tdmrep.json"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, plain)
			before, known := w.web.pages[at]
			w.web.pages[at] = "fail after " + outage.Rule + "\n"
			out := w.run(t, threeLinks()...)
			if len(out.Rest) != 1 || out.Rest[0].Delay != 30*time.Second || !slices.Equal(urls(out.Rest[0].Task), frontier.URLs(threeLinks())) {
				t.Errorf("rest is %s, want all pages in 30s", describe(out))
			}
			if l := out.Rest[0].Task.Links[0]; l.Attempts != 0 || out.Fetched != 0 {
				t.Errorf("%d attempts, %d fetched; want none", l.Attempts, out.Fetched)
			}
			if delete(w.web.pages, at); known {
				w.web.pages[at] = before
			}
			w.clock.advance(30 * time.Second)
			if out = w.run(t, out.Rest[0].Task.Links...); out.Kept != 3 {
				t.Errorf("%d pages kept afterwards, want 3; rest %s", out.Kept, describe(out))
			}
		})
	}
}

// A host that has answered and goes down for ten minutes is asked less and less often, and
// loses no page.
func TestHostGoesDown(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"connect", "timeout", "truncated"} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, plain)
			pages := maps.Clone(w.web.pages)
			for _, l := range threeLinks()[1:] {
				w.web.pages[l.URL] = "fail retryable " + rule + "\n"
			}
			out := w.run(t, threeLinks()...)
			var waits []time.Duration
			for spent := time.Duration(0); len(out.Rest) > 0; {
				rest := out.Rest[0]
				if len(out.Rest) > 1 {
					t.Fatalf("rest is %s, want one message", describe(out))
				}
				waits = append(waits, rest.Delay)
				w.clock.advance(rest.Delay)
				if spent += rest.Delay; spent > 10*time.Minute {
					maps.Copy(w.web.pages, pages)
				}
				out = w.run(t, rest.Task.Links...)
				if out.Dead > 0 || out.Closed || len(waits) > 20 {
					t.Fatalf("after %s: %d dead, closed %v", spent, out.Dead, out.Closed)
				}
			}
			w.wantFates(t, map[string]string{"http://a.test/1": "kept", "http://a.test/2": "kept", "http://a.test/3": "kept"})
			if n := len(w.web.requests()); n != 3 {
				t.Errorf("%d pages were asked for, want 3", n)
			}
			for _, l := range threeLinks()[1:] {
				var trace step.Trace
				if err := json.Unmarshal(w.trail(t, l.URL).Entry.Trace, &trace); err != nil || trace.Link.Attempts > 1 {
					t.Errorf("%s: %d attempts (%v), want the first alone", l.URL, trace.Link.Attempts, err)
				}
			}
			longest := slices.Max(waits)
			if len(waits) > 12 || longest < 4*time.Minute {
				t.Errorf("waits %v, want few that grow", waits)
			}
		})
	}
}

// So is a host whose robots.txt has expired meanwhile, and cannot be fetched again.
func TestHostGoesDownWithoutRobots(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	before, known := w.web.pages["http://a.test/robots.txt"]
	if out := w.run(t, link("http://a.test/1")); out.Kept != 1 {
		t.Fatal("the first page was not kept")
	}
	w.clock.advance(25 * time.Hour)
	w.web.pages["http://a.test/robots.txt"] = "fail retryable connect\n"
	out := w.run(t, threeLinks()[1:]...)
	asked := 0
	for spent := time.Duration(0); len(out.Rest) > 0; asked++ {
		if len(out.Rest) > 1 || asked > 20 {
			t.Fatalf("after %s: rest is %s, want one message", spent, describe(out))
		}
		rest := out.Rest[0]
		w.clock.advance(rest.Delay)
		if spent += rest.Delay; spent > 15*time.Minute {
			if delete(w.web.pages, "http://a.test/robots.txt"); known {
				w.web.pages["http://a.test/robots.txt"] = before
			}
		}
		if out = w.run(t, rest.Task.Links...); out.Dead > 0 || out.Closed {
			t.Fatalf("after %s: %d dead, closed %v", spent, out.Dead, out.Closed)
		}
	}
	w.wantFates(t, map[string]string{"http://a.test/2": "kept", "http://a.test/3": "kept"})
	if asked > 12 {
		t.Errorf("asked %d times, want less and less often", asked)
	}
}

// A page whose connections are cut, on a host that answers otherwise, is to blame: it is
// abandoned after some attempts.
func TestPageCutsConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	if out := w.run(t, link("http://a.test/1")); out.Kept != 1 {
		t.Fatal("the first page was not kept")
	}
	w.web.pages["http://a.test/cut"] = "fail retryable connect\n"
	task := w.task(t, link("http://a.test/cut"))
	for n := range 10 {
		out, err := w.try(t, task)
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Rest) == 0 {
			break
		}
		task = out.Rest[0].Task
		w.clock.advance(out.Rest[0].Delay)
		good := fmt.Sprintf("http://a.test/good%d", n)
		w.web.pages[good] = w.web.pages["http://a.test/1"]
		w.run(t, link(good))
	}
	w.checkDead(t, "http://a.test/cut", 5)
}

// checkDead checks that a page was requested so often and then abandoned, with the
// reason in every store.
func (w *world) checkDead(t *testing.T, url string, attempts int) {
	t.Helper()
	if n := w.web.requests()[url]; n != attempts {
		t.Errorf("%s was asked for %d times, want %d", url, n, attempts)
	}
	trail := w.trail(t, url)
	if trail.Entry == nil || trail.Entry.Verdict != "dead" || trail.Entry.Rule == "" {
		t.Fatalf("entry is %+v, want dead with a rule", trail.Entry)
	}
	if trail.Dead == nil || !strings.HasPrefix(trail.Dead.Reason, trail.Entry.Rule) || trail.Dead.Link.Attempts != attempts {
		t.Errorf("dead letter is %+v, want one with the reason %s and %d attempts", trail.Dead, trail.Entry.Rule, attempts)
	}
	if len(w.rejects(t)) != 0 {
		t.Errorf("rejects are %v, want none: nothing is known of the page", w.rejects(t))
	}
}

// A page whose server asks to wait for ever is abandoned, too.
func TestRetryAfterForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- http://a.test/1 --\n503\nRetry-After: 10\n")
	w.opts.MaxAttempts = 3
	w.crawl(t, link("http://a.test/1"))
	w.checkDead(t, "http://a.test/1", 3)
}

// What would fail again the same way is recorded at once and never asked for
// again.
func TestPermanentFailure(t *testing.T) {
	t.Parallel()
	for answer, rule := range map[string]string{
		"404": "http_404", "410": "http_410", "403": "http_403",
		"fail permanent too_large": "too_large", "fail permanent tls": "tls",
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, plain)
			w.web.pages["http://a.test/1"] = answer + "\n"
			out := w.run(t, threeLinks()...)
			if out.Kept != 2 || len(out.Rest) != 0 {
				t.Errorf("kept %d, rest %s; want the others kept and nothing left", out.Kept, describe(out))
			}
			if got := w.fate(t, "http://a.test/1"); got != "rejected "+rule {
				t.Errorf("the page is %s, want rejected %s", got, rule)
			}
			if r := w.rejects(t)["http://a.test/1"]; r.Rule != rule || r.Detail == "" {
				t.Errorf("reject is %+v, want rule %s and a detail", r, rule)
			}
		})
	}
}

// A link that is no URL is poison: it can't be fetched or finished.
// The error says so, and its class keeps the engine from trying again.
func TestBadLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	_, err := w.try(t, &frontier.Task{ID: "bad", Crawl: crawlID, Host: "a.test", Links: []frontier.Link{{URL: "http://["}}})
	if err == nil || !strings.Contains(err.Error(), "bad_link") {
		t.Errorf("error is %v, want bad_link", err)
	}
	if w.next(t) > 0 {
		t.Error("the host is not free")
	}
}

// The end of the context aborts a fetch: no verdict, no attempt, the host is
// free again.
func TestCanceled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	ctx, cancel := context.WithCancel(t.Context())
	w.watch(func(effect, _ string) error {
		if effect == "States" {
			cancel()
		}
		return nil
	})
	if _, err := w.tryCtx(ctx, w.task(t, threeLinks()...)); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
	if w.trail(t, "http://a.test/1").Entry != nil {
		t.Error("the page was finished")
	}
	if _, err := w.store.Leases().Acquire(t.Context(), crawlID, "a.test", "next", time.Minute); err != nil {
		t.Errorf("the host is not free: %v", err)
	}
}
