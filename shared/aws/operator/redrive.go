package operator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/state/job"
	"sluice/shared/web/hosts"
)

var _ console.Redriver = (*Operator)(nil)

// Redrive implements console.Redriver. It queues links that the ledger has as
// dead again, and resumes crawls that had ended with an empty frontier.
func (o *Operator) Redrive(ctx context.Context, opts console.RedriveOptions) (*console.Redriven, error) {
	if opts.Crawl != "" && !opts.Discard { // a discard may name a crawl that no longer exists
		if _, err := o.parts.Jobs.Get(ctx, opts.Crawl); err != nil {
			return nil, err
		}
	}
	jd, err := o.newJudge(ctx)
	if err != nil {
		return nil, err
	}
	r := &redrive{judge: jd, opts: opts, out: console.NewRedriven(&opts), crawls: map[string]bool{}}
	r.out.Stack = o.parts.Resources.Stack
	for _, name := range []string{Frontier, Seeds, Clean, Structure} {
		if err != nil || opts.Queue != "" && opts.Queue != name {
			continue
		}
		if err = r.queue(ctx, name); err != nil {
			err = fmt.Errorf("redrive %s: %w", name, err)
		}
	}
	if err == nil && (opts.Queue == "" || opts.Queue == Frontier) && opts.OfHosts(step.RuleHostDown) {
		err = r.hosts(ctx)
	}
	if err := errors.Join(err, r.wake(ctx)); err != nil { // even after an error, for the letters already sent back
		return nil, err
	}
	r.out.NoteMissing(opts.Letters)
	return r.out, nil
}

// redrive is one call of Redrive.
type redrive struct {
	*judge
	opts   console.RedriveOptions
	out    *console.Redriven
	crawls map[string]bool // with letters sent back or hosts opened; true: it has to run for them
	sent   int             // letters and hosts
}

// dead returns the named dead-letter queue.
func (r *redrive) dead(name string) *sqsqueue.Dead {
	p, res := r.o.parts, r.o.parts.Resources
	url, source := res.CleanDeadQueue, res.CleanQueue
	switch name {
	case Frontier:
		if !r.opts.Discard {
			return p.Queue.Dead() // records what goes back
		}
		url, source = res.FrontierDeadQueue, ""
	case Seeds:
		url, source = res.SeedsDeadQueue, res.SeedsQueue
	case Structure:
		url, source = res.StructureDeadQueue, res.StructureQueue
	}
	if r.opts.Discard {
		return sqsqueue.NewDead(nowhere{p.SQS}, url, source)
	}
	return sqsqueue.NewDead(p.SQS, url, source)
}

// hosts opens hosts again that were closed because they were down.
func (r *redrive) hosts(ctx context.Context) error {
	backlog := r.o.parts.Store.Backlog()
	for _, crawl := range slices.Sorted(maps.Keys(r.jobs)) {
		j := r.jobs[crawl]
		if r.opts.Crawl != "" && r.opts.Crawl != crawl || j.State != job.Running && j.State != job.Paused && !j.Exhausted() {
			continue
		}
		closed, err := backlog.Closed(ctx, crawl, step.RuleHostDown)
		if err != nil {
			return err
		}
		for _, h := range closed {
			if !r.opts.DryRun {
				if err := r.forgive(ctx, j, h.Host); err != nil {
					return err
				}
				if err := backlog.Reopen(ctx, crawl, h.Host, step.RuleHostDown); err != nil {
					return err
				}
			}
			r.out.Hosts = append(r.out.Hosts, console.ClosedHost{Crawl: crawl, Host: h.Host, Rule: step.RuleHostDown, Links: h.Links})
			r.crawls[crawl] = true
			r.sent++
		}
	}
	return nil
}

// leaseTime is long enough for two requests.
const leaseTime = 10 * time.Second

// forgive has the crawl forget the failures of a host, and ends the pause that they led to.
func (r *redrive) forgive(ctx context.Context, j *job.Job, host string) error {
	leases, owner := r.o.parts.Hosts, uuid.NewString()
	lease, err := leases.Acquire(ctx, j.ID, host, owner, leaseTime)
	for busy := new(hosts.BusyError); errors.As(err, &busy); { // with another crawl
		if err := fault.Pause(ctx, min(busy.Until.Sub(r.o.now()), time.Second)); err != nil {
			return err
		}
		lease, err = leases.Acquire(ctx, j.ID, host, owner, leaseTime)
	}
	if err != nil {
		return err
	}
	lease.State.Forgive()
	if next := r.o.now().Add(j.Delay); lease.Next.After(next) {
		lease.Next = next
	}
	return leases.Release(ctx, j.ID, lease)
}

// queue processes one queue.
func (r *redrive) queue(ctx context.Context, name string) error {
	count := console.RedriveCount{Queue: name}
	var failed error
	pick := func(l *sqsqueue.Letter) bool {
		if failed != nil {
			return false
		}
		verdict := r.judge.judge(ctx, name, l)
		if !r.opts.Chosen(l.ID, verdict.crawl, l.Reason) {
			count.Others++
			return false
		}
		if verdict.why == nil && !r.opts.Discard && !r.opts.DryRun && name == Frontier && verdict.crawl != "" {
			if failed = r.o.parts.Store.Ledger().Revive(ctx, verdict.crawl, verdict.urls); failed != nil {
				return false
			}
		}
		return r.note(name, l, &verdict, &count)
	}
	var err error
	if r.opts.DryRun {
		err = r.dead(name).Each(ctx, func(l sqsqueue.Letter) error {
			pick(&l)
			return nil
		})
	} else {
		err = r.dead(name).Redrive(ctx, pick)
	}
	if err == nil {
		err = failed
	}
	r.out.Queues = append(r.out.Queues, count)
	return err
}

// note adds a letter to the report, and reports whether it leaves its queue.
func (r *redrive) note(queue string, l *sqsqueue.Letter, verdict *letter, count *console.RedriveCount) bool {
	n := r.out.Judge(console.Letter{
		Queue: queue, ID: l.ID, Crawl: verdict.crawl, URLs: append([]string{}, verdict.urls...),
		Reason: l.Reason, Class: l.Class, Source: l.Source, Sent: l.Sent,
	}, l.Body, verdict.why, &r.opts, count)
	if n.Back {
		r.sent++
		r.crawls[verdict.crawl] = r.crawls[verdict.crawl] || queue != Structure // whose letters are for crawls that have ended, too
	}
	return n.Back || n.Discarded
}

// wake resumes crawls whose frontier was empty, and switches the stack on for
// the letters that were sent back.
func (r *redrive) wake(ctx context.Context) error {
	if r.sent == 0 || r.opts.DryRun {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(r.crawls)) {
		j := r.jobs[id]
		if j == nil || !r.crawls[id] || !j.Exhausted() {
			continue
		}
		if _, err := r.o.parts.Jobs.Update(ctx, id, (*job.Job).Reopen); err != nil {
			return fmt.Errorf("resume crawl %s: %w", id, err)
		}
		r.out.Resumed = append(r.out.Resumed, id)
	}
	if err := r.o.switchOn(ctx); err != nil {
		return fmt.Errorf("letters are sent back, but the stack is not switched on; resume one of its crawls: %w", err)
	}
	return nil
}
