// Package step does the work on one host task and returns its outcome. It takes
// each URL to its end (METHOD A1) and writes the results in a fixed order;
// the ports decide where to.
//
// The order makes a crash harmless: the page's blobs, then its links, then its
// state row. An interrupted task is delivered again, repeats unfinished work
// and finds the rest done.
package step

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"sluice/shared/memo"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/text/boilerplate"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
)

// Ports are the dependencies of a step.
type Ports struct {
	Fetch     fetch.Client
	Guard     *fetch.Guard
	Robots    *hosts.Robots
	Leases    hosts.Leases
	Ledger    ledger.Ledger
	History   ledger.History
	Decisions ledger.Decisions
	Backlog   frontier.Backlog
	Raiser    frontier.Raiser // nil: a link keeps the priority it was added with
	Intake    Intake          // nil: new links wait in the backlog at once
	Dead      frontier.DeadLetters
	Corpus    corpus.Store

	// Coverages gets the coverage by documents, if the plan has it computed
	// (reading.Reader.Cover). nil: nobody asks for it.
	Coverages job.Coverages

	// Prior knows the pages of the crawls that this one refreshes. nil: it
	// refreshes none.
	Prior Prior

	// Archive has the kept pages of those crawls. nil: a page without the
	// recorded digest has changed.
	Archive Archive

	// Browser shows pages if the plan has some rendered. nil: those that need it are
	// handed over (see Options.HandOver) or rejected by RuleNeedsBrowser.
	Browser Browser

	// Analyses has the hosts of a structured crawl analysed while it goes on. nil: they
	// are when it has ended.
	Analyses Analyses

	// Boilerplate learns which lines recur on the pages of a host; they are
	// removed from later pages. nil: texts are left unchanged, to be cleaned
	// afterwards.
	Boilerplate boilerplate.Store
}

// DefaultAttempts is how many fetches of one URL may fail.
const DefaultAttempts = 5

// Options bound one run of a step. Zero values mean the defaults.
type Options struct {
	TaskTime    time.Duration // a run takes up no further link after this; default 60 s
	Patience    time.Duration // the longest wait in place for a host's delay; default 5 s
	LeaseTime   time.Duration // of hosts; more than TaskTime and one fetch; default 3 min
	MaxAttempts int           // fetches of one URL that may fail; default DefaultAttempts
	MaxOutage   time.Duration // after which a host is closed that waits since nothing answers; 0: never
	MaxSource   int64         // bytes of a sitemap or feed; the rest is cut off; default 50 MiB
	Cache       int           // URLs remembered, to spare the stores; some 150 bytes each; default 1 << 19
	Parsers     int           // pages parsed at a time, to limit memory if hosts send huge ones; 0: no limit
	CommitEvery int           // pages whose ends are written at a time, the rest when a run ends; default 1
	HandOver    bool          // pages that need a browser are for another worker: their links become tasks with Render
	Thrift      bool          // stores bill: if the crawl learns, a known link is offered again only if it has risen much
	Now         func() time.Time
	Log         *slog.Logger
}

// withDefaults fills the zero values.
func (o Options) withDefaults() Options {
	o.TaskTime = cmp.Or(o.TaskTime, time.Minute)
	o.Patience = cmp.Or(o.Patience, 5*time.Second)
	o.LeaseTime = cmp.Or(o.LeaseTime, 3*time.Minute)
	o.MaxAttempts = cmp.Or(o.MaxAttempts, DefaultAttempts)
	o.Cache = cmp.Or(o.Cache, 1<<19)
	o.MaxSource = cmp.Or(o.MaxSource, 50<<20)
	o.CommitEvery = cmp.Or(o.CommitEvery, 1)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Step does the work of one crawl. It is safe for concurrent use and keeps only
// caches between runs.
type Step struct {
	plan  atomic.Pointer[Plan]
	ports Ports
	opts  Options

	known   *memo.Memo[linkKey, offered] // the known-URL cache
	offers  *offers
	dropped *memo.Memo[linkKey, rank.Order] // dropped links, at their best
	refused *memo.Memo[linkKey, string]     // the rule that excludes a URL, "" for none
	anchors *memo.Memo[string, anchorScore]
	sources sync.Mutex    // held for the fetch of a sitemap or feed
	parsers chan struct{} // has a place for each page that may be read now; nil: any
}

// New returns a step for one crawl.
func New(plan *Plan, ports Ports, opts Options) *Step {
	opts = opts.withDefaults()
	if ports.Intake == nil {
		ports.Intake = direct{ports.Backlog, ports.Ledger}
	}
	s := &Step{
		ports: ports, opts: opts,
		known:   memo.New[linkKey, offered](opts.Cache),
		offers:  newOffers(),
		dropped: memo.New[linkKey, rank.Order](opts.Cache / 2),
		refused: memo.New[linkKey, string](opts.Cache / 4),
		anchors: memo.New[string, anchorScore](opts.Cache / 16),
	}
	s.plan.Store(plan)
	if opts.Parsers > 0 {
		s.parsers = make(chan struct{}, opts.Parsers)
	}
	return s
}

// Adjust makes the runs that start from now on use another plan, which may
// differ from the present one only in thresholds, strategy and the words of the
// topic. No cache is lost: known links keep their stored order, anchors are scored
// again where the words have changed, and nothing else in the caches depends on
// them.
func (s *Step) Adjust(plan *Plan) { s.plan.Store(plan) }

// Grant has the caller's limits of one run.
type Grant struct {
	Owner string          // unique to this delivery
	Stop  <-chan struct{} // closed: finish the page in progress, hand the rest back

	// Leave is called before every fetch; if it returns false, the run ends and
	// hands the rest back. It may be nil.
	Leave func() bool
	// Ended is called for every page that has ended, at once. It may be nil.
	Ended func(End)
}

// End is what came of a page.
type End struct {
	Fetched bool // it counts towards the budget
	Read    bool // it was read and judged, not a redirect, an error or a source of links
	Kept    bool
	Below   bool // its link was below the line of the strategy
	Covers  bool // its document counts for the coverage of the crawl
}

// Outcome has the caller's tasks after a run, before it acknowledges the task.
type Outcome struct {
	Rest  []frontier.Outgoing // the rest of the task; send it
	Hosts []string            // hosts of new links; feed them, unless the intake does
	Next  time.Time           // no fetch of the task's host before; zero: at once
	Why   string              // the rule by which the host has a pause until then, "" for the crawl's delay

	// Closed says that the host gets no further fetch: the rest of the task is
	// in the backlog.
	Closed bool

	// Counts of the run. Fetched counts towards the crawl's budget.
	Fetched, Kept, Dead int
}

// Run works on a task until its links are done, the time is up or the host
// needs a pause. An error means that a port failed and the whole task should be
// delivered again; its class says when. The outcome then has the work done
// before.
func (s *Step) Run(ctx context.Context, task *frontier.Task, grant Grant) (*Outcome, error) {
	now := s.opts.Now()
	r := &run{
		Step: s, plan: s.plan.Load(), task: task, grant: grant, end: now.Add(s.opts.TaskTime), out: &Outcome{},
		fresh: map[string]bool{}, robots: map[string]*hosts.Rules{},
	}
	lease, err := s.ports.Leases.Acquire(ctx, task.Crawl, task.Host, grant.Owner, s.opts.LeaseTime)
	var busy *hosts.BusyError
	switch {
	case errors.As(err, &busy):
		r.bounce(busy.Until.Sub(now))
		return r.out, nil
	case err != nil:
		return nil, fmt.Errorf("acquire host %s: %w", task.Host, err)
	}
	r.lease, r.digests, r.sitemaps = lease, maps.Clone(lease.State.Digests), lease.State.Sitemaps
	if l := r.learner(); l != nil {
		l.Experience().Restore(task.Host, lease.State.Learned)
	}
	left, err := r.links(ctx)
	if cerr := r.commit(ctx); err == nil {
		err = cerr
	}
	if err != nil {
		// Unwritten ends are fetched pages: count them, and process them again.
		lease.State.Digests, lease.State.Sitemaps = r.digests, r.sitemaps
	}
	if kerr := r.keepRobots(context.WithoutCancel(ctx)); err == nil {
		err = kerr
	}
	r.askAnalysis(ctx)
	// In any case the host's delay must hold for the next owner.
	if rerr := s.ports.Leases.Release(context.WithoutCancel(ctx), task.Crawl, lease); rerr != nil && err == nil {
		err = fmt.Errorf("release host %s: %w", task.Host, rerr)
	}
	if err != nil {
		return r.out, err
	}
	r.handBack(left)
	r.out.Next = lease.Next
	for host := range r.fresh {
		r.out.Hosts = append(r.out.Hosts, host)
	}
	return r.out, nil
}
