package cli

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func TestRepeatedInterrupts(t *testing.T) {
	t.Parallel()
	at := time.Now()
	for _, test := range []struct {
		name        string
		first, then os.Signal
		after       time.Duration
		want        bool
	}{
		{"the first", nil, syscall.SIGTERM, 0, false},
		{"a terminal that closes", nil, syscall.SIGHUP, 0, false},
		{"timeout(1)", syscall.SIGTERM, syscall.SIGTERM, time.Millisecond, true},
		{"twice by hand", os.Interrupt, os.Interrupt, 200 * time.Millisecond, false},
		{"by hand, and by another", os.Interrupt, syscall.SIGTERM, time.Millisecond, false},
		{"a terminal that closes, twice", syscall.SIGHUP, syscall.SIGHUP, time.Second, true},
		{"by hand, and its terminal closes", os.Interrupt, syscall.SIGHUP, time.Second, true},
	} {
		if got := (received{test.first, at}).repeatedBy(test.then, at.Add(test.after)); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
