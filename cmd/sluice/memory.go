package main

import "runtime/debug"

// A crawl makes much garbage and keeps little. Its heap may grow to three and a half
// times of what is kept: twice, the default, costs more CPU, and five times takes 30 MB
// more for less than a percent of it. The limit keeps the process well below half a
// gigabyte.
const (
	gcPercent   = 250
	memoryLimit = 320 << 20 // bytes
)

// tuneMemory sets the garbage collector, unless the environment does.
func tuneMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
