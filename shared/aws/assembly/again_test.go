package assembly

import (
	"testing"
	"time"
)

func TestAgainIn(t *testing.T) {
	for before, want := range []time.Duration{
		time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute,
	} {
		if got := againIn(time.Minute, int64(before)); got != want {
			t.Errorf("asked for %d times: %v, want %v", before, got, want)
		}
	}
	if got := againIn(time.Minute, 1<<40); got != 15*time.Minute {
		t.Errorf("after many: %v", got)
	}
}
