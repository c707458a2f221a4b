package dynamoledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/attr"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

func add(t *testing.T, s *Store, links ...frontier.Link) {
	t.Helper()
	if err := s.Backlog().Add(t.Context(), "c", links); err != nil {
		t.Fatal(err)
	}
}

// best returns the waiting links of a.test.
func best(t *testing.T, s *Store) []frontier.Link {
	t.Helper()
	links, err := s.Backlog().Best(t.Context(), "c", "a.test", 9, 100)
	if err != nil {
		t.Fatal(err)
	}
	return links
}

// items counts the items of the backlog of a.test.
func items(t *testing.T, s *Store) int {
	t.Helper()
	n := 0
	err := s.query(t.Context(), s.Backlog().waitingIn("c", "a.test", roundKey(0), math.MaxUint32), 0, func(item) bool {
		n++
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// another returns a store on the same tables, as another process has.
func another(s *Store) *Store { return New(s.client, s.opts) }

func TestCompleteManyAtOnce(t *testing.T) {
	s := open(t, newClock())
	l := s.Ledger()
	if _, err := l.Complete(t.Context(), "c", []ledger.End{{URL: "http://a.test/60", Entry: &ledger.Entry{Verdict: ledger.Dead}}}); err != nil {
		t.Fatal(err)
	}
	var ends []ledger.End
	for i := range 101 { // the last is the first again
		ends = append(ends, ledger.End{URL: fmt.Sprintf("http://a.test/%d", i%100), Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true}})
	}
	refused, err := l.Complete(t.Context(), "c", ends)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range refused {
		switch i {
		case 60, 100:
			if !errors.Is(r, ledger.ErrDone) {
				t.Errorf("URL %d is done before: %v", i, r)
			}
		default:
			if r != nil {
				t.Errorf("URL %d: %v", i, r)
			}
		}
	}
	got, err := l.Totals(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	want := &ledger.Totals{
		Fetched: 99, Verdicts: map[ledger.Verdict]int64{ledger.Kept: 99, ledger.Dead: 1}, Rules: map[string]int64{}, Drops: map[string]int64{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

// TestRemoveByAnother removes links that another process has read.
func TestRemoveByAnother(t *testing.T) {
	s := open(t, newClock())
	add(t, s, frontier.Link{URL: "http://a.test/1", Priority: 1}, frontier.Link{URL: "http://a.test/2", Priority: 2})
	if err := another(s).Backlog().Remove(t.Context(), "c", "a.test", []string{"http://a.test/2", "http://a.test/2", "http://a.test/no"}); err != nil {
		t.Fatal(err)
	}
	if got := best(t, s); len(got) != 1 || got[0].URL != "http://a.test/1" {
		t.Errorf("waiting: %+v, want the first link", got)
	}
}

// TestRaiseAfterBest betters a link between Best and Remove.
func TestRaiseAfterBest(t *testing.T) {
	s := open(t, newClock())
	add(t, s, frontier.Link{URL: "http://a.test/1", Priority: 1})
	best(t, s)
	if err := s.Backlog().Raise(t.Context(), "c", []frontier.Link{{URL: "http://a.test/1", Priority: 2}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Backlog().Remove(t.Context(), "c", "a.test", []string{"http://a.test/1"}); err != nil {
		t.Fatal(err)
	}
	if n := items(t, s); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

// TestAddAfterRemove adds a link again, after another process has sent it. Items of
// URLs that an earlier version leased have no rank.
func TestAddAfterRemove(t *testing.T) {
	for _, leased := range []bool{false, true} {
		s := open(t, newClock())
		l := frontier.Link{URL: "http://a.test/1", Priority: 2}
		add(t, s, l)
		best(t, s)
		if leased {
			_, err := s.client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
				TableName: &s.opts.Urls, Key: item{"k": attr.Text(urlKey("c", l.URL))},
				UpdateExpression:          ptr("SET s = :leased, o = :owner, x = :until REMOVE b"),
				ExpressionAttributeValues: item{":leased": attr.Text("l"), ":owner": attr.Text("a.test"), ":until": attr.Number(1 << 50)},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Backlog().Remove(t.Context(), "c", "a.test", []string{l.URL}); err != nil {
			t.Fatal(err)
		}
		l.Priority = 1
		add(t, s, l)
		if got := best(t, s); len(got) != 1 || got[0].Priority != 1 {
			t.Errorf("waiting: %+v, want the later link", got)
		}
		states, err := s.Ledger().States(t.Context(), "c", []string{l.URL})
		if err != nil || states[0] != ledger.Queued {
			t.Errorf("state %v, %v, want queued", states, err)
		}
		refused, err := s.Ledger().Complete(t.Context(), "c", []ledger.End{{URL: l.URL, Entry: &ledger.Entry{Verdict: ledger.Passed}}})
		if err = errors.Join(append(refused, err)...); err != nil {
			t.Error(err)
		}
	}
}

// putOld stores a link in an item of its own, without a rank, as earlier versions and
// crashes have left them. It returns the link's rank.
func putOld(t *testing.T, s *Store, l frontier.Link) string {
	t.Helper()
	ws, err := s.Backlog().encode("c", []frontier.Link{l})
	if err != nil {
		t.Fatal(err)
	}
	w := ws[0]
	w.link.URL = ""
	body, err := json.Marshal(&w.link)
	if err != nil {
		t.Fatal(err)
	}
	w.rank = w.order + chain("")
	it := backlogKey("c", w.host, placeOf(w.rank, w.url))
	it["l"] = attr.Blob(s.codec.pack(body))
	if err := s.writeChunk(t.Context(), s.opts.Backlog, putsOf(it)); err != nil {
		t.Fatal(err)
	}
	return w.rank
}

// TestTwin leaves an item without a rank, as a crash does.
func TestTwin(t *testing.T) {
	s := open(t, newClock())
	l := frontier.Link{URL: "http://a.test/1", Priority: 2}
	add(t, s, l)
	putOld(t, s, frontier.Link{URL: l.URL, Priority: 1})
	if diff := cmp.Diff([]frontier.Link{l}, best(t, s)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	if err := s.Backlog().Remove(t.Context(), "c", "a.test", []string{l.URL}); err != nil {
		t.Fatal(err)
	}
	if n := items(t, s); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

func TestHostileLinks(t *testing.T) {
	s := open(t, newClock())
	long := "http://a.test/" + strings.Repeat("x", 2000)
	good := []frontier.Link{
		{URL: long + "1", Priority: 3, Parent: long, Anchor: strings.Repeat("党", 20000)},
		{URL: long + "2", Priority: 2, Parent: " # \x00", Anchor: "\u2028"},
		{URL: "http://a.test/", Priority: 1, Round: 9},
	}
	add(t, s, good...)
	if diff := cmp.Diff(good, best(t, s)); diff != "" {
		t.Errorf("waiting (-added +offered):\n%s", diff)
	}
	for _, bad := range []frontier.Link{
		{URL: "http://a.test/", Round: -1}, {URL: "http://a.test/", Round: math.MaxInt},
		{URL: "http://a.test/", Priority: math.NaN()}, {URL: "http://a.test/", Priority: math.Inf(1)},
	} {
		err := s.Backlog().Add(t.Context(), "c", []frontier.Link{bad})
		if f := fault.Of(err); f == nil || f.Class != fault.Permanent {
			t.Errorf("adding %+v: %v, want a permanent error", bad, err)
		}
	}
	if got, err := s.Backlog().Best(t.Context(), "c", "a.test", math.MaxInt, math.MaxInt); err != nil || len(got) != len(good) {
		t.Errorf("best of all rounds: %d links, %v", len(got), err)
	}
}

func TestGauge(t *testing.T) {
	c := newClock()
	s := open(t, c)
	g := s.Gauge()
	send := func(marks ...frontier.Mark) {
		t.Helper()
		if err := g.Sent(t.Context(), marks); err != nil {
			t.Fatal(err)
		}
	}
	want := func(host string, want int) {
		t.Helper()
		got, err := another(s).Gauge().Queued(t.Context(), "c", host)
		if err != nil || got != want {
			t.Errorf("%q: %d links queued, %v, want %d", host, got, err, want)
		}
	}
	task := frontier.Mark{Crawl: "c", Host: "a.test", ID: "t1", Links: 25, Due: c.Now()}
	rest := task
	rest.Hops, rest.Links, rest.Due = 1, 10, c.Now().Add(time.Hour)
	want("a.test", 0)
	send(task, frontier.Mark{Crawl: "c", Host: "b.test", ID: "t2", Links: 3, Due: c.Now()})
	send(task)
	send(frontier.Mark{Crawl: "d", Host: "a.test", ID: "t1", Links: 7, Due: c.Now()})
	want("a.test", 25)
	want("", 28)
	send(rest)
	for range 2 {
		if err := g.Ended(t.Context(), []frontier.Mark{task}); err != nil {
			t.Fatal(err)
		}
		want("a.test", 10)
	}
	c.Advance(80 * time.Minute) // b's message is lost, a's is not due
	want("b.test", 0)
	want("", 10)
	c.Advance(time.Hour)
	want("", 0)
	if err := g.Ended(t.Context(), []frontier.Mark{rest, {Crawl: "c", Host: "never.test", ID: "x"}}); err != nil {
		t.Fatal(err)
	}
	c.Advance(2 * forgetAfter)
	for range 2 {
		got, err := g.Standings(t.Context(), "c")
		if diff := cmp.Diff([]frontier.Standing{{Host: "a.test"}, {Host: "b.test"}}, got); err != nil || diff != "" {
			t.Errorf("standings, %v (-want +got):\n%s", err, diff)
		}
	}
	err := s.hostRows(t.Context(), "c", "s, q", func(row item) {
		if q := tasks(row); len(q) > 0 {
			t.Errorf("%s still has marks %v", attr.TextOf(row["s"]), q)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestStanding looks at a host before it is known, with tasks, and closed. Two
// stores that create its row at once both record their task.
func TestStanding(t *testing.T) {
	c := newClock()
	one := open(t, c)
	two := another(one)
	want := func(want frontier.Standing) {
		t.Helper()
		for _, s := range []*Store{one, two, another(one)} {
			got, err := s.Gauge().Standing(t.Context(), "c", "a.test", true)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v, standing (-want +got):\n%s", err, diff)
			}
		}
	}
	want(frontier.Standing{Host: "a.test"})
	for i, s := range []*Store{one, two} {
		task := frontier.Mark{Crawl: "c", Host: "a.test", ID: fmt.Sprint(i), Links: 10, Due: c.Now()}
		if err := s.Gauge().Sent(t.Context(), []frontier.Mark{task}); err != nil {
			t.Fatal(err)
		}
	}
	want(frontier.Standing{Host: "a.test", Queued: 20})
	if err := two.Backlog().Close(t.Context(), "c", "a.test", "host_budget"); err != nil {
		t.Fatal(err)
	}
	want(frontier.Standing{Host: "a.test", Queued: 20, Closed: "host_budget"})
}

// TestWaitingSeesOwnChanges pages through hosts while they change.
func TestWaitingSeesOwnChanges(t *testing.T) {
	s := open(t, newClock())
	hosts := func(skip int) (names []string) {
		t.Helper()
		all, err := s.Backlog().Waiting(t.Context(), "c", 0, skip, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all {
			names = append(names, h.Host)
		}
		return names
	}
	add(t, s, frontier.Link{URL: "http://a.test/", Priority: 2}, frontier.Link{URL: "http://b.test/", Priority: 1})
	if got := hosts(0); !slices.Equal(got, []string{"a.test", "b.test"}) {
		t.Errorf("waiting: %v", got)
	}
	add(t, s, frontier.Link{URL: "http://c.test/"})
	if got := hosts(1); !slices.Equal(got, []string{"b.test", "c.test"}) {
		t.Errorf("after an addition, from the second on: %v", got)
	}
	if err := s.Backlog().Close(t.Context(), "c", "b.test", "trap"); err != nil {
		t.Fatal(err)
	}
	if got := hosts(1); !slices.Equal(got, []string{"c.test"}) {
		t.Errorf("after a closure, from the second on: %v", got)
	}
}

func TestRestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := rest(ctx, maxTries); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
}
