package fault

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff returns the wait before another try: between half of and a whole step
// that doubles with each try, counted from 0, up to most. So tries that failed
// together are not repeated together.
func Backoff(first, most time.Duration, try int) time.Duration {
	step := min(first<<min(max(try, 0), 20), most)
	return step/2 + rand.N(step/2+1)
}

// Pause waits, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
