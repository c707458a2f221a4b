package dynamoledger

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/conformance"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// metered opens a fresh store whose client counts.
func metered(t *testing.T) (*Store, *probe, *conformance.Clock) {
	t.Helper()
	c := newClock()
	client := emulator(t)
	opts := tables(t, client)
	opts.Now = c.Now
	p := newProbe(client)
	return New(p, opts), p, c
}

// bill is what some calls cost: at most so many units, in exactly these
// requests. MiniStack bills writes as AWS does, and reads in part.
type bill struct {
	writes, reads float64
	requests      map[string]int
}

// wantBill checks what was used since the last reset, and resets.
func wantBill(t *testing.T, p *probe, what string, want bill) {
	t.Helper()
	if p.unanswered > 0 { // another request took its place
		t.Skipf("%s: the emulator left %d attempts without an answer: what others cost cannot be said", what, p.unanswered)
	}
	if p.writes > want.writes || p.reads > want.reads {
		t.Errorf("%s: %v write units and %v read units, want at most %v and %v", what, p.writes, p.reads, want.writes, want.reads)
	}
	if diff := cmp.Diff(want.requests, p.requests, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: requests (-want +got):\n%s", what, diff)
	}
	p.reset()
}

func someLinks(n int) (links []frontier.Link, urls []string) {
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range n {
		l := realLink(rng)
		l.URL = fmt.Sprintf("https://finance.example.com.cn/cj/2026/11/%08d.shtml", i)
		links, urls = append(links, l), append(urls, l.URL)
	}
	return links, urls
}

// TestUnits holds the bill of a link's life.
func TestUnits(t *testing.T) {
	s, p, c := metered(t)
	ctx, b, l := t.Context(), s.Backlog(), s.Ledger()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	links, urls := someLinks(30)

	check(b.Add(ctx, "c", links[:5]))
	wantBill(t, p, "5 links of a new host", bill{7, 6, map[string]int{"GetItem": 1, "BatchGetItem": 1, "BatchWriteItem": 1, "UpdateItem": 6}})
	check(b.Add(ctx, "c", links))
	wantBill(t, p, "25 new links among 30", bill{29, 31, map[string]int{"BatchGetItem": 2, "BatchWriteItem": 1, "UpdateItem": 25}})
	check(l.MarkQueued(ctx, "c", urls))
	wantBill(t, p, "marking links that were just added", bill{0, 0, map[string]int{}})
	_, err := l.States(ctx, "c", urls)
	check(err)
	check(b.Add(ctx, "c", links))
	wantBill(t, p, "offering 30 known links", bill{0, 25, map[string]int{"BatchGetItem": 2}})
	check(b.Raise(ctx, "c", links))
	wantBill(t, p, "raising by nothing", bill{0, 30, map[string]int{"BatchGetItem": 1}})

	best, err := b.Best(ctx, "c", "finance.example.com.cn", 0, 25)
	check(err)
	wantBill(t, p, "25 best", bill{0, 5, map[string]int{"GetItem": 1, "Query": 1}})
	task := urls[:0:0]
	for _, link := range best {
		task = append(task, link.URL)
	}
	mark := []frontier.Mark{{Crawl: "c", Host: "finance.example.com.cn", ID: "0f8fad5b-d9cb-469f-a165-70867728950e", Links: 25, Due: c.Now()}}
	check(s.Gauge().Sent(ctx, mark))
	wantBill(t, p, "noting a task", bill{1, 0, map[string]int{"UpdateItem": 1}})
	check(b.Remove(ctx, "c", "finance.example.com.cn", task))
	wantBill(t, p, "removing 25 links", bill{4, 0, map[string]int{"BatchWriteItem": 1, "UpdateItem": 1}})
	_, err = l.States(ctx, "c", task)
	check(err)
	wantBill(t, p, "looking up 25 pages when the task comes", bill{0, 12.5, map[string]int{"BatchGetItem": 1}})

	fresh, freshURLs := someLinks(60)
	_, err = l.States(ctx, "c", freshURLs[30:])
	check(err)
	p.reset()
	check(b.Add(ctx, "c", fresh[30:]))
	wantBill(t, p, "30 links that were just looked up", bill{35, 0, map[string]int{"BatchWriteItem": 1, "UpdateItem": 30}})

	var ends []ledger.End
	rng := rand.New(rand.NewPCG(4, 4))
	for i, u := range task {
		e := realEntry(rng)
		e.Relevant = i < 10
		ends = append(ends, ledger.End{URL: u, Entry: e})
	}
	_, err = l.Complete(ctx, "c", ends)
	check(err)
	wantBill(t, p, "completing 25 pages, 10 relevant", bill{25 + 10 + 6, 0, map[string]int{"UpdateItem": 1 + 25, "TransactWriteItems": 1, "BatchWriteItem": 1}})
	_, err = l.Totals(ctx, "c")
	check(err)
	wantBill(t, p, "totals", bill{0, 2, map[string]int{"Query": 2}})
	check(s.Gauge().Ended(ctx, mark))
	wantBill(t, p, "noting a task's end", bill{1, 0, map[string]int{"UpdateItem": 1}})
	_, err = l.Sample(ctx, "c", 0, 50, rng)
	check(err)
	wantBill(t, p, "a sample", bill{0, 6, map[string]int{"Query": 1}})
	_, err = b.Waiting(ctx, "c", 0, 0, 10)
	check(err)
	wantBill(t, p, "one waiting host", bill{0, hostShards + 2, map[string]int{"Query": hostShards + 1}})
}

// TestStraightUnits holds the bill of a link that goes to a new host as its
// task, past the backlog.
func TestStraightUnits(t *testing.T) {
	s, p, c := metered(t)
	ctx, host := t.Context(), "finance.example.com.cn"
	_, urls := someLinks(3)
	for i, want := range []map[string]int{{"GetItem": 1, "UpdateItem": 1}, {"GetItem": 1, "UpdateItem": 1}} {
		if _, err := s.Gauge().Standing(ctx, "c", host, false); err != nil {
			t.Fatal(err)
		}
		mark := frontier.Mark{Crawl: "c", Host: host, ID: fmt.Sprint(i), Links: 3, Due: c.Now()}
		if err := s.Gauge().Sent(ctx, []frontier.Mark{mark}); err != nil {
			t.Fatal(err)
		}
		wantBill(t, p, fmt.Sprintf("task %d of a host", i), bill{1, 1, want})
	}
	if _, err := s.Ledger().States(ctx, "c", urls); err != nil {
		t.Fatal(err)
	}
	wantBill(t, p, "looking up 3 links", bill{0, 1.5, map[string]int{"BatchGetItem": 1}})
	if err := s.Ledger().MarkQueued(ctx, "c", urls); err != nil {
		t.Fatal(err)
	}
	wantBill(t, p, "their hints", bill{3, 0, map[string]int{"UpdateItem": 3}})
	if _, err := s.Backlog().Best(ctx, "c", host, 0, 25); err != nil {
		t.Fatal(err)
	}
	wantBill(t, p, "more links of a host that has none", bill{0, 1, map[string]int{"Query": 1}})
}

// TestDeepHost checks what a sweep costs for a host with a large backlog.
func TestDeepHost(t *testing.T) {
	s, p, _ := metered(t)
	links, _ := someLinks(deepHost + 100)
	if err := s.Backlog().Add(t.Context(), "c", links); err != nil {
		t.Fatal(err)
	}
	p.reset()
	hosts, err := s.Backlog().Waiting(t.Context(), "c", 0, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(hosts) != 1 || hosts[0].Links != deepHost {
		t.Errorf("waiting hosts are %+v, want one of %d links", hosts, deepHost)
	}
	wantBill(t, p, "a deep host", bill{0, hostShards + deepHost*512/4096/2, map[string]int{"Query": hostShards + 1}})
	if _, err := s.Backlog().Waiting(t.Context(), "c", 0, 1, 10); err != nil {
		t.Fatal(err)
	}
	wantBill(t, p, "the next page", bill{0, 0, map[string]int{}})
	hosts, err = s.Backlog().Waiting(t.Context(), "c", 1, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(hosts) != 1 || hosts[0].Links != len(links) {
		t.Errorf("in rounds the waiting hosts are %+v, want one of %d links", hosts, len(links))
	}
}
