// Package keeper looks after the crawls of a stack, once a minute: it ends
// those that are finished, feeds hosts that workers have missed, and switches
// the stack off when no crawl is running.
//
// Workers feed the hosts they touch, so a look has little to do in a healthy
// crawl.
package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// Ports are the dependencies of a Keeper.
type Ports struct {
	Jobs   job.Registry
	Totals Totals

	// Coverages has what the documents cover that Totals count.
	Coverages Coverages

	Spend   job.Spend
	Hosts   Hosts
	Backlog frontier.Backlog
	Queue   frontier.Sender
	Gauge   frontier.Gauge
	Queues  Queues
	Switch  Switch

	Structure Structure
	Learner   Learner // nil: no words are learned
}

// Totals reads the totals of a crawl, as ledger.Accounts does.
type Totals interface {
	Totals(ctx context.Context, crawl string) (*ledger.Totals, error)
}

// Coverages reads the coverage of a crawl, as job.Coverages does.
type Coverages interface {
	Covered(ctx context.Context, crawl string) (job.Coverage, error)
}

// Hosts lists the hosts of a crawl.
type Hosts interface {
	Standings(ctx context.Context, crawl string) ([]frontier.Standing, error)
	// Strike forgets tasks that were due before a time and never ended.
	Strike(ctx context.Context, crawl string, due time.Time) error
}

// Queues reports whether any queue has messages, of any crawl. In the cloud it
// is approximate.
type Queues interface {
	Empty(ctx context.Context) (bool, error)
}

// Switch turns the stack's pollers and its clock on and off. Both are
// idempotent.
type Switch interface {
	On(ctx context.Context) error
	Off(ctx context.Context) error
}

// Structure has sites of structured crawls analysed, and second looks taken.
type Structure interface {
	Send(ctx context.Context, messages []job.SiteMessage) error
	// Empty reports whether its queue is. In the cloud it is approximate.
	Empty(ctx context.Context) (bool, error)
	// Its own poller, which is on only while it is needed.
	Switch
}

// Options bound a Keeper. Zero values mean the defaults.
type Options struct {
	SweepEvery time.Duration // how long a forgotten host waits at most; default 10 min
	LostAfter  time.Duration // how long a task that no queue holds counts as under way; default 3 min
	CleanTime  time.Duration // after a crawl's end, for its last pages to be cleaned while queues are not empty; default 5 min
	Quiet      int           // consecutive looks that must find nothing outstanding; default 2
	Now        func() time.Time
	Log        *slog.Logger
}

// Keeper looks after crawls.
type Keeper struct {
	ports Ports
	opts  Options
}

// New returns a keeper.
func New(ports Ports, opts Options) *Keeper {
	opts.SweepEvery = cmp.Or(opts.SweepEvery, 10*time.Minute)
	opts.LostAfter = cmp.Or(opts.LostAfter, 3*time.Minute)
	opts.CleanTime = cmp.Or(opts.CleanTime, 5*time.Minute)
	opts.Quiet = cmp.Or(opts.Quiet, 2)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &Keeper{ports: ports, opts: opts}
}

// Look looks after every crawl once. An error of one crawl does not stop it.
func (k *Keeper) Look(ctx context.Context) error {
	jobs, err := k.ports.Jobs.List(ctx)
	if err != nil {
		return fmt.Errorf("list crawls: %w", err)
	}
	empty, err := k.ports.Queues.Empty(ctx)
	if err != nil {
		return fmt.Errorf("look at queues: %w", err)
	}
	running := 0
	for _, j := range jobs {
		if j.State == job.Running {
			running++
		}
	}
	var errs []error
	asking, err := k.records(ctx, jobs, empty)
	if err != nil {
		errs = append(errs, err)
	}
	var looked []*look
	for _, j := range jobs {
		if j.State != job.Running {
			continue
		}
		l := &look{Keeper: k, job: j, empty: empty, quiet: empty || running > 1}
		ended, err := l.look(ctx)
		if err != nil {
			errs = append(errs, fmt.Errorf("look after crawl %s: %w", j.ID, err))
		}
		if err == nil && !ended {
			looked = append(looked, l)
		}
		if ended {
			running--
			asking = asking || j.Structured || j.Holds
		}
	}
	if running > 0 { // a deployment in the middle of a crawl may have switched it off
		errs = append(errs, k.on(ctx))
	} else if empty && !asking {
		errs = append(errs, k.off(ctx))
	}
	for _, l := range looked { // last: it may take all of the time, of which no other crawl may lose its look
		if err := l.learn(ctx); err != nil {
			errs = append(errs, fmt.Errorf("adapt crawl %s: %w", l.job.ID, err))
		}
	}
	return errors.Join(errs...)
}

func (k *Keeper) on(ctx context.Context) error {
	return k.turned(ctx, "on", k.ports.Switch.On(ctx))
}

// turned returns the error of a switch, unless a poller is just changing, which the next
// look finds done: that is no failure of this one.
func (k *Keeper) turned(ctx context.Context, verb string, err error) error {
	if f := fault.Of(err); err != nil && f.Class == fault.After {
		k.opts.Log.InfoContext(ctx, "left to the next look", "switch", verb, "why", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("switch %s: %w", verb, err)
	}
	return nil
}

// off switches the stack off, and on again if a crawl may have begun meanwhile:
// a crawl is stored before the stack is switched on, so one of the two checks
// sees it.
func (k *Keeper) off(ctx context.Context) error {
	errs := []error{k.turned(ctx, "off", k.ports.Switch.Off(ctx))} // perhaps not all of it is off
	jobs, err := k.ports.Jobs.List(ctx)
	if err != nil {
		errs = append(errs, fmt.Errorf("list crawls: %w", err))
	}
	if err != nil || slices.ContainsFunc(jobs, func(j *job.Job) bool { return j.State == job.Running }) {
		errs = append(errs, k.on(ctx))
	}
	return errors.Join(errs...)
}
