package worker_test

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
)

// errTrouble is what a port answers where there is trouble.
var errTrouble = errors.New("trouble")

// harm is what happens to one effect.
type harm string

const (
	dies    harm = "dies"    // it reaches its store, and nothing after it does: the process is dead
	fails   harm = "fails"   // an error, not applied
	applies harm = "applies" // an error, but applied
)

// trouble counts the effects of all functions, and does harm to some of them.
// The zero value only counts.
type trouble struct {
	harm    harm
	at      int64 // the effect, from 1
	every   int64 // if not 0: every so many-th effect, too
	effects atomic.Int64

	twice bool // every message that was not handed back is sent twice
}

// invocation is one of a function. A dead one has no effects.
type invocation struct{ dead atomic.Bool }

type invocationKey struct{}

// invoke returns the context of a new invocation.
func (*trouble) invoke(ctx context.Context) context.Context {
	return context.WithValue(ctx, invocationKey{}, new(invocation))
}

func isAlive(ctx context.Context) bool {
	inv, ok := ctx.Value(invocationKey{}).(*invocation)
	return !ok || !inv.dead.Load()
}

// do carries an effect out.
func (tr *trouble) do(ctx context.Context, effect func() error) error {
	inv, ok := ctx.Value(invocationKey{}).(*invocation)
	switch {
	case !ok:
		return effect() // of the test itself
	case inv.dead.Load():
		return errTrouble
	case !tr.strikes(tr.effects.Add(1)):
		return effect()
	case tr.harm == fails:
		return errTrouble
	}
	if err := effect(); err != nil {
		return err
	}
	inv.dead.Store(tr.harm == dies)
	return errTrouble
}

func (tr *trouble) strikes(n int64) bool { return n == tr.at || tr.every > 0 && n%tr.every == 0 }

type backlog struct {
	frontier.Backlog
	tr *trouble
}

func (b backlog) Add(ctx context.Context, crawl string, links []frontier.Link) error {
	return b.tr.do(ctx, func() error { return b.Backlog.Add(ctx, crawl, links) })
}

func (b backlog) Remove(ctx context.Context, crawl, host string, urls []string) error {
	return b.tr.do(ctx, func() error { return b.Backlog.Remove(ctx, crawl, host, urls) })
}

func (b backlog) Close(ctx context.Context, crawl, host, rule string) error {
	return b.tr.do(ctx, func() error { return b.Backlog.Close(ctx, crawl, host, rule) })
}

type states struct {
	ledger.Ledger
	tr *trouble
}

func (s states) MarkQueued(ctx context.Context, crawl string, urls []string) error {
	return s.tr.do(ctx, func() error { return s.Ledger.MarkQueued(ctx, crawl, urls) })
}

func (s states) Complete(ctx context.Context, crawl string, ends []ledger.End) (refused []error, err error) {
	err = s.tr.do(ctx, func() error { refused, err = s.Ledger.Complete(ctx, crawl, ends); return err })
	return refused, err
}

type leases struct {
	hosts.Leases
	tr *trouble
}

func (l leases) Acquire(ctx context.Context, crawl, host, owner string, ttl time.Duration) (lease *hosts.Lease, err error) {
	err = l.tr.do(ctx, func() error { lease, err = l.Leases.Acquire(ctx, crawl, host, owner, ttl); return err })
	return lease, err
}

func (l leases) Release(ctx context.Context, crawl string, lease *hosts.Lease) error {
	return l.tr.do(ctx, func() error { return l.Leases.Release(ctx, crawl, lease) })
}

type coverages struct {
	job.Coverages
	tr *trouble
}

func (c coverages) Cover(ctx context.Context, crawl string, more job.Coverage) error {
	return c.tr.do(ctx, func() error { return c.Coverages.Cover(ctx, crawl, more) })
}

func (c coverages) Covered(ctx context.Context, crawl string) (covered job.Coverage, err error) {
	err = c.tr.do(ctx, func() error { covered, err = c.Coverages.Covered(ctx, crawl); return err })
	return covered, err
}

type decisions struct {
	ledger.Decisions
	tr *trouble
}

func (d decisions) Drop(ctx context.Context, crawl string, ds []ledger.Decision) error {
	return d.tr.do(ctx, func() error { return d.Decisions.Drop(ctx, crawl, ds) })
}

type documents struct {
	corpus.Store
	tr *trouble
}

func (s documents) Put(ctx context.Context, x *corpus.Exchange, d *corpus.Document) (loc corpus.Location, err error) {
	err = s.tr.do(ctx, func() error { loc, err = s.Store.Put(ctx, x, d); return err })
	return loc, err
}

func (s documents) Reject(ctx context.Context, r *corpus.Reject) error {
	return s.tr.do(ctx, func() error { return s.Store.Reject(ctx, r) })
}

func (s documents) Sync(ctx context.Context) error {
	return s.tr.do(ctx, func() error { return s.Store.Sync(ctx) })
}

type dead struct {
	frontier.DeadLetters
	tr *trouble
}

func (d dead) Bury(ctx context.Context, t *frontier.Task, reason string) error {
	return d.tr.do(ctx, func() error { return d.DeadLetters.Bury(ctx, t, reason) })
}

type registry struct {
	job.Registry
	tr *trouble
}

func (r registry) Create(ctx context.Context, j *job.Job) error {
	return r.tr.do(ctx, func() error { return r.Registry.Create(ctx, j) })
}

func (r registry) Update(ctx context.Context, id string, change func(*job.Job) error) (j *job.Job, err error) {
	err = r.tr.do(ctx, func() error { j, err = r.Registry.Update(ctx, id, change); return err })
	return j, err
}
