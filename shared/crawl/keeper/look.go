package keeper

import (
	"context"
	"fmt"

	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

var _ Crawl = (*look)(nil)

// look is a look at one running crawl.
type look struct {
	*Keeper
	job   *job.Job
	empty bool // no queue holds anything
	quiet bool // no queue holds anything that must be this crawl's

	progress    job.Progress
	due         *job.Adjustment // what came in an interval after which words are to be learned
	outstanding int             // links under way
	down        bool            // a host was closed that was down, with links left
	open        []string        // hosts
	idle        []string        // of these, the ones to feed
	ordered     *job.Order
}

// look feeds the crawl, or ends it if the last looks had nothing to do either. It
// reports whether the crawl ended.
func (l *look) look(ctx context.Context) (ended bool, err error) {
	reason, err := Next(ctx, l)
	if err != nil {
		return false, err
	}
	if reason == "" {
		return false, l.note(ctx, func(j *job.Job) { j.Quiet = 0 })
	}
	if reason == job.ReasonFrontierEmpty && l.job.Quiet+1 < l.opts.Quiet {
		return false, l.note(ctx, func(j *job.Job) { j.Quiet++ })
	}
	return l.finish(ctx, reason)
}

// Spent implements Crawl.
func (l *look) Spent(ctx context.Context) (reason string, pages int, err error) {
	reason, err = l.job.Overspent(ctx, l.opts.Now(), l.ports.Spend)
	if err != nil || reason != "" {
		return reason, 0, err
	}
	totals, err := l.ports.Totals.Totals(ctx, l.job.ID)
	if err != nil {
		return "", 0, fmt.Errorf("read totals: %w", err)
	}
	l.progress = job.ProgressOf(totals)
	if l.harvest(totals) {
		return job.ReasonHarvestRate, 0, nil
	}
	if saturated, err := l.growth(ctx, totals); err != nil || saturated {
		return job.ReasonCoverage, 0, err
	}
	if pages = l.job.MaxPages - int(totals.Fetched); pages <= 0 {
		return job.ReasonMaxPages, 0, nil
	}
	return "", pages, l.survey(ctx)
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
		l.down = l.down || h.Closed == frontier.RuleHostDown
		if h.Closed == "" {
			l.open = append(l.open, h.Host)
		}
		if h.Queued == 0 && h.Closed == "" {
			l.idle = append(l.idle, h.Host)
		}
	}
	return l.order(ctx)
}

// Feed implements Crawl. It feeds hosts without tasks: in the first look of
// every period (each look updates the job), and when nothing is outstanding,
// unless the last look found nothing to feed then. If links have an order, it knows
// which hosts have links that need not wait, and feeds them in each look.
func (l *look) Feed(ctx context.Context, pages int) (busy bool, err error) {
	busy = l.outstanding > 0 || !l.quiet
	due := l.opts.Now().Truncate(l.opts.SweepEvery).After(l.job.Updated)
	if !due && l.ordered == nil && (l.outstanding > 0 || l.job.Quiet > 0) {
		return busy, nil
	}
	f := frontier.NewHostFeeder(l.job.ID, l.ports.Backlog, l.ports.Queue, l.ports.Gauge, l.opts.Now)
	if l.ordered != nil {
		f.Line = l.ordered.Wait
	}
	fed, err := f.Feed(ctx, l.idle, l.job.Round, pages)
	return busy || fed > 0, err
}

// NextRound implements Crawl.
func (l *look) NextRound(ctx context.Context) (bool, error) {
	if l.job.RandomSeed == 0 {
		return false, nil
	}
	next := frontier.AnyRound
	for _, host := range l.idle {
		for {
			links, err := l.ports.Backlog.Best(ctx, l.job.ID, host, next-1, 1)
			if err != nil {
				return false, fmt.Errorf("look for the next round: %w", err)
			}
			if len(links) == 0 {
				break
			}
			next = links[0].Round
		}
	}
	if next == frontier.AnyRound {
		return false, nil
	}
	l.job.Round, l.job.Quiet = next, 0
	return true, l.note(ctx, func(j *job.Job) { j.Round, j.Quiet = next, 0 })
}

// note changes the job, unless the user has ended it meanwhile. Every look does so
// once.
func (l *look) note(ctx context.Context, change func(*job.Job)) error {
	_, err := l.ports.Jobs.Update(ctx, l.job.ID, func(j *job.Job) error {
		if j.State == job.Running {
			l.due = j.Tune(l.progress)
			if l.ordered != nil {
				j.Order = l.ordered
			}
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
	why := reason
	if reason == job.ReasonFrontierEmpty && l.down {
		why = job.ReasonHostsDown
	}
	_, err = l.ports.Jobs.Update(ctx, l.job.ID, func(j *job.Job) error {
		ended = j.State != job.Running
		if ended || reason == job.ReasonFrontierEmpty && j.Revision != l.job.Revision {
			return nil
		}
		ended = true
		if l.ordered != nil {
			j.Order = l.ordered
		}
		return j.Finish(why)
	})
	if err != nil {
		return false, fmt.Errorf("finish: %w", err)
	}
	if ended {
		l.opts.Log.InfoContext(ctx, "crawl ended", "crawl", l.job.ID, "reason", why)
	}
	return ended, nil
}
