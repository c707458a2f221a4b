package keeper

import (
	"context"
	"fmt"

	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

// look is a look at one running crawl.
type look struct {
	*Keeper
	job   *job.Job
	empty bool // no queue holds anything
	quiet bool // no queue holds anything that must be this crawl's

	budget      int // pages left
	outstanding int // links under way
	idle        []string
}

// look ends or feeds the crawl, and reports whether it ended.
func (l *look) look(ctx context.Context) (ended bool, err error) {
	reason, err := l.spent(ctx)
	if err != nil {
		return false, err
	}
	if reason != "" {
		return l.finish(ctx, reason)
	}
	if err := l.survey(ctx); err != nil {
		return false, err
	}
	fed := 0
	if l.outstanding == 0 && l.job.Quiet == 0 || l.sweepDue() { // a second quiet look would find what the first did
		if fed, err = l.sweep(ctx); err != nil {
			return false, err
		}
	}
	if l.outstanding > 0 || fed > 0 || !l.quiet {
		return false, l.note(ctx, func(j *job.Job) { j.Quiet = 0 })
	}
	return l.nextOrFinish(ctx)
}

// spent names the budget that is used up, "" for none.
func (l *look) spent(ctx context.Context) (string, error) {
	reason, err := l.job.Overspent(ctx, l.opts.Now(), l.ports.Spend)
	if err != nil || reason != "" {
		return reason, err
	}
	totals, err := l.ports.Totals.Totals(ctx, l.job.ID)
	if err != nil {
		return "", fmt.Errorf("read totals: %w", err)
	}
	if l.budget = l.job.MaxPages - int(totals.Fetched); l.budget <= 0 {
		return job.ReasonMaxPages, nil
	}
	return "", nil
}

// survey counts the tasks in progress, and notes the hosts without any. A task
// that is overdue and in no queue was never sent: its sender died before. Its
// links wait in the backlog.
func (l *look) survey(ctx context.Context) error {
	if l.empty {
		if err := l.ports.Hosts.Strike(ctx, l.job.ID, l.opts.Now().Add(-l.opts.LostAfter)); err != nil {
			return fmt.Errorf("strike lost tasks: %w", err)
		}
	}
	hosts, err := l.ports.Hosts.Standings(ctx, l.job.ID)
	if err != nil {
		return fmt.Errorf("list hosts: %w", err)
	}
	for _, h := range hosts {
		l.outstanding += h.Queued
		if h.Queued == 0 && h.Closed == "" {
			l.idle = append(l.idle, h.Host)
		}
	}
	return nil
}

// sweepDue reports whether it is time for the regular sweep of a running crawl:
// in the first look of every period. Each look updates the job.
func (l *look) sweepDue() bool {
	return l.opts.Now().Truncate(l.opts.SweepEvery).After(l.job.Updated)
}

// sweep feeds hosts that wait with nothing under way.
func (l *look) sweep(ctx context.Context) (int, error) {
	f := frontier.NewHostFeeder(l.job.ID, l.ports.Backlog, l.ports.Queue, l.ports.Gauge, l.opts.Now)
	return f.Feed(ctx, l.idle, l.job.Round, l.budget)
}

// nextOrFinish deals with a crawl that has nothing outstanding: its next round
// begins, or it has ended, if that was so the last times, too.
func (l *look) nextOrFinish(ctx context.Context) (ended bool, err error) {
	if l.job.RandomSeed != 0 {
		next, ok, err := l.nextRound(ctx)
		if err != nil {
			return false, err
		}
		if ok {
			if err := l.note(ctx, func(j *job.Job) { j.Round, j.Quiet = next, 0 }); err != nil {
				return false, err
			}
			l.job.Round = next
			_, err := l.sweep(ctx)
			return false, err
		}
	}
	if l.job.Quiet+1 < l.opts.Quiet {
		return false, l.note(ctx, func(j *job.Job) { j.Quiet++ })
	}
	return l.finish(ctx, job.ReasonFrontierEmpty)
}

// nextRound returns the lowest round with links waiting.
func (l *look) nextRound(ctx context.Context) (round int, ok bool, err error) {
	lowest := frontier.AnyRound
	for _, host := range l.idle {
		for {
			links, err := l.ports.Backlog.Best(ctx, l.job.ID, host, lowest-1, 1)
			if err != nil {
				return 0, false, fmt.Errorf("look for the next round: %w", err)
			}
			if len(links) == 0 {
				break
			}
			lowest = links[0].Round
		}
	}
	return lowest, lowest < frontier.AnyRound, nil
}

// note changes the job, unless the user was faster to end it.
func (l *look) note(ctx context.Context, change func(*job.Job)) error {
	_, err := l.ports.Jobs.Update(ctx, l.job.ID, func(j *job.Job) error {
		if j.State == job.Running {
			change(j)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note look: %w", err)
	}
	return nil
}

// finish ends the crawl, unless something else has ended it. It does not end it
// for an empty frontier if the job was changed during the look: there may be a
// new seed.
func (l *look) finish(ctx context.Context, reason string) (ended bool, err error) {
	_, err = l.ports.Jobs.Update(ctx, l.job.ID, func(j *job.Job) error {
		ended = j.State != job.Running
		if ended || reason == job.ReasonFrontierEmpty && j.Revision != l.job.Revision {
			return nil
		}
		ended = true
		return j.Finish(reason)
	})
	if err != nil {
		return false, fmt.Errorf("finish: %w", err)
	}
	if ended {
		l.opts.Log.InfoContext(ctx, "crawl ended", "crawl", l.job.ID, "reason", reason)
	}
	return ended, nil
}
