package local

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/local/engine"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

// whyPutBack is why a crawl is stopped that has links again.
const whyPutBack = "links were put back"

// errNoTask is why a dead letter cannot go back.
var errNoTask = errors.New("it is not a task")

var _ console.Redriver = (*Console)(nil)

// Redrive implements console.Redriver. Dead links go back to the frontier, where
// the next run of the crawl finds them. No process may be running the crawl,
// unless it is a dry run.
func (c *Console) Redrive(ctx context.Context, opts console.RedriveOptions) (out *console.Redriven, err error) {
	f, err := OpenFolder(ctx, c.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	st := f.store
	if !opts.DryRun {
		lock, busy := filecorpus.Lock(c.dir)
		if errors.Is(busy, filecorpus.ErrBusy) {
			return nil, fmt.Errorf("redrive %s: stop the crawl first: %w", c.dir, filecorpus.ErrBusy)
		}
		if busy != nil {
			return nil, busy
		}
		defer func() { err = errors.Join(err, lock.Close()) }()
		if err := f.readSettings(ctx); err != nil { // again: a refresh may just have ended
			return nil, err
		}
		if st, err = sqlitestore.Open(filepath.Join(c.dir, StateFile), sqlitestore.Options{}); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, st.Close()) }()
	}
	letters, err := st.Queue().DeadLetters(ctx, f.set.Crawl)
	if err != nil {
		return nil, err
	}
	out = console.NewRedriven(&opts)
	out.Out = c.dir
	links, ids := chooseLetters(out, &opts, letters)
	out.NoteMissing(opts.Letters)
	if opts.OfHosts(step.RuleHostDown) {
		if err := chooseHosts(ctx, out, st, f.set.Crawl); err != nil {
			return nil, err
		}
	}
	if opts.DryRun {
		return out, nil
	}
	if len(links) > 0 || len(out.Hosts) > 0 { // before they wait, so that a crash leaves none that the state denies
		if err := reopen(ctx, st); err != nil {
			return nil, err
		}
	}
	if len(out.Hosts) > 0 {
		if err := st.Backlog().Reopen(ctx, f.set.Crawl, f.set.Delay, step.RuleHostDown); err != nil {
			return nil, err
		}
	}
	return out, putBack(ctx, st, f.set.Crawl, links, ids)
}

// chooseHosts reports the hosts that were closed because they were down.
func chooseHosts(ctx context.Context, out *console.Redriven, st *sqlitestore.Store, crawl string) error {
	closed, err := st.ClosedHosts(ctx, crawl)
	for _, h := range closed {
		if h.Closed == step.RuleHostDown {
			out.Hosts = append(out.Hosts, console.ClosedHost{Host: h.Host, Rule: h.Closed, Links: h.Waiting})
		}
	}
	return err
}

// reopen makes of a crawl that ended for want of links one that was stopped.
func reopen(ctx context.Context, st *sqlitestore.Store) error {
	reason, _, err := st.Meta(ctx, reasonKey)
	empty := []string{job.ReasonFrontierEmpty, job.ReasonHarvestRate, job.ReasonCoverage, string(engine.HostsDown), string(engine.Unreachable)}
	if err != nil || !slices.Contains(empty, reason) {
		return err
	}
	if err := st.SetMeta(ctx, stopWhyKey, whyPutBack); err != nil {
		return err
	}
	return st.SetMeta(ctx, reasonKey, string(engine.Interrupted))
}

// chooseLetters reports letters, and returns the links that go back and the ids
// of the letters that go.
func chooseLetters(out *console.Redriven, opts *console.RedriveOptions, letters []sqlitestore.DeadLetter) (links []frontier.Link, ids []string) {
	count := console.RedriveCount{Queue: "frontier"}
	for _, d := range letters {
		if !opts.Chosen(d.ID, d.Crawl, d.Reason) {
			count.Others++
			continue
		}
		l := console.Letter{Queue: count.Queue, ID: d.ID, Crawl: d.Crawl, URLs: []string{}, Reason: d.Reason, Sent: d.At}
		var invalid error
		if d.Link.URL == "" {
			invalid = errNoTask
		} else {
			l.URLs = append(l.URLs, d.Link.URL)
		}
		l = out.Judge(l, string(d.Body), invalid, opts, &count)
		if l.Back {
			d.Link.Attempts = 0
			links = append(links, d.Link)
		}
		if l.Back || l.Discarded {
			ids = append(ids, d.ID)
		}
	}
	out.Queues = append(out.Queues, count)
	return links, ids
}

// putBack queues links and deletes letters. A letter goes last, so that after a
// crash it is put back again: a link that waits twice is fetched once.
func putBack(ctx context.Context, st *sqlitestore.Store, crawl string, links []frontier.Link, ids []string) error {
	for chunk := range slices.Chunk(links, atOnce) {
		if err := st.Backlog().Add(ctx, crawl, chunk); err != nil {
			return err
		}
		if err := st.Ledger().Revive(ctx, crawl, frontier.URLs(chunk)); err != nil {
			return err
		}
	}
	return st.Queue().Unbury(ctx, crawl, ids)
}
