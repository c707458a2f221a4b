package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
)

// errCrashed is what every port answers once the process is dead.
var errCrashed = errors.New("crashed")

// process is a process that dies after a number of effects: that many writes
// reach the stores, nothing after them does.
type process struct {
	effects atomic.Int64
	dies    int64 // after this many; 0 never
}

// do runs one effect, if the process is still alive.
func (p *process) do(effect func() error) error {
	if n := p.effects.Add(1); p.dies > 0 && n > p.dies {
		return errCrashed
	}
	return effect()
}

// chaos is how unkind the queue is.
type chaos struct {
	rng        *rand.Rand
	duplicates bool // every task is sent twice, until it bounces
	shuffle    bool // deliveries come in any order
	jumps      bool // the clock jumps past all leases during fetches
}

// queue is a queue with a process's life and chaos.
type queue struct {
	frontier.Queue
	p *process
	c chaos
}

func (q *queue) Send(ctx context.Context, out []frontier.Outgoing) error {
	if q.c.duplicates {
		for _, o := range out[:len(out):len(out)] {
			if o.Task.Bounces == 0 { // else duplicates of duplicates without end
				out = append(out, o)
			}
		}
	}
	return q.p.do(func() error { return q.Queue.Send(ctx, out) })
}

func (q *queue) Receive(ctx context.Context, n int) (ds []frontier.Delivery, err error) {
	err = q.p.do(func() error { ds, err = q.Queue.Receive(ctx, n); return err })
	if q.c.shuffle {
		q.c.rng.Shuffle(len(ds), func(i, j int) { ds[i], ds[j] = ds[j], ds[i] })
		for _, d := range ds {
			links := d.Task.Links
			q.c.rng.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
		}
	}
	return ds, err
}

func (q *queue) Delete(ctx context.Context, receipts []string) error {
	return q.p.do(func() error { return q.Queue.Delete(ctx, receipts) })
}

func (q *queue) Delay(ctx context.Context, receipt string, d time.Duration) error {
	return q.p.do(func() error { return q.Queue.Delay(ctx, receipt, d) })
}

type backlog struct {
	frontier.Backlog
	p *process
}

func (b backlog) Add(ctx context.Context, crawl string, links []frontier.Link) error {
	return b.p.do(func() error { return b.Backlog.Add(ctx, crawl, links) })
}

func (b backlog) Remove(ctx context.Context, crawl, host string, urls []string) error {
	return b.p.do(func() error { return b.Backlog.Remove(ctx, crawl, host, urls) })
}

func (b backlog) Close(ctx context.Context, crawl, host, rule string) error {
	return b.p.do(func() error { return b.Backlog.Close(ctx, crawl, host, rule) })
}

type states struct {
	ledger.Ledger
	p *process
}

func (s states) MarkQueued(ctx context.Context, crawl string, urls []string) error {
	return s.p.do(func() error { return s.Ledger.MarkQueued(ctx, crawl, urls) })
}

func (s states) Complete(ctx context.Context, crawl string, ends []ledger.End) (refused []error, err error) {
	err = s.p.do(func() error { refused, err = s.Ledger.Complete(ctx, crawl, ends); return err })
	return refused, err
}

type leases struct {
	hosts.Leases
	p *process
}

func (l leases) Acquire(ctx context.Context, crawl, host, owner string, ttl time.Duration) (lease *hosts.Lease, err error) {
	err = l.p.do(func() error { lease, err = l.Leases.Acquire(ctx, crawl, host, owner, ttl); return err })
	return lease, err
}

func (l leases) Release(ctx context.Context, crawl string, lease *hosts.Lease) error {
	return l.p.do(func() error { return l.Leases.Release(ctx, crawl, lease) })
}

type decisions struct {
	ledger.Decisions
	p *process
}

func (d decisions) Drop(ctx context.Context, crawl string, ds []ledger.Decision) error {
	return d.p.do(func() error { return d.Decisions.Drop(ctx, crawl, ds) })
}

type store struct {
	corpus.Store
	p *process
}

func (s store) Put(ctx context.Context, x *corpus.Exchange, d *corpus.Document) (loc corpus.Location, err error) {
	err = s.p.do(func() error { loc, err = s.Store.Put(ctx, x, d); return err })
	return loc, err
}

func (s store) Reject(ctx context.Context, r *corpus.Reject) error {
	return s.p.do(func() error { return s.Store.Reject(ctx, r) })
}

type dead struct {
	frontier.DeadLetters
	p *process
}

func (d dead) Bury(ctx context.Context, t *frontier.Task, reason string) error {
	return d.p.do(func() error { return d.DeadLetters.Bury(ctx, t, reason) })
}
