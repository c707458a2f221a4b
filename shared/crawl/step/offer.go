package step

import (
	"context"
	"fmt"

	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/text/body"
	"sluice/shared/web/urlnorm"
)

// offered is the known-URL cache's data of a link: its best offer, or that the
// URL accepts no more offers.
type offered struct {
	round  int
	order  rank.Order
	done   bool
	ended  bool     // its page was read: done, but links to it are still counted if they are dropped
	listed body.Day // the date beside it in a list, whichever page led to it
}

// offer brings links into the frontier: unknown links are taken in; those that
// still wait may be raised. The cache is updated last: its links are stored, or
// held by the intake.
func (r *run) offer(ctx context.Context, v *visit, links []frontier.Link) error {
	for links = r.unknown(links); len(links) > 0; links = r.unknown(links) {
		mine, others := r.offers.begin(links)
		err := r.offerNow(ctx, v, mine)
		if err != nil {
			return err
		}
		if links, err = r.offers.wait(ctx, others); err != nil {
			return fmt.Errorf("wait for links of %s: %w", v.link.URL, err)
		}
	}
	return nil
}

// offerNow offers links that no other task is offering, and ends that.
func (r *run) offerNow(ctx context.Context, v *visit, links []frontier.Link) error {
	defer r.offers.end(links)
	if len(links) == 0 {
		return nil
	}
	states, err := r.states(ctx, frontier.URLs(links))
	if err != nil {
		return fmt.Errorf("look up links of %s: %w", v.link.URL, err)
	}
	var fresh, waiting []frontier.Link
	for i, l := range links {
		switch states[i] {
		case ledger.Absent:
			fresh = append(fresh, l)
		case ledger.Queued:
			waiting = append(waiting, l)
		default:
			r.known.Put(keyOf(l.URL), offered{done: true})
		}
	}
	if fresh, err = r.withoutLeft(ctx, fresh); err != nil {
		return err
	}
	n, err := r.add(ctx, fresh)
	if err != nil {
		return err
	}
	if r.ports.Raiser != nil && len(waiting) > 0 {
		if err := r.ports.Raiser.Raise(ctx, r.task.Crawl, waiting); err != nil {
			return fmt.Errorf("raise links of %s: %w", v.link.URL, err)
		}
	}
	for _, l := range append(fresh, waiting...) {
		r.known.Put(keyOf(l.URL), offered{round: l.Round, order: l.Order(), listed: body.DayOf(l.Listed)})
	}
	v.entry.Enqueued += n
	return nil
}

// unknown leaves out links that were offered before as well or better.
func (r *run) unknown(links []frontier.Link) []frontier.Link {
	var out []frontier.Link
	for _, l := range links {
		if !r.outdone(l, l.Order()) {
			out = append(out, l)
		}
	}
	return out
}

// outdone reports whether an offer of a link with that order would change
// nothing. Of equal offers a reproducible crawl lets the backlog choose: here
// the first one would win, which depends on timing.
func (r *run) outdone(l frontier.Link, order rank.Order) bool {
	o, ok := r.known.Get(keyOf(l.URL))
	switch {
	case !ok:
		return false
	case o.done, o.ended, l.Round > o.round:
		return true
	case l.Round < o.round:
		return false
	case r.plan.reproducible():
		return order.Compare(o.order) > 0
	case r.learner() == nil:
		return order.Compare(o.order) >= 0
	case r.opts.Thrift:
		return !frontier.Rises(order.Priority, o.order.Priority)
	}
	return order.Priority <= leastRise*o.order.Priority
}

// leastRise is the factor by which the priority of a known link has to rise in a crawl
// that learns: every page that is read moves all links a little.
const leastRise = 1.01

// add takes new links in, notes their hosts and returns how many are new.
func (r *run) add(ctx context.Context, fresh []frontier.Link) (int, error) {
	if len(fresh) == 0 {
		return 0, nil
	}
	for _, l := range fresh {
		if u, err := urlnorm.Parse(l.URL); err == nil {
			r.fresh[u.Host()] = true
		}
	}
	r.took = true
	n, err := r.ports.Intake.Take(ctx, r.task.Crawl, fresh)
	if err != nil {
		return 0, fmt.Errorf("take links: %w", err)
	}
	return n, nil
}

// recordDrops records why links were dropped, the best offer of each.
func (r *run) recordDrops(ctx context.Context, ds []ledger.Decision) error {
	var fresh []ledger.Decision
	for _, d := range ds {
		if p, ok := r.dropped.Get(keyOf(d.Link.URL)); !ok || d.Link.Order().Compare(p) < 0 {
			fresh = append(fresh, d)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := r.ports.Decisions.Drop(ctx, r.task.Crawl, fresh); err != nil {
		return fmt.Errorf("record dropped links: %w", err)
	}
	for _, d := range fresh {
		r.dropped.Put(keyOf(d.Link.URL), d.Link.Order())
	}
	return nil
}

// takeSitemaps offers the sitemaps that robots.txt names, once for a host. A
// structured crawl walks the layers of a site, not its sitemaps.
func (r *run) takeSitemaps(ctx context.Context, v *visit) error {
	if r.lease.State.Sitemaps || r.plan.Structured {
		return nil
	}
	var links []frontier.Link
	for _, raw := range v.robots.Sitemaps() {
		u, err := v.url.Resolve(raw, nil)
		if err != nil {
			continue
		}
		l := r.child(v, u, "")
		l.IsSource = true
		r.place(&l, u)
		if r.refuse(u, l) == "" {
			links = append(links, l)
		}
	}
	if err := r.offer(ctx, v, links); err != nil {
		return err
	}
	r.lease.State.Sitemaps = true
	return nil
}
