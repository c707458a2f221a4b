package frontiertest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/conformance"
	"sluice/shared/state/frontier"
)

// Backlog is an empty backlog under test, with access to its storage.
type Backlog struct {
	frontier.Backlog
	frontier.Directory
	frontier.Raiser

	// Closed returns the rule a host was closed with, "" for an open one.
	Closed func(crawl, host string) (string, error)
}

// RunBacklog checks a backlog against the contract of frontier.Backlog,
// frontier.Directory and frontier.Raiser. Each check gets a fresh one.
func RunBacklog(t *testing.T, open func(t *testing.T) *Backlog) {
	conformance.Run(t, backlogChecks, open)
}

var backlogChecks = []conformance.Check[*Backlog]{
	// Every task is followed by a query for its host, even one without links.
	{Name: "unknown host has none", Check: checkUnknownHost},
	// Everything that is known of a link must survive the wait.
	{Name: "keeps the whole link", Check: checkWholeLink},
	// The budget goes to the best links; ties must not depend on arrival.
	{Name: "best is by priority, then URL", Check: checkBestOrder},
	// A strategy may give many links equal priorities and different ties.
	{Name: "equal priorities wait by tie", Check: checkTies},
	// A crash between sending and removing must not lose links.
	{Name: "best leaves links waiting", Check: checkBestKeeps},
	// A round only sees links found in earlier rounds.
	{Name: "best looks at rounds up to its own", Check: checkBestRounds},
	// Crawls and ports of a host are worlds of their own.
	{Name: "crawls and hosts are apart", Check: checkApart},
	{Name: "all ports of a host are one host", Check: checkPorts},
	// A page has more links than one request of the cloud may have.
	{Name: "takes many links at once", Check: checkManyLinks},
	// Links are stored again whenever a page is fetched again.
	{Name: "add is idempotent", Check: checkAddTwice},
	// In any order, the same link wins.
	{Name: "the better link stays", Check: checkBetter},
	{Name: "order of arrival decides nothing", Check: checkAnyOrder},
	// … under a race too.
	{Name: "concurrent adds", Check: checkConcurrentAdds},
	// Queued links must not be queued again.
	{Name: "remove takes out", Check: checkRemove},
	// A removed link can come back: its message was lost, its lease ran out.
	{Name: "removed links may be added again", Check: checkAddAfterRemove},
	// A trap ends here: its host offers no more links.
	{Name: "close ends a host", Check: checkClose},
	// Explanations name the rule that struck first.
	{Name: "close keeps the first rule", Check: checkCloseRule},
	// A sweep starts with the best hosts and reaches all of them.
	{Name: "waiting is by best priority, then name", Check: checkWaiting},
	{Name: "waiting looks at rounds up to its own", Check: checkWaitingRounds},
	{Name: "waiting pages through all hosts", Check: checkWaitingPages},
	{Name: "waiting follows removal", Check: checkWaitingAfterRemove},
	// A refined topic raises links, but does not restore any.
	{Name: "raise betters waiting links only", Check: checkRaise},
	{Name: "reorder replaces waiting links only", Check: checkReorder},
}

const crawl = "c"

func link(url string, priority float64) frontier.Link {
	return frontier.Link{URL: url, Priority: priority}
}

func add(t *testing.T, b *Backlog, crawl string, links ...frontier.Link) {
	t.Helper()
	if err := b.Add(t.Context(), crawl, links); err != nil {
		t.Fatalf("Add: %v", err)
	}
}

func best(t *testing.T, b *Backlog, crawl, host string, round, n int) []frontier.Link {
	t.Helper()
	links, err := b.Best(t.Context(), crawl, host, round, n)
	if err != nil {
		t.Fatalf("Best: %v", err)
	}
	return links
}

// wantBest checks the URLs that a host of the crawl offers.
func wantBest(t *testing.T, b *Backlog, host string, round, n int, want ...string) {
	t.Helper()
	var got []string
	for _, l := range best(t, b, crawl, host, round, n) {
		got = append(got, l.URL)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("best of %s in round %d (-want +got):\n%s", host, round, diff)
	}
}

func take(t *testing.T, b *Backlog, host string, urls ...string) {
	t.Helper()
	if err := b.Remove(t.Context(), crawl, host, urls); err != nil {
		t.Fatalf("Remove: %v", err)
	}
}

func shut(t *testing.T, b *Backlog, host, rule string) {
	t.Helper()
	if err := b.Close(t.Context(), crawl, host, rule); err != nil {
		t.Fatalf("Close: %v", err)
	}
}

func wantWaiting(t *testing.T, b *Backlog, round, skip, n int, want ...frontier.HostDepth) {
	t.Helper()
	got, err := b.Waiting(t.Context(), crawl, round, skip, n)
	if err != nil {
		t.Fatalf("Waiting: %v", err)
	}
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("waiting in round %d, skip %d, at most %d (-want +got):\n%s", round, skip, n, diff)
	}
}

func checkUnknownHost(t *testing.T, b *Backlog) {
	wantBest(t, b, "a.test", 0, 10)
	wantWaiting(t, b, 9, 0, 10)
	take(t, b, "a.test", "http://a.test/")
	take(t, b, "a.test")
	add(t, b, crawl)
	wantWaiting(t, b, 9, 0, 10)
}

func checkWholeLink(t *testing.T, b *Backlog) {
	want := frontier.Link{
		URL: "http://a.test/%E5%85%9A?q='1'&r=%22", Origin: "http://b.test/old", Seed: "http://b.test/", Parent: "http://b.test/p",
		Anchor: "党建 \"引文\" <b>\u2028", Listed: "2024-05-01", IsSeed: true, IsSource: true, Nested: 3, Depth: 4, Round: 5, Hops: 6, Attempts: 7,
		Priority: 0.1 + 0.2, Parts: frontier.Parts{Description: 0.25, Anchor: 1e-9, Structure: 1},
		Tie: -1e-9, Value: 100,
	}
	add(t, b, crawl, want)
	got := best(t, b, crawl, "a.test", 5, 1)
	if diff := cmp.Diff([]frontier.Link{want}, got); diff != "" {
		t.Errorf("waiting link (-added +offered):\n%s", diff)
	}
}

func checkBestOrder(t *testing.T, b *Backlog) {
	add(t, b, crawl,
		link("http://a.test/zero", 0), link("http://a.test/b", 0.5), link("http://a.test/minus", -1),
		link("http://a.test/B", 0.5), link("http://a.test/seed", 1e9), link("http://a.test/a", 0.5),
		link("http://a.test/tiny", 1e-300), link("http://a.test/a/", 0.5))
	all := []string{
		"http://a.test/seed", "http://a.test/B", "http://a.test/a", "http://a.test/a/", "http://a.test/b",
		"http://a.test/tiny", "http://a.test/zero", "http://a.test/minus",
	}
	wantBest(t, b, "a.test", 0, 100, all...)
	for _, n := range []int{0, 1, 3, 8} {
		var want []string
		want = append(want, all[:n]...)
		wantBest(t, b, "a.test", 0, n, want...)
	}
}

func checkTies(t *testing.T, b *Backlog) {
	of := func(url string, priority, tie float64) frontier.Link {
		return frontier.Link{URL: url, Priority: priority, Tie: tie}
	}
	add(t, b, crawl,
		of("http://a.test/none", 1, 0), of("http://a.test/minus", 1, -1), of("http://a.test/b", 1, 0.5), of("http://a.test/a", 1, 0.5),
		of("http://a.test/low", 0.5, 9), of("http://a.test/high", 1, 1e9), of("http://b.test/", 1, 1e300), of("http://c.test/", 1, -1e-300))
	all := []string{
		"http://a.test/high", "http://a.test/a", "http://a.test/b", "http://a.test/none", "http://a.test/minus", "http://a.test/low",
	}
	for n := range len(all) {
		var want []string
		wantBest(t, b, "a.test", 0, n, append(want, all[:n]...)...)
	}
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "b.test", Links: 1, Best: 1, Tie: 1e300},
		frontier.HostDepth{Host: "a.test", Links: 6, Best: 1, Tie: 1e9}, frontier.HostDepth{Host: "c.test", Links: 1, Best: 1, Tie: -1e-300})
	if err := b.Raise(t.Context(), crawl, []frontier.Link{of("http://a.test/b", 1, 0.75), of("http://a.test/a", 1, 0.25)}); err != nil {
		t.Fatalf("Raise: %v", err)
	}
	wantBest(t, b, "a.test", 0, 3, "http://a.test/high", "http://a.test/b", "http://a.test/a")
	take(t, b, "a.test", "http://a.test/high", "http://a.test/minus")
	wantBest(t, b, "a.test", 0, 9, "http://a.test/b", "http://a.test/a", "http://a.test/none", "http://a.test/low")
	wantWaiting(t, b, 0, 1, 1, frontier.HostDepth{Host: "a.test", Links: 4, Best: 1, Tie: 0.75})
}

func checkBestKeeps(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/1", 1), link("http://a.test/2", 2))
	for range 2 {
		wantBest(t, b, "a.test", 0, 10, "http://a.test/2", "http://a.test/1")
	}
}

func checkBestRounds(t *testing.T, b *Backlog) {
	for round, p := range []float64{1, 3, 2} {
		l := link(fmt.Sprintf("http://a.test/%d", round+1), p)
		l.Round = round + 1
		add(t, b, crawl, l)
	}
	wantBest(t, b, "a.test", 0, 10)
	wantBest(t, b, "a.test", 1, 10, "http://a.test/1")
	wantBest(t, b, "a.test", 2, 10, "http://a.test/2", "http://a.test/1")
	wantBest(t, b, "a.test", 3, 10, "http://a.test/2", "http://a.test/3", "http://a.test/1")
	wantBest(t, b, "a.test", 3, 2, "http://a.test/2", "http://a.test/3")
}

func checkPorts(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/", 1), link("https://a.test:8443/", 2), link("http://[2001:db8::1]:81/", 3))
	wantBest(t, b, "a.test", 0, 10, "https://a.test:8443/", "http://a.test/")
	wantBest(t, b, "2001:db8::1", 0, 10, "http://[2001:db8::1]:81/")
}

func checkApart(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/", 1), link("http://b.test/", 2), link("http://www.a.test/", 3))
	add(t, b, "d", link("http://a.test/", 4))
	wantBest(t, b, "a.test", 0, 10, "http://a.test/")
	wantBest(t, b, "b.test", 0, 10, "http://b.test/")
	take(t, b, "a.test", "http://a.test/", "http://b.test/")
	wantBest(t, b, "a.test", 0, 10)
	wantBest(t, b, "b.test", 0, 10, "http://b.test/")
	shut(t, b, "a.test", "trap")
	if got := best(t, b, "d", "a.test", 0, 10); len(got) != 1 || got[0].Priority != 4 {
		t.Errorf("the other crawl's link is %+v, want one of priority 4", got)
	}
}

func checkManyLinks(t *testing.T, b *Backlog) {
	const n = 333
	var links []frontier.Link
	for i := range n {
		links = append(links, link(fmt.Sprintf("http://h%d.test/%d", i%3, i), float64(i)))
	}
	add(t, b, crawl, links...)
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "h2.test", Links: n / 3, Best: n - 1},
		frontier.HostDepth{Host: "h1.test", Links: n / 3, Best: n - 2}, frontier.HostDepth{Host: "h0.test", Links: n / 3, Best: n - 3})
	got := best(t, b, crawl, "h0.test", 0, n)
	var urls []string
	for i, l := range got {
		if want := float64(n - 3 - 3*i); l.Priority != want {
			t.Fatalf("link %d has priority %v, want %v", i, l.Priority, want)
		}
		urls = append(urls, l.URL)
	}
	take(t, b, "h0.test", urls...)
	wantBest(t, b, "h0.test", 0, n)
}

func checkAddTwice(t *testing.T, b *Backlog) {
	l := link("http://a.test/1", 1)
	add(t, b, crawl, l, l)
	add(t, b, crawl, l)
	wantBest(t, b, "a.test", 0, 10, "http://a.test/1")
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "a.test", Links: 1, Best: 1})
}

func checkBetter(t *testing.T, b *Backlog) {
	of := func(round int, priority float64, parent string) frontier.Link {
		return frontier.Link{Round: round, Priority: priority, Parent: parent, Anchor: fmt.Sprint(round, priority, parent)}
	}
	tied := func(tie float64, parent string) frontier.Link {
		l := of(1, 1, parent)
		l.Tie = tie
		return l
	}
	cases := []struct {
		name          string
		better, worse frontier.Link
	}{
		{"lower round", of(1, 1, "b"), of(2, 9, "a")},
		{"higher priority", of(1, 2, "b"), of(1, 1, "a")},
		{"higher tie", tied(1, "b"), tied(0.5, "a")},
		{"a tie above none", tied(1, "b"), of(1, 1, "a")},
		{"a tie below none", of(1, 1, "b"), tied(-1, "a")},
		{"smaller parent", of(1, 1, "a"), of(1, 1, "b")},
		{"no parent", of(1, 1, ""), of(1, 1, "a")},
	}
	for i, c := range cases {
		for j, order := range [][]frontier.Link{{c.better, c.worse}, {c.worse, c.better}} {
			host := fmt.Sprintf("h%d-%d.test", i, j)
			url := "http://" + host + "/"
			for k := range order {
				order[k].URL = url
			}
			want := c.better
			want.URL = url
			add(t, b, crawl, order[0])
			add(t, b, crawl, order[1])
			if diff := cmp.Diff([]frontier.Link{want}, best(t, b, crawl, host, 9, 9)); diff != "" {
				t.Errorf("%s, order %d (-want +got):\n%s", c.name, j, diff)
			}
			add(t, b, "both", order...)
			if diff := cmp.Diff([]frontier.Link{want}, best(t, b, "both", host, 9, 9)); diff != "" {
				t.Errorf("%s, order %d in one call (-want +got):\n%s", c.name, j, diff)
			}
		}
	}
}

func checkConcurrentAdds(t *testing.T, b *Backlog) {
	const workers, urls = 16, 40
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			var links []frontier.Link
			for i := range urls {
				links = append(links, link(fmt.Sprintf("http://a.test/%d", i), float64((i+w)%workers)))
			}
			for chunk := range slices.Chunk(links, 7) {
				if err := b.Add(t.Context(), crawl, chunk); err != nil {
					t.Errorf("Add: %v", err)
				}
			}
		})
	}
	wg.Wait()
	got := best(t, b, crawl, "a.test", 0, 2*urls)
	if len(got) != urls {
		t.Errorf("%d links wait, want %d", len(got), urls)
	}
	for _, l := range got {
		if l.Priority != workers-1 {
			t.Errorf("%s waits with priority %v, want %d", l.URL, l.Priority, workers-1)
		}
	}
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "a.test", Links: urls, Best: workers - 1})
}

func checkRemove(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/1", 1), link("http://a.test/2", 2), link("http://b.test/1", 1))
	take(t, b, "a.test", "http://a.test/2", "http://a.test/2", "http://a.test/absent", "http://b.test/1")
	wantBest(t, b, "a.test", 0, 10, "http://a.test/1")
	wantBest(t, b, "b.test", 0, 10, "http://b.test/1")
	take(t, b, "a.test", "http://a.test/2", "http://a.test/1")
	wantBest(t, b, "a.test", 0, 10)
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "b.test", Links: 1, Best: 1})
}

func checkAddAfterRemove(t *testing.T, b *Backlog) {
	l := link("http://a.test/1", 2)
	add(t, b, crawl, l)
	take(t, b, "a.test", l.URL)
	l.Priority = 1 // worse than the removed link, which is forgotten
	add(t, b, crawl, l)
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "a.test", Links: 1, Best: 1})
	wantBest(t, b, "a.test", 0, 10, l.URL)
}

func checkClose(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/1", 1), link("http://b.test/1", 1))
	shut(t, b, "a.test", "calendar")
	shut(t, b, "new.test", "budget")
	add(t, b, crawl, link("http://a.test/2", 2), link("http://new.test/", 3))
	wantBest(t, b, "a.test", 0, 10)
	wantBest(t, b, "new.test", 0, 10)
	wantBest(t, b, "b.test", 0, 10, "http://b.test/1")
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "b.test", Links: 1, Best: 1})
	take(t, b, "a.test", "http://a.test/1")
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "b.test", Links: 1, Best: 1})
}

func checkCloseRule(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/1", 1))
	for _, rule := range []string{"calendar", "budget", "calendar"} {
		shut(t, b, "a.test", rule)
		got, err := b.Closed(crawl, "a.test")
		if err != nil {
			t.Fatal(err)
		}
		if got != "calendar" {
			t.Errorf("closed by %q, want %q", got, "calendar")
		}
	}
	if got, err := b.Closed(crawl, "b.test"); err != nil || got != "" {
		t.Errorf("an open host is closed by %q, %v", got, err)
	}
}
