package crawlcmd

import (
	"context"
	"sync"
	"time"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local"
)

// showProgress shows how c goes until the returned function is called.
// A zero deadline means no deadline.
func showProgress(ctx context.Context, s *cli.Screen, c *local.Crawl, deadline time.Time) (end func()) {
	first, every := cli.PlainFirst, cli.PlainEvery
	if s.Live() {
		first, every = cli.LiveEvery, cli.LiveEvery
	}
	over := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		var speed cli.Meter
		timer := time.NewTimer(first)
		defer timer.Stop()
		last := c.Progress(ctx)
		for {
			select {
			case <-over:
				return
			case <-timer.C:
			}
			now := c.Progress(ctx)
			speed.Add(now.Fetched-last.Fetched, now.At.Sub(last.At))
			s.Show(cli.ProgressFields(now, speed.Rate(), deadline)...)
			last = now
			timer.Reset(every)
		}
	})
	return func() {
		close(over)
		done.Wait()
		s.Show()
	}
}
