package bubble

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// Timers of many goroutines fire at one instant, while those that woke first
// look at the channels of the others. Under the race detector of Go 1.26,
// without the help of this package, the process ends here, if not each time.
func TestTimersOfOneInstant(t *testing.T) {
	for range 50 {
		Test(t, func(t *testing.T) {
			start := time.Now()
			var wg sync.WaitGroup
			for range 60 {
				wg.Go(func() {
					for range 10 {
						timers := make([]*time.Timer, 8)
						for i := range timers {
							timers[i] = time.NewTimer(time.Second)
						}
						fired := make(chan bool)
						time.AfterFunc(time.Second, func() { close(fired) })
						<-fired
						for i, timer := range timers {
							if i%2 == 0 {
								timer.Stop()
								continue
							}
							select {
							case <-timer.C:
							default:
							}
						}
					}
				})
			}
			wg.Wait()
			if d := time.Since(start); d != 10*time.Second {
				t.Errorf("%v passed in the bubble, want 10s", d)
			}
		})
	}
}

// Though bubbles overlap, the process has its threads back.
func TestThreadsComeBack(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	t.Run("bubbles", func(t *testing.T) {
		for range 6 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				Test(t, func(*testing.T) { time.Sleep(time.Second) })
			})
		}
	})
	if after := runtime.GOMAXPROCS(0); after != before {
		t.Errorf("GOMAXPROCS is %d, was %d", after, before)
	}
}
