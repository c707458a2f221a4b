package engine

import (
	"testing"
	"time"
)

// The pause that is shown is the first to end, of a host that was not asked since.
func TestPauses(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 30, 12, 0, 0, 0, time.UTC)
	var p pauses
	want := func(host string) {
		t.Helper()
		if got := p.first(now); got.Host != host {
			t.Errorf("the first pause is %+v, want that of %q", got, host)
		}
	}
	want("")
	p.note("a.test", "", now.Add(time.Second), now) // its usual delay
	want("")
	p.note("b.test", "http_429", now.Add(time.Hour), now)
	p.note("c.test", "robots_unreachable", now.Add(time.Minute), now)
	want("c.test")
	p.note("c.test", "", now.Add(time.Minute), now) // another task, put back
	want("c.test")
	now = now.Add(2 * time.Minute)
	want("b.test")
	p.note("c.test", "", now.Add(time.Second), now)
	if len(p.of) != 1 {
		t.Errorf("pauses %v, want that of b.test alone", p.of)
	}
	now = now.Add(time.Hour)
	want("")
}
