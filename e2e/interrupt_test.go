package e2e_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// An interrupted crawl finishes the pages in progress, says so, and continues where
// it was: nothing is asked for twice.
func TestInterruptAndResume(t *testing.T) {
	long(t)
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted")
	}
	web := serve(t, "-latency", "20ms")
	out := filepath.Join(t.TempDir(), "out")
	args := crawlArgs(topicEverything, out, web, newsSeeds(t), "--max-pages", "500")
	p := start(t, args...)
	for web.account(t).Requests < 50 {
		select {
		case <-p.ended:
			t.Fatalf("crawl ended early: %+v", p.wait(t))
		case <-time.After(10 * time.Millisecond):
		}
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	first := p.wait(t).summary(t, exitStopped)
	if first.StopReason != "interrupted" {
		t.Errorf("stop reason %q, want interrupted", first.StopReason)
	}
	if n := web.account(t).Requests; first.Fetched != n {
		t.Errorf("summary counts %d fetched, the server %d", first.Fetched, n)
	}

	last := sluice(t, append(args, "--resume")...).summary(t, exitDone)
	a := web.account(t)
	if last.StopReason != "max_pages" || last.Fetched != 500 || a.Requests != 500 || a.Repeated != 0 {
		t.Errorf("stop reason %q with %d fetched; the server saw %d requests, %d repeated; want max_pages, 500, 500, none",
			last.StopReason, last.Fetched, a.Requests, a.Repeated)
	}
	if docs := corpus(t, out); len(docs) != last.Kept {
		t.Errorf("%d documents, summary counts %d", len(docs), last.Kept)
	}
}
