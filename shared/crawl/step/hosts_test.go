package step_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/limits"
	"sluice/shared/web/hosts"
	"sluice/shared/web/urlnorm"
)

const plain = `
-- http://a.test/1 --
<title>股市</title>$TEXT
-- http://a.test/2 --
<title>股市</title>$TEXT
-- http://a.test/3 --
<title>股市</title>$TEXT
`

// threeLinks are the pages of plain, in order.
func threeLinks() []frontier.Link {
	return []frontier.Link{link("http://a.test/1"), link("http://a.test/2"), link("http://a.test/3")}
}

// next returns when a.test may be asked again.
func (w *world) next(t *testing.T) time.Duration {
	t.Helper()
	return w.lease(t).Next.Sub(w.clock.now())
}

// askSite learns what a.test says about itself: the next request is for a page.
func (w *world) askSite(t *testing.T) {
	t.Helper()
	rules, err := w.ports.Robots.For(t.Context(), "http", "a.test")
	for rules != nil && err == nil {
		rules, _, err = w.ports.Robots.Ask(t.Context(), "http", "a.test", rules)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// lease returns the lease of a.test as the next owner gets it.
func (w *world) lease(t *testing.T) *hosts.Lease {
	t.Helper()
	l, err := w.store.Leases().Acquire(t.Context(), crawlID, "a.test", "test", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.store.Leases().Release(t.Context(), crawlID, l); err != nil {
		t.Fatal(err)
	}
	return l
}

// What robots.txt forbids is never asked for, and is no reject: there is no
// page.
func TestRobotsDeny(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain+`
-- http://a.test/robots.txt --
200
Content-Type: text/plain

User-agent: *
Disallow: /2
`)
	out := w.run(t, threeLinks()...)
	want := map[string]string{"http://a.test/1": "kept", "http://a.test/2": "skipped robots", "http://a.test/3": "kept"}
	w.wantFates(t, want)
	if n := w.web.requests()["http://a.test/2"]; n != 0 || out.Fetched != 2 || len(w.rejects(t)) != 0 {
		t.Errorf("asked %d times for the forbidden page, %d pages fetched, rejects %v", n, out.Fetched, w.rejects(t))
	}
}

// robots.txt may ask for more than the crawl's own delay, never for less. The
// rest of a task that can't wait in place goes back with the delay.
func TestDelays(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		delay  time.Duration
		robots string
		want   time.Duration
		why    string
	}{
		{"the crawl's own", 3 * time.Second, "", 3 * time.Second, ""},
		{"Crawl-delay asks for more", 3 * time.Second, "User-agent: *\nCrawl-delay: 7", 7 * time.Second, step.RuleCrawlDelay},
		{"Crawl-delay asks for less", 3 * time.Second, "User-agent: *\nCrawl-delay: 1", 3 * time.Second, ""},
		{"Crawl-delay alone", 0, "User-agent: *\nCrawl-delay: 7", 7 * time.Second, step.RuleCrawlDelay},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, plain+"-- http://a.test/robots.txt --\n200\nContent-Type: text/plain\n\n"+tt.robots+"\n")
			w.plan.Delay = tt.delay
			w.askSite(t)
			out := w.run(t, threeLinks()...)
			if got := w.next(t); got != tt.want || out.Why != tt.why {
				t.Errorf("the host may be asked again in %s by %q, want %s by %q", got, out.Why, tt.want, tt.why)
			}
			if len(out.Rest) != 1 || out.Rest[0].Delay != tt.want || !slices.Equal(urls(out.Rest[0].Task), []string{"http://a.test/2", "http://a.test/3"}) {
				t.Errorf("rest is %s, want pages 2 and 3 in %s", describe(out), tt.want)
			}
			early, err := w.try(t, out.Rest[0].Task)
			if n := len(w.web.requests()); err != nil || n != 1 || len(early.Rest) != 1 {
				t.Errorf("%d pages were asked for before the delay was over (%v)", n, err)
			}
		})
	}
}

// While its robots.txt cannot be fetched, no page of a host is; a host that
// stays like this is closed.
func TestRobotsUnreachable(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"503", "500", "fail retryable timeout"} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, plain+"-- http://a.test/robots.txt --\n"+answer+"\n")
			out := w.run(t, threeLinks()...)
			if n := len(w.web.requests()); n != 0 {
				t.Errorf("%d pages were asked for", n)
			}
			if len(out.Rest) != 1 || len(out.Rest[0].Task.Links) != 3 || out.Rest[0].Delay < time.Minute {
				t.Errorf("rest is %s, want all three pages, a minute later at least", describe(out))
			}
			if got := w.next(t); got < time.Minute {
				t.Errorf("the host may be asked again in %s", got)
			}
			w.crawl(t, threeLinks()...)
			if n := len(w.web.requests()); n != 0 {
				t.Errorf("in the end %d pages were asked for", n)
			}
			for _, l := range threeLinks() {
				if got := w.fate(t, l.URL); got != "dead robots_unreachable" && got != "waiting" {
					t.Errorf("%s is %s in the end", l.URL, got)
				}
			}
		})
	}
}

// A host that answers by http alone is fetched from while its links of https wait:
// for them, a minute each time, not for each link.
func TestRobotsOfOneScheme(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain+"-- https://a.test/robots.txt --\nfail retryable refused\n")
	w.run(t, link("http://a.test/1"))
	out := w.run(t, link("https://a.test/1"), link("https://a.test/2"), link("http://a.test/2"))
	if out.Kept != 1 || len(out.Rest) != 1 || len(out.Rest[0].Task.Links) != 2 || out.Rest[0].Delay < 59*time.Second {
		t.Errorf("kept %d, rest %s; want the page of http kept and the others left", out.Kept, describe(out))
	}
	if got := w.next(t); got > time.Second {
		t.Errorf("the host may be asked again in %s", got)
	}
	w.crawl(t, link("http://a.test/3"), out.Rest[0].Task.Links[0], out.Rest[0].Task.Links[1])
	w.wantFates(t, map[string]string{
		"http://a.test/1": "kept", "http://a.test/2": "kept", "http://a.test/3": "kept",
		"https://a.test/1": "dead robots_unreachable", "https://a.test/2": "dead robots_unreachable",
	})
}

// If robots.txt has no host, as DNS does not know the name, its pages are rejected
// with the same rule.
func TestRobotsHostGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- http://a.test/robots.txt --\nfail permanent dns\n"+plain)
	w.run(t, threeLinks()...)
	for _, l := range threeLinks() {
		if got := w.fate(t, l.URL); got != "rejected dns" {
			t.Errorf("%s is %s, want rejected dns", l.URL, got)
		}
	}
}

// The robots cache is a port of ours: when it fails, that says nothing about
// the host, and no page pays for it with an attempt.
func TestRobotsCacheFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	w.ports.Robots.Cache = brokenCache{}
	if _, err := w.try(t, w.task(t, threeLinks()...)); !errors.Is(err, errBroken) {
		t.Errorf("error is %v, want the cache's", err)
	}
}

// Sitemaps that robots.txt names are sources of links, taken up once for a
// host, and read like a page.
func TestSitemapsOfRobots(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain+`
-- http://a.test/robots.txt --
200
Content-Type: text/plain

Sitemap: http://a.test/sitemap.xml
Sitemap: http://127.0.0.1/sitemap.xml
Sitemap: not a url
-- http://a.test/sitemap.xml --
200
Content-Type: text/xml

<urlset><url><loc>http://a.test/3</loc></url></urlset>
`)
	out := w.run(t, link("http://a.test/1"))
	sm := w.trail(t, "http://a.test/sitemap.xml").Waiting
	if sm == nil || !sm.IsSource || sm.Priority != w.plan.PriorityThreshold || !slices.Equal(out.Hosts, []string{"a.test"}) {
		t.Fatalf("the sitemap waits as %+v, hosts to feed %v; want a source at the threshold", sm, out.Hosts)
	}
	if !w.lease(t).State.Sitemaps {
		t.Error("the next owner of the host would take the sitemaps up again")
	}
	w.crawl(t, link("http://a.test/2"), *sm)
	want := map[string]string{
		"http://a.test/sitemap.xml": "source", "http://a.test/3": "kept", "http://127.0.0.1/sitemap.xml": "absent",
	}
	w.wantFates(t, want)
}

// forgetful is an intake that stores nothing.
type forgetful struct{}

func (forgetful) Take(_ context.Context, _ string, links []frontier.Link) (int, error) {
	return len(links), nil
}

func (forgetful) Store(context.Context) error { return errBroken }

// Sitemaps that were not stored are taken up again by the next owner of the
// host.
func TestSitemapsNotStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain+`
-- http://a.test/robots.txt --
200
Content-Type: text/plain

Sitemap: http://a.test/sitemap.xml
`)
	w.ports.Intake = forgetful{}
	if _, err := w.try(t, w.task(t, link("http://a.test/1"))); !errors.Is(err, errBroken) {
		t.Fatalf("error is %v, want the intake's", err)
	}
	if w.lease(t).State.Sitemaps {
		t.Error("the next owner of the host would not look for sitemaps")
	}
	want := map[string]string{"http://a.test/1": "absent"}
	w.wantFates(t, want)
}

// A host that another worker holds is left alone; the task comes back later
// each time, never later than that one's lease ends.
func TestBusyHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	if _, err := w.store.Leases().Acquire(t.Context(), crawlID, "a.test", "other", 20*time.Second); err != nil {
		t.Fatal(err)
	}
	task := w.task(t, threeLinks()...)
	var delays []time.Duration
	for range 5 {
		out, err := w.try(t, task)
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Rest) != 1 || len(out.Rest[0].Task.Links) != 3 || out.Rest[0].Task.ID != task.ID {
			t.Fatalf("rest is %s, want the whole task", describe(out))
		}
		task = out.Rest[0].Task
		delays = append(delays, out.Rest[0].Delay)
	}
	want := []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 20 * time.Second}
	if diff := cmp.Diff(want, delays); diff != "" || task.Bounces != 5 {
		t.Errorf("%d bounces, delays (-want +got):\n%s", task.Bounces, diff)
	}
	if n := len(w.web.asked); n != 0 {
		t.Errorf("%d requests on a host that another holds", n)
	}
	w.clock.advance(20 * time.Second)
	if _, err := w.try(t, task); err != nil || len(w.web.requests()) == 0 && w.next(t) <= 0 {
		t.Errorf("the host is not taken after the other's lease (%v)", err)
	}
}

// A host that has used up its pages is closed. What is left goes back to the
// backlog, where it can be counted and explained.
func TestHostBudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	w.plan.PagesPerHost = 2
	out := w.run(t, threeLinks()...)
	if out.Fetched != 2 || len(out.Rest) != 0 {
		t.Errorf("%d pages fetched, rest %s; want 2 and none", out.Fetched, describe(out))
	}
	if got := w.fate(t, "http://a.test/3"); got != "waiting" {
		t.Errorf("the third page is %s, want waiting", got)
	}
	closed, err := w.store.ClosedHosts(t.Context(), crawlID)
	if err != nil || len(closed) != 1 || closed[0].Host != "a.test" || closed[0].Closed != step.RuleHostBudget || closed[0].Waiting != 1 {
		t.Errorf("closed hosts %+v (%v), want a.test with one link left", closed, err)
	}
	w.run(t, threeLinks()[2]) // a task that was under way
	if n := len(w.web.requests()); n != 2 {
		t.Errorf("%d pages were asked for, want 2", n)
	}
}

// Overrides replace the delay, the depth and the pages of a host or a part of it; the
// first that has a limit counts.
func TestOverrides(t *testing.T) {
	t.Parallel()
	overridden := func(t *testing.T, entries ...string) *world {
		t.Helper()
		w := newWorld(t, plain+"-- http://a.test/links --\n<title>股市</title>$TEXT<a href=/deep/a>股市</a><a href=/b>股市</a>\n")
		var err error
		if w.plan.Overrides, err = limits.ParseOverrides(entries); err != nil {
			t.Fatal(err)
		}
		return w
	}
	t.Run("delay", func(t *testing.T) {
		w := overridden(t, "/1 max_pages=5", "/1 delay=7s", "a.test delay=3s")
		w.askSite(t)
		out := w.run(t, threeLinks()...)
		if got := w.next(t); got != 7*time.Second {
			t.Errorf("after page 1 the host may be asked again in %s, want 7s", got)
		}
		w.clock.advance(7 * time.Second)
		w.run(t, out.Rest[0].Task.Links...)
		if got := w.next(t); got != 3*time.Second {
			t.Errorf("after page 2 the host may be asked again in %s, want 3s", got)
		}
	})
	t.Run("pages of a host", func(t *testing.T) {
		w := overridden(t, "a.test max_pages=2")
		w.run(t, threeLinks()...)
		closed, err := w.store.ClosedHosts(t.Context(), crawlID)
		if err != nil || len(closed) != 1 || closed[0].Closed != step.RuleHostBudget || closed[0].Waiting != 1 {
			t.Errorf("closed hosts %+v (%v), want a.test with one link left", closed, err)
		}
	})
	t.Run("pages of a part", func(t *testing.T) {
		w := overridden(t, "regexp:/[12]$ max_pages=1")
		w.run(t, threeLinks()...)
		w.wantFates(t, map[string]string{"http://a.test/1": "kept", "http://a.test/2": "skipped " + step.RuleOverride, "http://a.test/3": "kept"})
	})
	t.Run("depth", func(t *testing.T) {
		w := overridden(t, "/deep/* max_depth=1", "a.test max_depth=0")
		w.run(t, link("http://a.test/links"))
		w.wantFates(t, map[string]string{"http://a.test/deep/a": "waiting", "http://a.test/b": "dropped " + step.DropDepth})
	})
}

// A link that waits is not fetched once its URL is denied, unless it is a seed.
func TestDeniedSince(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	var err error
	if w.plan.Scope, err = urlnorm.NewScope(urlnorm.ModeAny, nil, nil, []string{"/1", "/3"}); err != nil {
		t.Fatal(err)
	}
	links := threeLinks()
	links[2].IsSeed = true
	w.run(t, links...)
	w.wantFates(t, map[string]string{"http://a.test/1": "skipped " + step.DropScope, "http://a.test/2": "kept", "http://a.test/3": "kept"})
}

// A host that no connection reaches is paused every few failures and closed in
// the end.
func TestHostDown(t *testing.T) {
	t.Parallel()
	var archive string
	var links []frontier.Link
	for i := range 20 {
		url := fmt.Sprintf("http://a.test/%d", i)
		archive += "-- " + url + " --\nfail retryable connect\n"
		links = append(links, link(url))
	}
	w := newWorld(t, archive)
	out := w.run(t, links...)
	if n := len(w.web.requests()); n != 3 || len(out.Rest) == 0 || w.next(t) < time.Second {
		t.Errorf("%d requests before the host was paused, want 3; rest %s", n, describe(out))
	}
	w.crawl(t, links...)
	closed, err := w.store.ClosedHosts(t.Context(), crawlID)
	if err != nil || len(closed) != 1 || closed[0].Closed != step.RuleHostDown {
		t.Errorf("closed hosts %+v (%v), want a.test, host_down", closed, err)
	}
	total := 0
	for _, n := range w.web.requests() {
		total += n
	}
	if total != 12 {
		t.Errorf("%d requests to a host that is down, want 12", total)
	}
}

// When the task's time is used up or the engine stops, the page in progress is
// finished and the rest goes back at once.
func TestHandBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		when func(w *world, stop chan struct{})
	}{
		{"time used up", func(w *world, _ chan struct{}) { w.clock.advance(time.Minute) }},
		{"stopped", func(_ *world, stop chan struct{}) { close(stop) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, plain)
			stop := make(chan struct{})
			w.watch(func(effect, _ string) error {
				if effect == "Put" {
					tt.when(w, stop)
				}
				return nil
			})
			runner := step.New(w.plan, w.ports, w.opts)
			task := w.task(t, threeLinks()...)
			out, err := runner.Run(t.Context(), task, step.Grant{Owner: "me", Stop: stop})
			if err != nil {
				t.Fatal(err)
			}
			if out.Kept != 1 || len(out.Rest) != 1 || out.Rest[0].Delay != 0 || !slices.Equal(urls(out.Rest[0].Task), []string{"http://a.test/2", "http://a.test/3"}) {
				t.Errorf("kept %d, rest %s; want 1, and pages 2 and 3 at once", out.Kept, describe(out))
			}
		})
	}
}

// A stop ends the wait for a host's delay, too.
func TestStopWhileWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	w.plan.Delay, w.opts.Patience = time.Hour, 2*time.Hour
	w.askSite(t)
	stop := make(chan struct{})
	w.watch(func(effect, _ string) error {
		if effect == "Complete" { // of the first page: the wait begins a moment later
			time.AfterFunc(100*time.Millisecond, func() { close(stop) })
		}
		return nil
	})
	out, err := step.New(w.plan, w.ports, w.opts).Run(t.Context(), w.task(t, threeLinks()...), step.Grant{Owner: "me", Stop: stop})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Rest) != 1 || out.Rest[0].Delay != time.Hour || len(out.Rest[0].Task.Links) != 2 {
		t.Errorf("rest is %s, want pages 2 and 3 in an hour", describe(out))
	}
}
