package dynamoledger

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// heldTask returns a task of the first n links of a.test, which its mark holds.
func heldTask(t *testing.T, n int) *frontier.Task {
	t.Helper()
	task := frontier.NewTask("c", "a.test", numbered(n), someTime)
	if task.Hold(); !task.Held {
		t.Fatal("the mark holds nothing")
	}
	return task
}

func wantHeld(t *testing.T, s *Store, want ...string) {
	t.Helper()
	st, err := another(s).Gauge().Standing(t.Context(), "c", "a.test", true)
	if diff := cmp.Diff(want, st.Held); err != nil || diff != "" {
		t.Errorf("held (-want +got): %v\n%s", err, diff)
	}
}

// The links of a task are known by its mark, for the write unit that this costs anyway,
// until it ends.
func TestMarksHoldLinks(t *testing.T) {
	s, p, c := metered(t)
	g, task := s.Gauge(), heldTask(t, 3)
	if err := g.Sent(t.Context(), []frontier.Mark{task.Mark(c.Now())}); err != nil {
		t.Fatal(err)
	}
	if p.writes > 1 {
		t.Errorf("it cost %v write units", p.writes)
	}
	wantHeld(t, s, frontier.URLs(task.Links)...)
	task.Hops, task.Links = 1, task.Links[2:] // its rest
	if err := g.Sent(t.Context(), []frontier.Mark{task.Mark(c.Now())}); err != nil {
		t.Fatal(err)
	}
	wantHeld(t, s, task.Links[0].URL)
	m := task.Mark(c.Now())
	m.Held = nil
	if err := g.Ended(t.Context(), []frontier.Mark{m}); err != nil {
		t.Fatal(err)
	}
	wantHeld(t, s)
	if n := items(t, s); n != 0 {
		t.Errorf("%d packs wait", n)
	}
}

// A mark may be noted whose message is never sent: its sender died, and others have left
// the links out since. They wait when the mark is struck.
func TestLostMarksGiveLinksBack(t *testing.T) {
	for _, tt := range []struct {
		name   string
		strike func(g *Gauge, c interface{ Now() time.Time }) error
	}{
		{"by the keeper, when no queue holds anything", func(g *Gauge, c interface{ Now() time.Time }) error {
			return g.Strike(t.Context(), "c", c.Now().Add(-time.Minute))
		}},
		{"after a day", func(g *Gauge, _ interface{ Now() time.Time }) error {
			_, err := g.Standings(t.Context(), "c")
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, p, c := metered(t)
			task := heldTask(t, 3)
			if err := s.Gauge().Sent(t.Context(), []frontier.Mark{task.Mark(c.Now())}); err != nil {
				t.Fatal(err)
			}
			c.Advance(30 * time.Hour)
			wantHeld(t, s) // too old to be under way
			p.setOdds(.1)
			persist(t, "strike", func() error { return tt.strike(s.Gauge(), c) })
			p.setOdds(0)
			if diff := cmp.Diff(task.Links, best(t, another(s))); diff != "" {
				t.Errorf("waiting (-want +got):\n%s", diff)
			}
			remove(t, s, frontier.URLs(task.Links)...) // they leave again, and their message is lost again
			again := frontier.NewTask("c", "a.test", task.Links, someTime)
			if err := s.Gauge().Sent(t.Context(), []frontier.Mark{again.Mark(c.Now())}); err != nil {
				t.Fatal(err)
			}
			c.Advance(30 * time.Hour)
			if err := tt.strike(s.Gauge(), c); err != nil {
				t.Fatal(err)
			}
			if left := best(t, another(s)); len(left) > 0 {
				t.Errorf("%v come back each time", left)
			}
		})
	}
}

// Other crawls may keep the queues from being empty, so that nobody strikes lost marks. A
// crawl that has nothing else under way gets their links back.
func TestLostMarksAtTheEnd(t *testing.T) {
	s, _, c := metered(t)
	lost := heldTask(t, 3)
	other := frontier.NewTask("c", "b.test", []frontier.Link{{URL: "http://b.test/"}}, someTime)
	marks := []frontier.Mark{lost.Mark(c.Now()), other.Mark(c.Now().Add(time.Hour))}
	if err := s.Gauge().Sent(t.Context(), marks); err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]frontier.Link{nil, lost.Links} {
		c.Advance(61 * time.Minute)
		if _, err := s.Gauge().Standings(t.Context(), "c"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, best(t, another(s)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("waiting (-want +got):\n%s", diff)
		}
	}
}

// A task that was given up keeps its links from coming again.
func TestGivenUpLinksAreKnown(t *testing.T) {
	s, _, c := metered(t)
	task := heldTask(t, 2)
	if err := s.Gauge().Sent(t.Context(), []frontier.Mark{task.Mark(c.Now())}); err != nil {
		t.Fatal(err)
	}
	if err := s.Gauge().Ended(t.Context(), []frontier.Mark{task.Mark(c.Now())}); err != nil {
		t.Fatal(err)
	}
	states, err := another(s).Ledger().States(t.Context(), "c", frontier.URLs(task.Links))
	if diff := cmp.Diff([]ledger.State{ledger.Queued, ledger.Queued}, states); err != nil || diff != "" {
		t.Errorf("states (-want +got): %v\n%s", err, diff)
	}
}

// Links are parked at a host whose task is under way: a look knows them, the next task takes
// them along, and until then they count as under way for the crawl, but not for the host.
func TestParkedLinks(t *testing.T) {
	s, p, c := metered(t)
	g, task := s.Gauge(), heldTask(t, 1)
	sent := func(m frontier.Mark) {
		t.Helper()
		p.reset()
		if err := g.Sent(t.Context(), []frontier.Mark{m}); err != nil {
			t.Fatal(err)
		}
		if p.writes > 1 {
			t.Errorf("%s cost %v write units", m.ID, p.writes)
		}
	}
	standing := func(want frontier.Standing, all int) {
		t.Helper()
		st, err := g.Standing(t.Context(), "c", "a.test", true)
		slices.Sort(st.Held)
		slices.Sort(st.Parks)
		slices.SortFunc(st.Parked, frontier.BestFirst)
		want.Host = "a.test"
		if diff := cmp.Diff(want, st); err != nil || diff != "" {
			t.Errorf("standing (-want +got): %v\n%s", err, diff)
		}
		if n, err := g.Queued(t.Context(), "c", ""); err != nil || n != all {
			t.Errorf("%d links are under way, %v, want %d", n, err, all)
		}
	}
	links := numbered(3)
	sent(task.Mark(c.Now()))
	sent(frontier.Mark{Crawl: "c", Host: "a.test", ID: "p1", Links: 1, Due: c.Now(), Held: links[1:2], Parked: true})
	sent(frontier.Mark{Crawl: "c", Host: "a.test", ID: "p2", Links: 1, Due: c.Now(), Held: links[2:], Parked: true})
	standing(frontier.Standing{Queued: 1, Held: frontier.URLs(links), Parked: links[1:], Parks: []string{"p1", "p2"}}, 3)

	task.Parks = []string{"p1"} // taken along
	m := task.Mark(c.Now())
	m.Held = nil
	left := frontier.Standing{Held: []string{links[2].URL}, Parked: links[2:], Parks: []string{"p2"}}
	for range 2 { // its answer was lost
		p.reset()
		after, err := g.End(t.Context(), m)
		if err != nil || p.writes > 1 || p.reads > 0 {
			t.Errorf("the end: %v, %v write units, %v read units", err, p.writes, p.reads)
		}
		left.Host = "a.test"
		if diff := cmp.Diff(left, after); diff != "" {
			t.Errorf("after the end (-want +got):\n%s", diff)
		}
	}
	standing(left, 1)
	c.Advance(2 * time.Hour) // its host had no visit
	standing(frontier.Standing{Held: []string{links[2].URL}, Parked: links[2:], Parks: []string{"p2"}}, 0)

	for _, host := range []string{"a.test", "new.test"} { // after the end of its task, or without any
		p.reset()
		parked := frontier.Mark{Crawl: "c", Host: host, ID: "p2", Links: 1, Due: c.Now(), Held: links[2:], Parked: true}
		after, err := g.Park(t.Context(), []frontier.Mark{parked})
		if err != nil || p.reads > 0 || host == "a.test" && p.writes > 1 {
			t.Errorf("parking: %v, %v write units, %v read units", err, p.writes, p.reads)
		}
		left.Host = host
		if diff := cmp.Diff([]frontier.Standing{left}, after); diff != "" {
			t.Errorf("after parking (-want +got):\n%s", diff)
		}
	}
	if _, err := g.End(t.Context(), frontier.Mark{Crawl: "c", Host: "new.test", ID: "p2"}); err != nil {
		t.Fatal(err)
	}

	next := frontier.NewTask("c", "a.test", links[2:], someTime)
	next.Held, next.Parks = true, []string{"p2"}
	sent(next.Mark(c.Now()))
	standing(frontier.Standing{Queued: 1, Held: []string{links[2].URL}}, 1)
}
