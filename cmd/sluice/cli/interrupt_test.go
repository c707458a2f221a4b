package cli

import (
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// Two signals at the same moment are one interrupt, as timeout(1) sends them.
func TestInterruptsAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted")
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	terminate := func() {
		t.Helper()
		if err := self.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	acts := make(chan string, 2)
	defer OnInterrupt(func() { acts <- "first" }, func() { acts <- "second" })()
	terminate()
	first := <-acts
	terminate()
	time.Sleep(2 * atOnce)
	if first != "first" || len(acts) > 0 {
		t.Fatalf("%s interrupt, then %d at the same moment", first, len(acts))
	}
	terminate()
	if second := <-acts; second != "second" {
		t.Errorf("%s interrupt, a moment later", second)
	}
}
