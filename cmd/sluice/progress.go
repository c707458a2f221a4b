package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"sluice/shared/local"
)

// How often progress is shown: a line that rewrites itself on a terminal,
// plain lines elsewhere.
const (
	liveEvery  = 500 * time.Millisecond
	plainEvery = 10 * time.Second
)

// progress shows how a crawl goes until it is told to end.
type progress struct {
	w    io.Writer
	live bool
	stop chan struct{}
	done sync.WaitGroup
}

// showProgress starts showing c's progress on w.
func showProgress(ctx context.Context, w io.Writer, c *local.Crawl) *progress {
	p := &progress{w: w, live: isTerminal(w), stop: make(chan struct{})}
	every := plainEvery
	if p.live {
		every = liveEvery
	}
	p.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		last := c.Progress(ctx)
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
			}
			now := c.Progress(ctx)
			p.print(progressLine(last, now))
			last = now
		}
	})
	return p
}

// end stops showing and leaves the terminal on a fresh line.
func (p *progress) end() {
	close(p.stop)
	p.done.Wait()
	if p.live {
		fmt.Fprint(p.w, "\r\033[K")
	}
}

func (p *progress) print(line string) {
	if p.live {
		fmt.Fprintf(p.w, "\r\033[K%s", line)
		return
	}
	fmt.Fprintln(p.w, line)
}

// progressLine is one line about the time between two snapshots.
func progressLine(last, now local.Progress) string {
	rate := 0.0
	if d := now.At.Sub(last.At).Seconds(); d > 0 {
		rate = float64(now.Fetched-last.Fetched) / d
	}
	harvest := 0.0
	if now.Fetched > 0 {
		harvest = float64(now.Kept) / float64(now.Fetched)
	}
	line := fmt.Sprintf("%d/%d pages  harvest %.1f %%  kept %d  queue %d  hosts %d  %.1f pages/s",
		now.Fetched, now.MaxPages, 100*harvest, now.Kept, now.Queue, now.Hosts, rate)
	if rate > 0 {
		eta := time.Duration(float64(now.MaxPages-now.Fetched) / rate * float64(time.Second))
		line += "  budget in " + eta.Round(time.Second).String()
	}
	return line
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
