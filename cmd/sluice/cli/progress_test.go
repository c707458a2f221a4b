package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/local"
	"sluice/shared/local/engine"
)

func TestProgressFields(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 30, 12, 0, 0, 0, time.UTC)
	begun := local.Progress{At: at, Fetched: 400, Kept: 100, MaxPages: 10_000, Queue: 12_345, Hosts: 64}
	over := begun
	over.Fetched = 10_001
	few, paused := begun, begun
	few.Queue, paused.Hosts = 3, 0
	ending := begun
	ending.Queue, ending.Hosts = 0, 0
	paused.Pause = engine.Pause{Host: "a.test", Rule: "http_429", Until: at.Add(2 * time.Minute)}
	down, longDown := begun, begun
	down.Outage.Since, longDown.Outage.Since = at.Add(-90*time.Second), at.Add(-13*time.Hour)
	for _, test := range []struct {
		name     string
		now      local.Progress
		rate     float64
		deadline time.Time
		want     string
	}{
		{"pages end it first", begun, 16, at.Add(time.Hour), "400/10000 pages|harvest 25.0 %|queue 12345|16.0 pages/s|hosts 64|ETA 10m0s"},
		{"time ends it first", begun, 16, at.Add(90 * time.Second), "400/10000 pages|harvest 25.0 %|queue 12345|16.0 pages/s|hosts 64|ETA 1m30s"},
		{"nothing is fetched", begun, 0, at.Add(2*time.Hour + 59*time.Minute), "400/10000 pages|harvest 25.0 %|queue 12345|0.0 pages/s|hosts 64"},
		{"nothing can tell", begun, 0, time.Time{}, "400/10000 pages|harvest 25.0 %|queue 12345|0.0 pages/s|hosts 64"},
		{"too far away", begun, 1e-300, time.Time{}, "400/10000 pages|harvest 25.0 %|queue 12345|0.0 pages/s|hosts 64"},
		{"hours away", begun, 0.4, time.Time{}, "400/10000 pages|harvest 25.0 %|queue 12345|0.4 pages/s|hosts 64|ETA 6h40m"},
		{"the rate fades", begun, 0.04, at.Add(time.Hour), "400/10000 pages|harvest 25.0 %|queue 12345|0.0 pages/s|hosts 64"},
		{"used up", over, 16, time.Time{}, "10001/10000 pages|harvest 1.0 %|queue 12345|16.0 pages/s|hosts 64|ETA 0s"},
		{"too late", begun, 1, at.Add(-time.Second), "400/10000 pages|harvest 25.0 %|queue 12345|1.0 pages/s|hosts 64|ETA 0s"},
		{"few links are left", few, 16, at.Add(time.Hour), "400/10000 pages|harvest 25.0 %|queue 3|16.0 pages/s|hosts 64"},
		{"few links, and little time", few, 16, at.Add(100 * time.Millisecond), "400/10000 pages|harvest 25.0 %|queue 3|16.0 pages/s|hosts 64|ETA 0s"},
		{"a pause", paused, 0, at.Add(time.Hour), "400/10000 pages|harvest 25.0 %|queue 12345|waiting: a.test, http_429, until 12:02:00"},
		{"an outage", down, 3, at.Add(time.Hour), "400/10000 pages|harvest 25.0 %|queue 12345|waiting: nothing answers since 11:58:30"},
		{"an outage since yesterday", longDown, 0, at.Add(time.Hour), "400/10000 pages|harvest 25.0 %|queue 12345|waiting: nothing answers since 2026-03-29 23:00:00"},
		{"the end is confirmed", ending, 16, at.Add(time.Hour), "400/10000 pages|harvest 25.0 %|queue 0|nothing left to fetch"},
		{"nothing yet", local.Progress{At: at, MaxPages: 5}, 0, time.Time{}, "0/5 pages|harvest 0.0 %|queue 0|0.0 pages/s|hosts 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(ProgressFields(test.now, test.rate, test.deadline), "|")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The rate follows a change without jumping, and is right at once.
func TestMeter(t *testing.T) {
	t.Parallel()
	var m Meter
	if m.Rate() != 0 {
		t.Errorf("rate of nothing is %v", m.Rate())
	}
	m.Add(10, 500*time.Millisecond)
	if got := m.Rate(); got < 19.99 || got > 20.01 {
		t.Errorf("rate is %v after 10 in half a second, want 20", got)
	}
	for range 100 {
		m.Add(10, 500*time.Millisecond)
	}
	m.Add(0, 500*time.Millisecond)
	if got := m.Rate(); got < 18 || got >= 20 {
		t.Errorf("rate is %v after one pause, want a little less than 20", got)
	}
	for range 200 {
		m.Add(0, 500*time.Millisecond)
	}
	if got := m.Rate(); got > 0.01 {
		t.Errorf("rate is %v after a long pause, want none", got)
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	fields := []string{"400/10000 pages", "harvest 25.0 %", "queue 12"}
	for _, test := range []struct {
		width int
		want  string
	}{
		{80, "400/10000 pages  harvest 25.0 %  queue 12"},
		{41, "400/10000 pages  harvest 25.0 %  queue 12"},
		{40, "400/10000 pages harvest 25.0 % queue 12"},
		{38, "400/10000 pages  harvest 25.0 %"},
		{15, "400/10000 pages"},
		{7, "400/100"},
		{0, ""},
		{-1, ""},
	} {
		if got := fit(fields, test.width); got != test.want {
			t.Errorf("width %d: %q, want %q", test.width, got, test.want)
		}
	}
	if got := fit(nil, 80); got != "" {
		t.Errorf("no fields: %q", got)
	}
}

// On a terminal the line stays at the bottom, below what else is written.
func TestScreen(t *testing.T) {
	t.Parallel()
	var live, plain bytes.Buffer
	terminal := &Screen{w: &live, width: func() int { return 10 }}
	for _, s := range []*Screen{terminal, NewScreen(&plain)} {
		s.Show("1 page", "queue 2")
		if n, err := s.Write([]byte("a warning\n")); n != 10 || err != nil {
			t.Errorf("Write = %d, %v", n, err)
		}
		s.Show("2 pages")
		if !s.Live() {
			s.Show("2 pages") // nothing new
		}
		s.Show()
		if _, err := s.Write([]byte("the end\n")); err != nil {
			t.Error(err)
		}
	}
	const erase = "\r\x1b[K"
	if diff := cmp.Diff(erase+"1 page"+erase+"a warning\n1 page"+erase+"2 pages"+erase+"the end\n", live.String()); diff != "" {
		t.Errorf("terminal (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("1 page  queue 2\na warning\n2 pages\nthe end\n", plain.String()); diff != "" {
		t.Errorf("elsewhere (-want +got):\n%s", diff)
	}
}
