package dynamohosts

import (
	"fmt"
	"testing"
	"time"

	"sluice/shared/web/hosts"
)

// Leases that are never released do not fill the memory, and running ones are
// not forgotten for them.
func TestVisits(t *testing.T) {
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	vs := visits{of: map[string]*visit{}}
	for i := range 2 * maxVisits {
		vs.begin(fmt.Sprintf("h%d.test", i), visitOf(nil, "w", now.Add(time.Minute)), false, now)
	}
	if n := len(vs.of); n != maxVisits {
		t.Errorf("%d visits of %d are noted, want %d", n, 2*maxVisits, maxVisits)
	}
	k := rider{known{new(hosts.Rules), 2}, []byte("j{}")}
	for host, want := range map[string]bool{"h0.test": true, "h999.test": true, "h1000.test": false} {
		if got := vs.board("https://"+host, k, now); got != want {
			t.Errorf("rules of %s ride: %v, want %v", host, got, want)
		}
	}
	later := now.Add(time.Minute)
	vs.begin("late.test", visitOf(nil, "w", later.Add(time.Minute)), false, later)
	if _, leased, _ := vs.look("http://late.test", later); !leased || len(vs.of) != 1 {
		t.Errorf("leased: %v, %d visits; want the one whose lease is running", leased, len(vs.of))
	}
}
