//go:build race && !go1.27

package bubble

import (
	"runtime"
	"sync"
)

// open counts the bubbles of parallel tests; procs is GOMAXPROCS before the
// first of them. Both are global, as GOMAXPROCS is.
var (
	mu          sync.Mutex
	open, procs int
)

// oneThread has one thread run Go code until the function it returns is
// called, of other tests too. The detector needs no second one to see a race: it
// orders events, and does not wait for them to collide.
func oneThread() (undo func()) {
	mu.Lock()
	defer mu.Unlock()
	if open++; open == 1 {
		procs = runtime.GOMAXPROCS(1)
	}
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if open--; open == 0 {
			runtime.GOMAXPROCS(procs)
		}
	}
}
