package opscmd

import (
	"context"
	"errors"
	"time"

	"sluice/cmd/sluice/cli"
	"sluice/shared/console"
	"sluice/shared/local"
	"sluice/shared/state/job"
	"sluice/shared/web/outage"
)

// watched is a crawl as watch sees it.
type watched interface {
	Look(ctx context.Context) (*console.Status, error)
}

// starter says whether a crawl that is not there may be on its way.
type starter interface {
	Starting(ctx context.Context) (bool, error)
}

// tail is how long workers may have tasks of a crawl that has ended: those that
// were just sent rest for a while before they go back.
const tail = 3 * time.Minute

// watch shows how a crawl goes until it has ended and no worker has anything of
// it, so that an export has all: on one line of a terminal, elsewhere on a line
// for each look that shows something new. A crawl that is on its way is waited for.
func watch(ctx context.Context, sc *cli.Screen, c watched, every time.Duration) error {
	defer sc.Show()
	var speed cli.Meter
	var last local.Progress
	for {
		st, err := c.Look(ctx)
		if errors.Is(err, job.ErrUnknown) {
			if s, ok := c.(starter); ok {
				starting, serr := s.Starting(ctx)
				if serr != nil || !starting {
					return errors.Join(err, serr)
				}
			}
			sc.Show("waiting for the crawl to start")
		} else if err != nil {
			return err
		} else {
			now := progressOf(st, time.Now())
			if !last.At.IsZero() {
				speed.Add(now.Fetched-last.Fetched, now.At.Sub(last.At))
			}
			last = now
			sc.Show(watchFields(st, now, speed.Rate())...)
			if st.Ended() && (st.Queued == 0 || time.Since(st.Updated) > tail) {
				return nil
			}
		}
		timer := time.NewTimer(every)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}

func progressOf(st *console.Status, at time.Time) local.Progress {
	fetched, kept := st.OfRun()
	return local.Progress{
		At: at, Fetched: fetched, Kept: kept, MaxPages: int64(st.MaxPages), Queue: st.Queued, Hosts: st.HostCounts.Active,
		Outage: outage.State{Since: st.OutageSince},
	}
}

// watchFields says how a crawl goes, what matters most first. One
// that does not run has no end in sight.
func watchFields(st *console.Status, now local.Progress, rate float64) []string {
	var fields []string
	if st.State == job.Running {
		var deadline time.Time
		if st.Deadline != nil {
			deadline = *st.Deadline
		}
		fields = cli.ProgressFields(now, rate, deadline)
	} else {
		fields = append([]string{string(st.State)}, cli.ProgressFields(now, 0, time.Time{})...)
	}
	if st.Stack == "" {
		return fields
	}
	if last := len(fields) - 1; fields[last] == cli.NothingLeft { // there may be tasks that rest
		fields[last] = "nothing to fetch now"
	}
	return append(fields, dollars(st.CostDollars))
}
