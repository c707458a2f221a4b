package main

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"sluice/shared/local"
)

// How often progress is shown: on a terminal, and elsewhere, where the first
// line comes early to say that something happens.
const (
	liveEvery  = 500 * time.Millisecond
	plainFirst = time.Second
	plainEvery = 10 * time.Second
)

// showProgress shows how c goes until the returned function is called.
// A zero deadline is none.
func showProgress(ctx context.Context, s *screen, c *local.Crawl, deadline time.Time) (end func()) {
	first, every := plainFirst, plainEvery
	if s.live() {
		first, every = liveEvery, liveEvery
	}
	over := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		var speed meter
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
			speed.add(now.Fetched-last.Fetched, now.At.Sub(last.At))
			s.show(progressFields(now, speed.rate(), deadline)...)
			last = now
			timer.Reset(every)
		}
	})
	return func() {
		close(over)
		done.Wait()
		s.show()
	}
}

// progressFields says how a crawl goes, what matters most first.
func progressFields(now local.Progress, rate float64, deadline time.Time) []string {
	harvest := 0.0
	if now.Fetched > 0 {
		harvest = float64(now.Kept) / float64(now.Fetched)
	}
	fields := []string{
		fmt.Sprintf("%d/%d pages", now.Fetched, now.MaxPages),
		fmt.Sprintf("harvest %.1f %%", 100*harvest),
		fmt.Sprintf("queue %d", now.Queue),
		fmt.Sprintf("%.1f pages/s", rate),
		fmt.Sprintf("hosts %d", now.Hosts),
	}
	if left, ok := budgetLeft(now, rate, deadline); ok {
		fields = append(fields, "ETA "+roughly(left))
	}
	return fields
}

// budgetLeft is when the first of the budgets will be used up, if that can be
// told. The frontier may be empty sooner.
func budgetLeft(now local.Progress, rate float64, deadline time.Time) (time.Duration, bool) {
	seconds := math.Inf(1)
	if rate > 0 {
		seconds = float64(max(now.MaxPages-now.Fetched, 0)) / rate
	}
	if !deadline.IsZero() {
		seconds = min(seconds, max(deadline.Sub(now.At).Seconds(), 0))
	}
	const longest = 1000 * 24 * time.Hour
	if seconds > longest.Seconds() {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// roughly writes a duration with its two largest units.
func roughly(d time.Duration) string {
	switch {
	case d >= 24*time.Hour:
		return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return d.Round(time.Second).String()
}

// meterWindow is how far back a meter remembers.
const meterWindow = 10 * time.Second

// meter smooths a rate: both what was counted and the time it took fade, so
// that it is right from the first reading on.
type meter struct{ n, seconds float64 }

func (m *meter) add(n int64, d time.Duration) {
	fade := math.Exp(-d.Seconds() / meterWindow.Seconds())
	m.n = m.n*fade + float64(n)
	m.seconds = m.seconds*fade + d.Seconds()
}

// rate is per second.
func (m *meter) rate() float64 {
	if m.seconds <= 0 {
		return 0
	}
	return m.n / m.seconds
}
