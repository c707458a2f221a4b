package keeper

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// Bounds of the look at the best links of hosts: a read for each host.
const (
	looksAtOnce = 16
	lookHosts   = 1000 // with more, they are looked at every second minute, or more rarely
)

// order finds out which links of a crawl wait for better ones, by the best link of
// each host, and which idle hosts have some that need not. A function knows only the
// hosts that it visits.
func (l *look) order(ctx context.Context) error {
	order := l.ordered
	if order == nil {
		return nil
	}
	if every := int64(1 + len(l.open)/lookHosts); l.outstanding > 0 && l.opts.Now().Unix()/60%every != 0 {
		l.idle = nil
		return nil
	}
	best, err := l.best(ctx)
	if err != nil {
		return err
	}
	first := 0.0
	for _, p := range best {
		if p < frontier.SeedPriority {
			first = max(first, p)
		}
	}
	switch {
	case first == 0: // nothing waits but seeds
	case order.Learns:
		order.Wait = frontier.Near(first)
	case first >= order.Line:
		order.Wait = order.Line
	case l.outstanding == 0 || order.Wait < order.Line:
		order.Wait = frontier.Near(first)
	}
	l.idle = slices.DeleteFunc(l.idle, func(host string) bool {
		p, waits := best[host]
		return !waits || p < order.Wait
	})
	slices.SortStableFunc(l.idle, func(a, b string) int { return cmp.Compare(best[b], best[a]) })
	return nil
}

// best returns the priority of the best waiting link of each open host that has one.
func (l *look) best(ctx context.Context) (map[string]float64, error) {
	found := make([][]frontier.Link, len(l.open))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(looksAtOnce)
	for i, host := range l.open {
		g.Go(func() (err error) {
			found[i], err = l.ports.Backlog.Best(ctx, l.job.ID, host, l.job.Round, 1)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("look at the best links: %w", err)
	}
	best := map[string]float64{}
	for i, links := range found {
		if len(links) > 0 {
			best[l.open[i]] = links[0].Priority
		}
	}
	return best, nil
}

// harvest watches what comes of the pages, and reports whether it is too little.
func (l *look) harvest(totals *ledger.Totals) (barren bool) {
	if l.job.Order == nil {
		return false
	}
	o := *l.job.Order
	l.ordered = &o
	now := job.HarvestOf(totals)
	weak := o.Wait < o.Line
	switch {
	case o.Watch != nil:
		w := *o.Watch
		o.Watch = &w
		return w.Go(now)
	case weak || o.Learns && now.Kept > 0:
		o.Watch = &job.Watch{Began: now}
	}
	return false
}

// growth watches how much of what comes is new, and reports whether it is too little.
// The coverage is read after the totals: it has all documents that they count.
func (l *look) growth(ctx context.Context, totals *ledger.Totals) (saturated bool, err error) {
	if l.ordered == nil || l.job.Structured {
		return false, nil
	}
	covered, err := l.ports.Coverages.Covered(ctx, l.job.ID)
	if err != nil {
		return false, fmt.Errorf("read coverage: %w", err)
	}
	now := job.Grown(totals, covered)
	if l.ordered.Growth == nil {
		if now.Documents > 0 { // those of an older version do not count
			l.ordered.Growth = &job.GrowthWatch{Began: now}
		}
		return false, nil
	}
	w := *l.ordered.Growth
	l.ordered.Growth = &w
	return w.Go(now), nil
}
