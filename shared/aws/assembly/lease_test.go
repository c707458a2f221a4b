package assembly

import (
	"testing"
	"time"
)

func TestLease(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        time.Duration
		bad         bool
	}{
		{"not set", "", 3 * time.Minute, false},
		{"set", "36", 36 * time.Second, false},
		{"too short", "9", 0, true},
		{"too long", "3601", 0, true},
		{"beyond all durations", "99999999999999", 0, true},
		{"negative", "-60", 0, true},
		{"no number", "1m", 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := lease(func(string) string { return tt.value })
			if got != tt.want || (err != nil) != tt.bad {
				t.Errorf("lease(%q) = %v, %v", tt.value, got, err)
			}
		})
	}
}
