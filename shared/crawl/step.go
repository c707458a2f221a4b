// Package crawl is the step of the crawl: one host task in, one outcome out.
// It holds the life of a URL (METHOD A1) and the order of its effects
// (DESIGN 4); where the effects go is the business of the ports.
//
// The order is what makes a crash harmless: the page's blobs, then its links,
// then its state row. Whatever is interrupted is delivered again, does again
// what was not finished and finds the rest done.
package crawl

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"sluice/shared/corpus"
	"sluice/shared/fetch"
	"sluice/shared/frontier"
	"sluice/shared/hosts"
	"sluice/shared/ledger"
)

// Ports is where a step reads from and writes to.
type Ports struct {
	Fetch     fetch.Client
	Guard     *fetch.Guard
	Robots    *hosts.Robots
	Leases    hosts.Leases
	Ledger    ledger.Ledger
	History   ledger.History
	Decisions ledger.Decisions
	Backlog   frontier.Backlog
	Raiser    frontier.Raiser // nil: the priority a link was added with stays
	Dead      frontier.DeadLetters
	Corpus    corpus.Store
}

// Options bound one run of a step. Zero values mean the defaults.
type Options struct {
	TaskTime    time.Duration // a run takes up no further link after this; default 60 s
	Patience    time.Duration // the longest wait in place for a host's delay; default 5 s
	LeaseTime   time.Duration // of hosts and URLs; more than TaskTime and one fetch; default 3 min
	MaxAttempts int           // fetches of one URL that may fail; default 5
	Now         func() time.Time
	Log         *slog.Logger
}

// withDefaults fills the zero values.
func (o Options) withDefaults() Options {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.TaskTime, time.Minute)
	def(&o.Patience, 5*time.Second)
	def(&o.LeaseTime, 3*time.Minute)
	if o.MaxAttempts == 0 {
		o.MaxAttempts = 5
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Step does the work of one crawl. It is safe for concurrent use and keeps
// nothing between runs but caches.
type Step struct {
	plan  *Plan
	ports Ports
	opts  Options

	known   *memo[linkKey, offered] // the known-URL cache
	dropped *memo[linkKey, float64] // links let go, with their best priority
	refused *memo[linkKey, string]  // the rule that keeps a URL out, "" for none
	anchors *memo[string, anchorScore]
}

// New returns a step for one crawl.
func New(plan *Plan, ports Ports, opts Options) *Step {
	return &Step{
		plan: plan, ports: ports, opts: opts.withDefaults(),
		known:   newMemo[linkKey, offered](1 << 19),
		dropped: newMemo[linkKey, float64](1 << 18),
		refused: newMemo[linkKey, string](1 << 17),
		anchors: newMemo[string, anchorScore](1 << 15),
	}
}

// Shift is what the caller grants one run.
type Shift struct {
	Owner string          // unique to this delivery
	Stop  <-chan struct{} // closed: finish the page at hand, hand the rest back
}

// Outcome is what a run leaves for its caller to do, before it acknowledges
// the task.
type Outcome struct {
	Rest  []frontier.Outgoing // what is left of the task; send it
	Hosts []string            // hosts that have new links in the backlog; feed them

	// What the run did, for progress.
	Fetched, Kept, Dead int
}

// run is the state of one run.
type run struct {
	*Step
	task  *frontier.Task
	shift Shift
	lease *hosts.Lease
	end   time.Time
	out   *Outcome
	fresh map[string]bool // hosts that got links

	robots map[string]*hosts.Rules // by scheme

	delay   time.Duration // before what is left of the task may go on
	retries []frontier.Link
	retryIn time.Duration
}

// Run works on a task until its links are dealt with, the time is up or the
// host must be left alone. An error means that a port failed and the whole
// task should be delivered again; its class says when. The outcome then holds
// what was done before, if anything was.
func (s *Step) Run(ctx context.Context, task *frontier.Task, shift Shift) (*Outcome, error) {
	now := s.opts.Now()
	r := &run{
		Step: s, task: task, shift: shift, end: now.Add(s.opts.TaskTime), out: &Outcome{},
		fresh: map[string]bool{}, robots: map[string]*hosts.Rules{},
	}
	lease, err := s.ports.Leases.Acquire(ctx, task.Crawl, task.Host, shift.Owner, s.opts.LeaseTime)
	var busy *hosts.BusyError
	switch {
	case errors.As(err, &busy):
		r.bounce(busy.Until.Sub(now))
		return r.out, nil
	case err != nil:
		return nil, fmt.Errorf("acquire host %s: %w", task.Host, err)
	}
	r.lease = lease
	left, err := r.links(ctx)
	// Whatever happened, the host's delay must hold for the next owner.
	if rerr := s.ports.Leases.Release(context.WithoutCancel(ctx), task.Crawl, lease); rerr != nil && err == nil {
		err = fmt.Errorf("release host %s: %w", task.Host, rerr)
	}
	if err != nil {
		return r.out, err
	}
	r.handBack(left)
	for host := range r.fresh {
		r.out.Hosts = append(r.out.Hosts, host)
	}
	return r.out, nil
}

// bounce hands the whole task back because the host is busy: soon at first,
// later and later when that happens again, never later than the lease's end.
func (r *run) bounce(until time.Duration) {
	t := *r.task
	t.Bounces++
	wait := min(until, time.Second<<min(t.Bounces, 6))
	r.out.Rest = append(r.out.Rest, frontier.Outgoing{Task: &t, Delay: max(wait, 0)})
}

// handBack makes messages of what is left: the links nobody looked at, and
// those whose fetch failed in a way that may pass. They go as one where the
// latter have nothing to wait for beyond the host itself.
func (r *run) handBack(left []frontier.Link) {
	add := func(links []frontier.Link, d time.Duration) {
		if len(links) == 0 {
			return
		}
		t := *r.task
		t.Links = links
		r.out.Rest = append(r.out.Rest, frontier.Outgoing{Task: &t, Delay: max(d, 0)})
	}
	if len(left) > 0 && r.retryIn <= r.delay {
		add(slices.Concat(r.retries, left), r.delay)
		return
	}
	add(left, r.delay)
	add(r.retries, r.retryIn)
}

// turn is what a run does after a link.
type turn int

const (
	goOn      turn = iota // the link is settled or set aside: take the next
	halt                  // the same, but leave the host alone now
	haltFirst             // leave the host alone now, the link was not dealt with
)

// links deals with one link after the other and returns those it did not get
// to.
func (r *run) links(ctx context.Context) ([]frontier.Link, error) {
	left := r.task.Links
	if r.exhausted() == "" {
		var err error
		if left, err = r.claim(ctx); err != nil {
			return nil, err
		}
	}
	for len(left) > 0 {
		if rule := r.exhausted(); rule != "" {
			return nil, r.closeHost(ctx, rule, left)
		}
		if r.stopped() || !r.opts.Now().Before(r.end) {
			return left, nil
		}
		t, err := r.link(ctx, left[0])
		switch {
		case err != nil:
			return nil, err
		case t == haltFirst:
			return left, nil
		case t == halt:
			return left[1:], nil
		}
		left = left[1:]
	}
	return nil, nil
}

// claim leases the task's links and returns those that are to be dealt with:
// what is done is left out, what another task holds is set aside. The owner is
// the task, whoever works on it: a delivery that broke off does not keep the
// next one waiting.
func (r *run) claim(ctx context.Context) ([]frontier.Link, error) {
	urls := make([]string, len(r.task.Links))
	for i, l := range r.task.Links {
		urls[i] = l.URL
	}
	now := r.opts.Now()
	refused, err := r.ports.Ledger.Claim(ctx, r.task.Crawl, urls, r.task.ID, now.Add(r.opts.LeaseTime))
	if err != nil {
		return nil, fmt.Errorf("claim links of %s: %w", r.task.Host, err)
	}
	var mine []frontier.Link
	for i, l := range r.task.Links {
		var leased *ledger.LeasedError
		switch {
		case refused[i] == nil:
			mine = append(mine, l)
		case errors.As(refused[i], &leased):
			r.setAside(l, leased.Until.Sub(now))
		}
	}
	return mine, nil
}

// exhausted names the rule by which the host gets no further fetch in this
// crawl, "" while it may.
func (r *run) exhausted() string {
	switch st := &r.lease.State; {
	case st.Pages >= r.plan.PagesPerHost:
		return RuleHostBudget
	case st.Failures >= maxHostFailures:
		return RuleHostDown
	}
	return ""
}

// closeHost ends the host for this crawl. Its links go back to the backlog,
// where they can be counted and explained.
func (r *run) closeHost(ctx context.Context, rule string, left []frontier.Link) error {
	left = append(left[:len(left):len(left)], r.retries...)
	r.retries = nil
	if err := r.ports.Backlog.Add(ctx, r.task.Crawl, left); err != nil {
		return fmt.Errorf("put back links of %s: %w", r.task.Host, err)
	}
	if err := r.ports.Backlog.Close(ctx, r.task.Crawl, r.task.Host, rule); err != nil {
		return fmt.Errorf("close host %s: %w", r.task.Host, err)
	}
	r.opts.Log.WarnContext(ctx, "host closed", "host", r.task.Host, "rule", rule, "links_left", len(left))
	return nil
}

func (r *run) stopped() bool {
	select {
	case <-r.shift.Stop:
		return true
	default:
		return false
	}
}
