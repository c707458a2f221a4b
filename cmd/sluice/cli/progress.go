package cli

import (
	"fmt"
	"math"
	"time"

	"sluice/shared/local"
)

// How often progress is shown: on a terminal, and elsewhere, where the first
// line comes early to say that something happens.
const (
	LiveEvery  = 500 * time.Millisecond
	PlainFirst = time.Second
	PlainEvery = 10 * time.Second
)

// NothingLeft is the last field of a crawl on this machine while its end is confirmed.
const NothingLeft = "nothing left to fetch"

// ProgressFields says how a crawl goes, what matters most first. While it waits they stay the
// same: times of day, no rate that fades.
func ProgressFields(now local.Progress, rate float64, deadline time.Time) []string {
	harvest := 0.0
	if now.Fetched > 0 {
		harvest = float64(now.Kept) / float64(now.Fetched)
	}
	fields := []string{
		fmt.Sprintf("%d/%d pages", now.Fetched, now.MaxPages),
		fmt.Sprintf("harvest %.1f %%", 100*harvest),
		fmt.Sprintf("queue %d", now.Queue),
	}
	if since := now.Outage.Since; !since.IsZero() {
		return append(fields, "waiting: nothing answers since "+clock(since, now.At))
	}
	if p := now.Pause; p.Host != "" {
		return append(fields, fmt.Sprintf("waiting: %s, %s, until %s", Clean(p.Host), p.Rule, clock(p.Until, now.At)))
	}
	if now.Queue == 0 && now.Hosts == 0 && now.Fetched > 0 {
		return append(fields, NothingLeft)
	}
	fields = append(fields, fmt.Sprintf("%.1f pages/s", rate), fmt.Sprintf("hosts %d", now.Hosts))
	if left, ok := budgetLeft(now, rate, deadline); ok {
		fields = append(fields, "ETA "+Roughly(left))
	}
	return fields
}

// budgetLeft is when the first of the budgets will be used up, if that can be told: at this
// rate, which is none when less than a page came in the time that a meter remembers, and if
// enough links wait.
func budgetLeft(now local.Progress, rate float64, deadline time.Time) (time.Duration, bool) {
	if rate*meterWindow.Seconds() < 1 {
		return 0, false
	}
	seconds := float64(max(now.MaxPages-now.Fetched, 0)) / rate
	if !deadline.IsZero() {
		seconds = min(seconds, max(deadline.Sub(now.At).Seconds(), 0))
	}
	const longest = 1000 * 24 * time.Hour
	if seconds > longest.Seconds() || rate*seconds > float64(now.Queue) {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// clock writes a time of day, with the date unless that is of today.
func clock(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// Roughly writes a duration with its two largest units.
func Roughly(d time.Duration) string {
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

const leastMetered = 0.4 // seconds

// Meter smooths a rate: both what was counted and the time it took fade, so
// that it is right from the first reading on.
type Meter struct{ n, seconds float64 }

// Add counts what was done in a time.
func (m *Meter) Add(n int64, d time.Duration) {
	fade := math.Exp(-d.Seconds() / meterWindow.Seconds())
	m.n = m.n*fade + float64(n)
	m.seconds = m.seconds*fade + d.Seconds()
}

// Rate is per second, 0 until something can be told.
func (m *Meter) Rate() float64 {
	if m.seconds < leastMetered {
		return 0
	}
	return m.n / m.seconds
}

// Seconds makes a duration of seconds, the longest there is of too many.
func Seconds(s float64) time.Duration {
	if s >= math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(s * float64(time.Second))
}
