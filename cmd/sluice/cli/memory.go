package cli

import (
	"math"
	"runtime/debug"
)

// LiftMemoryLimit undoes what suits crawls (see main.tuneMemory), unless the
// environment sets the garbage collector: vectors and frozen webs are larger than that
// limit, stay, and leave little garbage, and a heap at its limit is collected all the
// time.
func LiftMemoryLimit(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
