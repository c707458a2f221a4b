package neardup

import (
	"testing"
	"time"
)

// A document is as old as its page says if the page can be believed.
func TestEarliest(t *testing.T) {
	fetched := time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC)
	minutes := func(at time.Time) int32 { return int32(at.Unix() / 60) }
	for _, tc := range []struct {
		name               string
		published, fetched time.Time
		want               int32
	}{
		{"not known", time.Time{}, time.Time{}, 1<<31 - 1},
		{"fetched", time.Time{}, fetched, minutes(fetched)},
		{"published", fetched.AddDate(-1, 0, 0), fetched, minutes(fetched.AddDate(-1, 0, 0))},
		{"published within a day", fetched.Add(24*time.Hour - 1), fetched, minutes(fetched.Add(24*time.Hour - 1))},
		{"published later", fetched.Add(24 * time.Hour), fetched, minutes(fetched)},
		{"published in the first year", time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), fetched, minutes(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))},
		{"published before", time.Date(1989, 12, 31, 0, 0, 0, 0, time.UTC), fetched, minutes(fetched)},
		{"never fetched", fetched, time.Time{}, minutes(fetched)},
		{"fetched by a wrong clock", time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), 1<<31 - 1},
		{"fetched before 1970", time.Time{}, time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC), 0},
	} {
		if got := earliest(&Doc{Published: tc.published, Fetched: tc.fetched}); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
	if !hardlyShorter(95, 100) || hardlyShorter(94, 100) {
		t.Error("a twentieth less is hardly shorter, more is not")
	}
}
