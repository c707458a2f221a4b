package opscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/cmd/sluice/cli"
	"sluice/shared/console"
	"sluice/shared/state/job"
)

// fakeStack answers Look one after the other.
type fakeStack struct {
	looks    []any // *console.Status or error
	starting bool
}

func (f *fakeStack) Look(context.Context) (*console.Status, error) {
	look := f.looks[0]
	f.looks = f.looks[1:]
	if err, ok := look.(error); ok {
		return nil, err
	}
	return look.(*console.Status), nil //nolint:errcheck // panics
}

func (f *fakeStack) Starting(context.Context) (bool, error) { return f.starting, nil }

func TestWatch(t *testing.T) {
	t.Parallel()
	at := func(state job.State, fetched int64, queued int, ago time.Duration) *console.Status {
		s := console.Summary{State: state, Fetched: fetched, Kept: fetched / 2, MaxPages: 100, CostDollars: 0.5, Updated: time.Now().Add(-ago)}
		return &console.Status{Stack: "s", Summary: s, Queued: queued, HostCounts: console.HostCounts{Active: 2}}
	}
	unknown := fmt.Errorf("get crawl: %w", job.ErrUnknown)
	f := &fakeStack{starting: true, looks: []any{
		unknown, unknown, at(job.Paused, 10, 3, 0), at(job.Stopped, 10, 3, time.Minute), at(job.Stopped, 12, 0, time.Minute),
	}}
	var w bytes.Buffer
	if err := watch(t.Context(), cli.NewScreen(&w), f, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	want := "waiting for the crawl to start\n" +
		"paused  10/100 pages  harvest 50.0 %  queue 3  0.0 pages/s  hosts 2  $0.5000\n" +
		"stopped  10/100 pages  harvest 50.0 %  queue 3  0.0 pages/s  hosts 2  $0.5000\n" +
		"stopped  12/100 pages  harvest 50.0 %  queue 0  0.0 pages/s  hosts 2  $0.5000\n"
	if diff := cmp.Diff(want, w.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	down := at(job.Running, 12, 3, 0)
	down.Stack, down.OutageSince = "", time.Now().Truncate(time.Second)
	if fields := watchFields(down, progressOf(down, time.Now()), 1); fields[len(fields)-1] != "waiting: nothing answers since "+down.OutageSince.Format(time.TimeOnly) {
		t.Errorf("in an outage: %q", fields)
	}
	idle := at(job.Running, 12, 0, 0)
	idle.HostCounts.Active = 0
	fields := watchFields(idle, progressOf(idle, time.Now()), 1)
	if diff := cmp.Diff([]string{"12/100 pages", "harvest 50.0 %", "queue 0", "nothing to fetch now", "$0.5000"}, fields); diff != "" {
		t.Errorf("tasks may rest (-want +got):\n%s", diff)
	}
	lost := &fakeStack{looks: []any{at(job.Done, 10, 3, 2*tail)}} // its message, and the watch has ended
	if err := watch(t.Context(), cli.NewScreen(&w), lost, time.Millisecond); err != nil {
		t.Error(err)
	}
	if err := watch(t.Context(), cli.NewScreen(&w), &fakeStack{looks: []any{unknown}}, time.Millisecond); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("watch of no crawl: %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := watch(over, cli.NewScreen(&w), &fakeStack{looks: []any{at(job.Running, 1, 1, 0)}}, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("watch that was broken off: %v", err)
	}
}

func TestDollars(t *testing.T) {
	t.Parallel()
	for amount, want := range map[float64]string{0: "$0.00", 0.00012: "$0.0001", 0.5: "$0.5000", 1: "$1.00", 1234.567: "$1234.57"} {
		if got := dollars(amount); got != want {
			t.Errorf("%v: %s, want %s", amount, got, want)
		}
	}
}
