package assembly

import (
	"testing"
	"time"
)

func TestAgainIn(t *testing.T) {
	for begun, want := range []time.Duration{ // 0: its first cleaning has not begun
		time.Minute, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute,
	} {
		if got := againIn(int64(begun)); got != want {
			t.Errorf("after %d cleanings: %v, want %v", begun, got, want)
		}
	}
	if got := againIn(1 << 40); got != 15*time.Minute {
		t.Errorf("after many: %v", got)
	}
}
