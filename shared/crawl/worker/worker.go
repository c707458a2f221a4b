// Package worker works on host tasks as the cloud delivers them: in batches, of
// many crawls, at least once and in any order. It does for a batch what the
// engine of one machine does for a crawl, but keeps only caches between two
// batches: another worker may get the next one. METHOD A1's task generator is
// partly here: see outbox.
package worker

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
)

// Tracker records the end of tasks (see frontier.Mark), and parked links. The queue
// records the beginning of tasks. Both methods may be repeated with the same marks, and
// return the state of each host after the write, with all earlier ones: of one that parks
// links and one that ends the host's last task, at least one sees both.
type Tracker interface {
	Park(ctx context.Context, marks []frontier.Mark) ([]frontier.Standing, error)
	End(ctx context.Context, mark frontier.Mark) (frontier.Standing, error)
}

// Gauge counts tasks in progress.
type Gauge interface {
	frontier.Gauge
	// Standing returns the state of a host in a crawl, which may miss the latest writes
	// unless they are asked for.
	Standing(ctx context.Context, crawl, host string, latest bool) (frontier.Standing, error)
}

// Ports are the dependencies of a worker.
type Ports struct {
	Jobs    job.Registry
	Topics  Topics
	Queue   frontier.Sender
	Tracker Tracker
	Gauge   Gauge
	Dead    frontier.DeadLetters
	Backlog frontier.Backlog
	Raiser  frontier.Raiser // nil: a link keeps the priority it was added with
	Orders  frontier.Raiser // of crawls that learn; nil: their links are not judged again
	Leases  hosts.Leases
	Robots  hosts.RobotsCache
	Ledger  ledger.Ledger
	History ledger.History
	Entries ledger.Reader // of the crawls that one refreshes
	Totals  Totals
	Spend   job.Spend
	Outputs Outputs

	Coverages job.Coverages
	Web       fetch.Client // nil: the real one

	Analyses step.Analyses // see step.Ports

	// Browse returns the browser of a crawl that has pages rendered. nil: there is none
	// here (see step.Ports).
	Browse func(m plan.Manners, visitor *plan.Visitor) (step.Browser, error)
}

// Totals reads the totals of a crawl, as ledger.Accounts does.
type Totals interface {
	Totals(ctx context.Context, crawl string) (*ledger.Totals, error)
}

// Options bound a worker. Zero values mean the defaults.
type Options struct {
	Manners   plan.Manners  // its Contact is the default of crawls
	FetchTime time.Duration // the longest that a fetch may take; default 25 s
	Reserve   time.Duration // time of a batch that fetches leave for the stores; default 10 s
	ClearTime time.Duration // longest time until a sender of tasks has removed their links from the backlog; default 90 s
	Step      step.Options  // of every crawl; MaxOutage, Patience, Thrift, Now and Log are set, LeaseTime is 3 min unless given
	Now       func() time.Time
	Log       *slog.Logger
}

// Worker handles batches. It is safe for concurrent use.
type Worker struct {
	ports Ports
	opts  Options

	mu       sync.Mutex
	prepared map[string]*prepared // by crawl
}

// New returns a worker.
func New(ports Ports, opts Options) *Worker {
	opts.ClearTime = cmp.Or(opts.ClearTime, 90*time.Second)
	opts.FetchTime = cmp.Or(opts.FetchTime, 25*time.Second)
	opts.Reserve = cmp.Or(opts.Reserve, 10*time.Second)
	opts.Step.LeaseTime = cmp.Or(opts.Step.LeaseTime, 3*time.Minute)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &Worker{ports: ports, opts: opts, prepared: map[string]*prepared{}}
}

// Handle works on a batch of tasks and returns for each, in order, nil if it
// may be acknowledged, or an error whose class says what to do. When stop is
// closed it finishes the pages in progress and hands the rest back.
func (w *Worker) Handle(ctx context.Context, stop <-chan struct{}, tasks []*frontier.Task) []error {
	errs := make([]error, len(tasks))
	byCrawl := map[string][]int{}
	for i, t := range tasks {
		byCrawl[t.Crawl] = append(byCrawl[t.Crawl], i)
	}
	var wg sync.WaitGroup
	for id, places := range byCrawl {
		wg.Go(func() {
			b, err := w.begin(ctx, stop, id)
			if err != nil {
				for _, i := range places {
					errs[i] = err
				}
				return
			}
			b.work(ctx, tasks, places, errs)
		})
	}
	wg.Wait()
	return errs
}

// begin prepares the work on one crawl.
func (w *Worker) begin(ctx context.Context, stop <-chan struct{}, id string) (*batch, error) {
	j, err := job.Asked(ctx, w.ports.Jobs, id, "task of")
	if err != nil {
		return nil, err
	}
	b := &batch{Worker: w, job: j, stop: stop, looked: w.opts.Now(), ended: map[string]frontier.Standing{}}
	goes, err := w.goes(ctx, j)
	if err != nil || !goes {
		return b, err // its tasks go back to the backlog
	}
	if b.crawl, err = w.prepare(ctx, j); err != nil {
		return nil, err
	}
	totals, err := w.ports.Totals.Totals(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read totals of %s: %w", id, err)
	}
	b.crawl.left.Store(int64(b.crawl.pages) - totals.Fetched)
	b.crawl.outbox.setLine(b.line())
	if l, ok := b.crawl.plan.Strategy.(rank.Learner); ok && j.RandomSeed == 0 {
		l.Experience().SetAll(totals.Judged())
	}
	return b, nil
}

// goes reports whether a crawl may continue: it is running, and neither its
// time nor its money is spent. The page budget is separate, see prepared.left.
func (w *Worker) goes(ctx context.Context, j *job.Job) (bool, error) {
	if j.State != job.Running {
		return false, nil
	}
	reason, err := j.Overspent(ctx, w.opts.Now(), w.ports.Spend)
	return err == nil && reason == "", err
}

// leave reports whether one more page may be fetched. The step does not look at
// the clock between a slow robots.txt and the page after it.
func (b *batch) leave(ctx context.Context) bool {
	select {
	case <-b.stop:
		return false
	default:
		b.look(ctx)
		return !b.halted.Load() && b.crawl.left.Add(-1) >= 0
	}
}

// lookEvery is how long a batch continues after its crawl was paused, stopped
// or has spent its budgets.
const lookEvery = 10 * time.Second

// look checks now and then whether the crawl may continue. If it cannot find
// out, the batch continues: the next one checks again.
func (b *batch) look(ctx context.Context) {
	b.mu.Lock()
	due := b.opts.Now().Sub(b.looked) >= lookEvery
	if due {
		b.looked = b.opts.Now()
	}
	b.mu.Unlock()
	if !due {
		return
	}
	j, err := b.ports.Jobs.Get(ctx, b.job.ID)
	goes := true
	if err == nil {
		goes, err = b.goes(ctx, j)
	}
	if err != nil {
		b.opts.Log.WarnContext(ctx, "crawl not looked up", "crawl", b.job.ID, "err", err)
	} else if !goes {
		b.halted.Store(true)
	}
}
