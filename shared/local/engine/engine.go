// Package engine is the poll loop of one machine: it receives tasks, lets package
// worker work on them concurrently, and delays or dead-letters what failed by its
// error class. It counts the pages, and asks package keeper for more links or the
// end of the crawl when no task is in progress.
package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sluice/shared/crawl/worker"
	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

// Rounds tells a reproducible crawl which round comes next. It is called when
// nothing is queued or in flight.
type Rounds interface {
	// NextRound makes the history of the rounds so far final and returns the
	// lowest round that has links waiting, or false when none has.
	NextRound(ctx context.Context, crawl string) (int, bool, error)
}

// Ports is what the engine works on.
type Ports struct {
	Step   worker.Runner
	Queue  frontier.Queue
	Gauge  Gauge
	Dead   frontier.DeadLetters
	Feeder *frontier.Feeder
	Rounds Rounds // nil: the crawl does not go in rounds
	Tuner  Tuner  // nil: the strategy does not change

	// Coverages has the coverage of the crawl. nil: it does not end for that.
	Coverages job.Coverages
}

// Gauge counts links in tasks.
type Gauge interface {
	frontier.Gauge
	// Delayed returns the links of tasks that will not be delivered for longer than least.
	Delayed(ctx context.Context, crawl string, least time.Duration) (int, error)
}

// Tuner changes the strategy while a crawl runs.
type Tuner interface {
	// Tune is called often, by one goroutine, beside tasks in progress; in a crawl
	// that goes in rounds only between two of them. It returns the line of the
	// strategy, if that has changed.
	Tune(ctx context.Context, p Progress) (line float64, changed bool, err error)
}

// Options bound a crawl.
type Options struct {
	Crawl    string
	Workers  int   // tasks in progress at a time
	MaxPages int64 // budget of fetches
	Fetched  int64 // fetches of earlier runs that count towards it
	Kept     int64 // documents of earlier runs
	Log      *slog.Logger
}

// StopReason says why a crawl ended.
type StopReason string

// The reasons. All but Interrupted and Outage end a crawl for good, as far as its
// budgets go.
const (
	FrontierEmpty StopReason = job.ReasonFrontierEmpty
	MaxPages      StopReason = job.ReasonMaxPages
	MaxDuration   StopReason = job.ReasonMaxDuration
	Interrupted   StopReason = "interrupted"
	Outage        StopReason = "outage"
	HostsDown     StopReason = job.ReasonHostsDown // links are left on hosts that were down
	Unreachable   StopReason = "unreachable"       // nothing has ever answered
)

// Errors to cancel the stop context of Run with, as its cause.
var (
	ErrMaxDuration = errors.New("duration used up")
	ErrInterrupted = errors.New("interrupted")
	ErrOutage      = errors.New("nothing answers")
)

// Engine runs one crawl.
type Engine struct {
	ports Ports
	opts  Options

	feed    sync.Mutex // the feeder is for one at a time
	round   int
	fetched atomic.Int64
	live    live
	harvest *job.Watch // nil: not watched yet
	growth  *job.GrowthWatch
	lines   lines
	pauses  pauses
	asking  asking
}

// New returns an engine.
func New(ports Ports, opts Options) *Engine {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	e := &Engine{ports: ports, opts: opts}
	e.asking.ended.L = &e.asking.mu
	e.fetched.Store(opts.Fetched)
	e.live.fetched.Store(opts.Fetched)
	return e
}

// Run crawls until the frontier is empty, a budget is used up or stop ends,
// whose cause then names the reason. Pages in progress when stop ends are
// finished. Ending ctx breaks them off; what they did is done again later.
func (e *Engine) Run(ctx, stop context.Context) (StopReason, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var tasks sync.WaitGroup
	defer tasks.Wait()
	// A failure anywhere ends the crawl: what is stored stays, and a resumed
	// crawl finds it. So does a page that takes too long when it is to stop.
	fail := func(err error) { cancel(err) }
	defer context.AfterFunc(stop, func() { time.AfterFunc(grace, func() { cancel(errGrace) }) })()

	if err := e.watchGrowth(ctx); err != nil {
		return "", err
	}
	slots := make(chan struct{}, max(e.opts.Workers, 1))
	for {
		switch {
		case stop.Err() != nil:
			return e.drain(ctx, stop, &tasks)
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		}
		if e.left() <= 0 {
			tasks.Wait() // they leave what they have not fetched
		}
		if e.ports.Rounds == nil {
			if err := e.tune(ctx); err != nil {
				return "", err
			}
		}
		reason, err := e.next(ctx)
		if err != nil || reason != "" {
			return reason, err
		}
		batch, err := e.receive(ctx, stop, slots)
		if err != nil {
			return "", err
		}
		for _, d := range batch {
			if !e.lines.enter(d) {
				<-slots // the worker on that host takes it next
				continue
			}
			tasks.Go(func() {
				defer func() { <-slots }()
				for next := &d; next != nil; next = e.lines.leave(d.Task.Host) {
					d := delivery{e, *next}
					if err := d.handle(ctx, stop); err != nil {
						fail(err)
					}
				}
			})
		}
	}
}

// tune lets the tuner change the strategy.
func (e *Engine) tune(ctx context.Context) error {
	if e.ports.Tuner == nil {
		return nil
	}
	line, changed, err := e.ports.Tuner.Tune(ctx, e.Progress())
	if err != nil {
		return fmt.Errorf("adapt strategy: %w", err)
	}
	if changed && e.ports.Rounds == nil {
		e.feed.Lock()
		e.ports.Feeder.Line = line
		e.feed.Unlock()
	}
	return nil
}

// receive takes as many tasks as there are free slots, and waits for one slot
// at least.
func (e *Engine) receive(ctx, stop context.Context, slots chan struct{}) ([]frontier.Delivery, error) {
	select {
	case slots <- struct{}{}:
	case <-stop.Done():
		return nil, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	held := 1
	for held < cap(slots) && held < 10 {
		select {
		case slots <- struct{}{}:
			held++
			continue
		default:
		}
		break
	}
	wait, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(stop, cancel)()
	batch, err := e.ports.Queue.Receive(wait, held)
	for ; held > len(batch); held-- {
		<-slots
	}
	if err != nil && stop.Err() == nil && ctx.Err() == nil {
		return nil, fmt.Errorf("receive tasks: %w", err)
	}
	return batch, nil
}

// grace is how long pages in progress may take when the crawl is to stop.
const grace = 5 * time.Second

var errGrace = errors.New("stopping took too long")

// drain waits for the tasks in progress, which hand back what is left.
func (e *Engine) drain(ctx, stop context.Context, tasks *sync.WaitGroup) (StopReason, error) {
	tasks.Wait()
	switch cause := context.Cause(ctx); {
	case cause != nil && !errors.Is(cause, errGrace):
		return "", cause
	case errors.Is(context.Cause(stop), ErrMaxDuration):
		return MaxDuration, nil
	case errors.Is(context.Cause(stop), ErrOutage):
		return Outage, nil
	}
	return Interrupted, nil
}

// refuse acts on a task's error as fault.Error.Action says. A task that keeps
// failing ends among the dead letters by the queue's own count of receipts.
func (e *Engine) refuse(ctx context.Context, d frontier.Delivery, cause error) error {
	f := fault.Of(cause)
	e.opts.Log.WarnContext(ctx, "task failed", "task", d.Task.ID, "host", d.Task.Host, "class", f.Class.String(), "err", cause)
	action, delay := f.Action(time.Second << min(d.Receives, 6))
	switch action {
	case fault.Leave:
		return cause // the task is delivered again when the crawl is resumed
	case fault.Bury:
		if err := e.ports.Dead.Bury(ctx, d.Task, cause.Error()); err != nil {
			return fmt.Errorf("bury task %s: %w", d.Task.ID, err)
		}
		return e.ports.Queue.Delete(ctx, []string{d.Receipt})
	default:
		return e.ports.Queue.Delay(ctx, d.Receipt, delay)
	}
}
