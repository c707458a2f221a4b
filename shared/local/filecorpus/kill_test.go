//go:build unix

package filecorpus

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"

	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
)

const (
	killDirEnv = "FILECORPUS_KILL_DIR" // makes TestKill the process to be killed
	killPages  = 60
)

// TestKill kills a writing process again and again; what it had confirmed
// is there afterwards, and nothing twice.
func TestKill(t *testing.T) {
	if dir := os.Getenv(killDirEnv); dir != "" {
		writeUntilKilled(dir)
		return
	}
	dir := t.TempDir()
	for _, confirmed := range []int{0, 1, 7, 20, 45} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKill$")
		cmd.Env = append(os.Environ(), killDirEnv+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_, readErr := io.ReadFull(out, make([]byte, confirmed))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if readErr != nil {
			t.Fatalf("wait for %d pages: %v", confirmed, readErr)
		}
		c := mustOpen(t, dir, Options{}) // the lock went with the process
		kill(c)
		if got := len(readLines[corpus.Document](t, dir, docKind)); got < confirmed {
			t.Errorf("%d documents are left, %d were confirmed", got, confirmed)
		}
	}
	c := mustOpen(t, dir, Options{})
	for i := range killPages {
		putBoth(t, c, i)
	}
	kill(c)
	verify(t, dir, killPages)
}

// writeUntilKilled writes all pages by four goroutines, one byte of standard
// output for each.
func writeUntilKilled(dir string) {
	c, err := Open(dir, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := worker; i < killPages; i += 4 {
				x, d := corpustest.Page(i)
				if _, err := c.Put(context.Background(), x, d); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				if err := c.Reject(context.Background(), rejectOf(x)); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				_, _ = os.Stdout.WriteString(".")
			}
		})
	}
	wg.Wait()
}
