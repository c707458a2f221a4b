// Package gather analyses the sites of structured crawls on a stack, one host for each
// message. While a crawl runs, it learns the paths to the fields of the host's pages. When
// the crawl has ended, it makes the records of the pages (METHOD C6).
//
// The same pages and the same learned paths give the same records, so a message may be
// delivered again.
package gather

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/structure/site"
	"sluice/shared/topic"
	"sluice/shared/web/hosts"
)

// Ports are the dependencies of a Gatherer.
type Ports struct {
	Jobs    job.Registry
	Topics  Topics
	Ledger  Ledger
	Objects Objects
	Sites   site.Store
	Leases  hosts.Leases // of the analysis of a host, by another name than that of the host
}

// Topics reads topics by their name in the stack.
type Topics interface {
	Get(ctx context.Context, key string) (*topic.Compiled, error)
}

// Ledger reads the ends of URLs, and sees all that were written before.
type Ledger interface {
	// Entries returns the entry of each URL, in order, nil if there is none.
	Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error)
}

// Objects is the bucket.
type Objects interface {
	// Keys returns the keys with a prefix, in order.
	Keys(ctx context.Context, prefix string) ([]string, error)
	// Open opens an object. The fault of one that is gone is Permanent.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	Put(ctx context.Context, key string, data []byte, contentType string) error
}

// Options bound a Gatherer. Zero values mean the defaults.
type Options struct {
	MaxPages int           // of a host whose records are made here; default 10,000
	Lease    time.Duration // longer than a call may take; default 6 min
	Wait     time.Duration // for pages that are not in the corpus yet, doubled each time where they are to be fetched; default 30 s
	Now      func() time.Time
	Log      *slog.Logger
}

// Gatherer carries out messages. It is safe for concurrent use.
type Gatherer struct {
	ports Ports
	opts  Options
}

// New returns a gatherer.
func New(ports Ports, opts Options) *Gatherer {
	opts.MaxPages = cmp.Or(opts.MaxPages, 10_000)
	opts.Lease = cmp.Or(opts.Lease, 6*time.Minute)
	opts.Wait = cmp.Or(opts.Wait, 30*time.Second)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	opts.Log = cmp.Or(opts.Log, slog.New(slog.DiscardHandler))
	return &Gatherer{ports: ports, opts: opts}
}

// most is the longest pause before a message is tried again.
const most = 15 * time.Minute

// Message carries out a message; receives counts its deliveries, and with last set there
// are no more. A host is analysed by one message at a time, of whatever crawl.
func (g *Gatherer) Message(ctx context.Context, m *job.SiteMessage, receives int, last bool) error {
	j, err := job.Asked(ctx, g.ports.Jobs, m.Crawl, "site of")
	if err != nil {
		return err
	}
	planned, err := g.plan(ctx, j)
	if err != nil {
		return err
	}
	a := &analysis{Gatherer: g, job: j, host: m.Host, template: planned.Template, scope: planned.Scope}
	err = hosts.Alone(ctx, g.ports.Leases, j.ID, "structure/"+m.Host, g.opts.Lease, g.opts.Log, func() error {
		if ended := j.State == job.Done || j.State == job.Stopped; ended {
			return a.records(ctx, m.Kept, last)
		}
		return a.learn(ctx, receives, last)
	})
	if busy, ok := errors.AsType[*hosts.BusyError](err); ok {
		wait := max(busy.Until.Sub(g.opts.Now()), time.Second)
		return fault.NewAfter(min(wait, most), "site_busy", fmt.Errorf("%s is being analysed: %w", m.Host, err))
	}
	if err != nil {
		return fmt.Errorf("analyse %s for crawl %s: %w", m.Host, j.ID, err)
	}
	return nil
}

// plan returns the plan of a structured crawl.
func (g *Gatherer) plan(ctx context.Context, j *job.Job) (*step.Plan, error) {
	t, err := g.ports.Topics.Get(ctx, j.Topic)
	if err != nil {
		return nil, fmt.Errorf("read topic of %s: %w", j.ID, err)
	}
	params, err := plan.Of(j, t)
	if err != nil {
		return nil, fault.New(fault.Poison, "bad_crawl", err)
	}
	planned, err := params.Plan()
	if err == nil && planned.Template == nil {
		err = errors.New("its topic has no site template")
	}
	if err != nil {
		return nil, fault.New(fault.Poison, "bad_crawl", fmt.Errorf("plan crawl %s: %w", j.ID, err))
	}
	return planned, nil
}
