package dynamoledger

import (
	"testing"
	"time"

	"sluice/shared/state/frontier"
)

func TestStrike(t *testing.T) {
	clock := newClock()
	s := open(t, clock)
	g := s.Gauge()
	now := clock.Now()
	marks := []frontier.Mark{
		{Crawl: "c", Host: "a.test", ID: "old", Links: 3, Due: now.Add(-time.Minute)},
		{Crawl: "c", Host: "a.test", ID: "new", Links: 5, Due: now},
		{Crawl: "c", Host: "b.test", ID: "late", Links: 7, Due: now.Add(time.Hour)},
		{Crawl: "d", Host: "a.test", ID: "other", Links: 9, Due: now.Add(-time.Hour)},
	}
	if err := g.Sent(t.Context(), marks); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := g.Strike(t.Context(), "c", now.Add(-time.Second)); err != nil {
			t.Fatal(err)
		}
		for crawl, want := range map[string]int{"c": 12, "d": 9} {
			if got, err := g.Queued(t.Context(), crawl, ""); err != nil || got != want {
				t.Errorf("crawl %s has %d links under way (%v), want %d", crawl, got, err, want)
			}
		}
	}
}
