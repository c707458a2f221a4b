package dynamoledger

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
	st, err := another(s).Gauge().Standing(t.Context(), "c", "a.test")
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
