// Package bubble runs tests in testing/synctest bubbles, with artificial time.
//
// It exists for the race detector of Go 1.26, which breaks in a bubble if one
// timer fires while a goroutine looks at the channel of another: two threads
// use one context of the detector at once (https://go.dev/issue/78156). From Go
// 1.27 on it is just synctest.Test.
package bubble

import (
	"testing"
	"testing/synctest"
)

// Test runs f in a new bubble, as synctest.Test does.
func Test(t *testing.T, f func(*testing.T)) {
	defer oneThread()()
	synctest.Test(t, f)
}

// Wait returns when every other goroutine of the bubble waits, as synctest.Wait
// does.
func Wait() { synctest.Wait() }
