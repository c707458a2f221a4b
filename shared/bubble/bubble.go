// Package bubble runs tests in bubbles of testing/synctest, in which time is
// not real and passes when everything waits.
//
// It exists for the race detector of Go 1.26, which breaks down in a bubble in
// which one timer fires while a goroutine looks at the channel of another: both
// are accounted to one context of the detector, by two threads at a time
// (https://go.dev/issue/78156). From Go 1.27 on it is synctest.Test alone.
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
