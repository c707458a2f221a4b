package local_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/shared/console"
	"sluice/shared/state/limits"
)

// asked are the paths that were asked for since the last change.
func asked(s *livingSite) []string { return slices.Sorted(maps.Keys(s.answers())) }

func wantAsked(t *testing.T, s *livingSite, paths ...string) {
	t.Helper()
	if got := asked(s); !slices.Equal(got, paths) {
		t.Errorf("asked for %v, want %v", got, paths)
	}
}

// A refresh by age leaves the pages that were fetched lately, also where a page leads
// to them, and fetches what is new.
func TestRefreshOlderThan(t *testing.T) {
	t.Parallel()
	web := serveLiving(t, map[string]string{"/": index("/a", "/b"), "/a": article("a", "/b"), "/b": article("b")})
	s := spec(t, web.URL+"/")
	s.Delay = 0
	run(t, s)
	between := time.Now()
	time.Sleep(2 * time.Second) // longer than a refresh takes to begin

	r := refreshSpec(s.Dir)
	r.OlderThan = time.Hour
	web.change(map[string]string{"/": index("/a", "/b", "/new"), "/a": article("another a"), "/new": article("new", "/a")})
	sum := run(t, r)
	wantAsked(t, web, "/", "/new")
	if want := (console.Refreshed{Fetched: 2, New: 1}); sum.Refresh != want || sum.Kept != 3 {
		t.Errorf("refresh is %+v, want %+v; kept %d", sum.Refresh, want, sum.Kept)
	}
	if got := current(t, s.Dir); !slices.Equal(got, []string{"/a 1", "/b 1", "/new 1"}) {
		t.Errorf("documents %v", got)
	}

	r.OlderThan = time.Since(between)
	web.change(nil)
	sum = run(t, r)
	wantAsked(t, web, "/", "/a", "/b")
	if want := (console.Refreshed{Fetched: 3, Unchanged: 1, Changed: 1}); sum.Refresh != want || sum.Kept != 3 {
		t.Errorf("second refresh is %+v, want %+v; kept %d", sum.Refresh, want, sum.Kept)
	}
}

// So it does where an earlier refresh was to fetch them and did not get to them.
func TestRefreshOlderThanAfterBudget(t *testing.T) {
	t.Parallel()
	web := serveLiving(t, map[string]string{"/": index("/a", "/b"), "/a": article("a"), "/b": article("b")})
	s := spec(t, web.URL+"/")
	s.Delay, s.Workers = 0, 1
	run(t, s)
	r := refreshSpec(s.Dir)
	r.MaxPages = 1
	web.change(nil)
	run(t, r)
	wantAsked(t, web, "/")

	r.MaxPages, r.OlderThan = 100, time.Hour
	web.change(map[string]string{"/": index("/a", "/b", "/new"), "/new": article("new")})
	run(t, r)
	wantAsked(t, web, "/", "/new")
	web.change(nil)
	run(t, refreshSpec(s.Dir))
	wantAsked(t, web, "/", "/a", "/b", "/new")
}

// feed is an RSS feed of pages.
func feed(site string, paths ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><rss version="2.0"><channel><title>股市</title>`)
	for _, path := range paths {
		fmt.Fprintf(&b, "<item><title>股市 银行</title><link>%s%s</link></item>", site, path)
	}
	b.WriteString("</channel></rss>")
	return b.String()
}

// A refresh of sources asks for sitemaps and feeds, and for the pages that are new
// there. The links that its crawl has left wait for a refresh of all pages; those that
// it leaves itself are taken up by the next one.
func TestRefreshSources(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	web := serveLiving(t, pages)
	web.change(map[string]string{
		"/": index("/a", "/b", "/late"), "/feed.xml": feed(web.URL, "/a"), "/a": article("a"), "/b": article("b"), "/late": article("late"),
	})
	s := spec(t, web.URL+"/")
	s.Delay, s.Workers, s.MaxPages = 0, 1, 3
	s.Seeds = append(s.Seeds, web.URL+"/feed.xml")
	first := run(t, s)
	if first.Sources != 1 || first.Kept != 2 {
		t.Fatalf("first crawl: %d sources, %d kept", first.Sources, first.Kept)
	}
	left := "/late"
	for _, path := range []string{"/a", "/b"} {
		if !slices.Contains(asked(web), path) {
			left = path
		}
	}

	r := refreshSpec(s.Dir)
	r.Revisit, r.MaxPages = limits.RevisitSources, 1
	web.change(map[string]string{"/feed.xml": feed(web.URL, "/new", "/newer", "/a"), "/new": article("new", "/a", "/"), "/newer": article("newer")})
	run(t, r)
	if got := asked(web); len(got) != 2 || got[0] != "/feed.xml" || !strings.HasPrefix(got[1], "/new") {
		t.Errorf("asked for %v, want the feed and one new page", got)
	}
	web.change(map[string]string{"/feed.xml": feed(web.URL)})
	r.MaxPages = 100
	sum := run(t, r)
	if got := asked(web); len(got) != 2 || got[0] != "/feed.xml" || !strings.HasPrefix(got[1], "/new") {
		t.Errorf("asked for %v, want the feed and the other new page", got)
	}
	if want := (console.Refreshed{Fetched: 1, New: 1}); sum.Refresh != want || sum.Kept != 4 {
		t.Errorf("refresh is %+v, want %+v; kept %d", sum.Refresh, want, sum.Kept)
	}

	web.change(nil)
	all := refreshSpec(s.Dir)
	all.MaxPages = 100
	sum = run(t, all)
	if got := asked(web); !slices.Contains(got, left) || sum.Kept != 5 {
		t.Errorf("a refresh of all asked for %v, without %s; kept %d", got, left, sum.Kept)
	}
}

// A feed that was a page for once, as while its site is maintained, is asked for again.
func TestRefreshSourcesAfterMaintenance(t *testing.T) {
	t.Parallel()
	web := serveLiving(t, map[string]string{})
	web.change(map[string]string{"/": index("/a"), "/feed.xml": feed(web.URL, "/a"), "/a": article("a")})
	s := spec(t, web.URL+"/")
	s.Delay = 0
	s.Seeds = append(s.Seeds, web.URL+"/feed.xml")
	run(t, s)

	r := refreshSpec(s.Dir)
	r.Revisit = limits.RevisitSources
	web.change(map[string]string{"/feed.xml": "<title>维护</title><p>请稍候"})
	run(t, r)
	wantAsked(t, web, "/feed.xml")
	web.change(map[string]string{"/feed.xml": feed(web.URL, "/a", "/new"), "/new": article("new")})
	run(t, r)
	wantAsked(t, web, "/feed.xml", "/new")
}
