package dynamoledger

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"sluice/shared/aws/attr"
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
)

// deepHost is how many links of a host are counted: a sweep once a minute must
// not read a backlog of 10⁵ links each time. In rounds all are counted, as the
// budget is shared out by it.
const (
	deepHost  = 1000
	deepPacks = 250 // that a request for so many links reads
)

// Waiting implements frontier.Directory. It reads the hosts of the crawl and
// the first links of each: half a read unit for each 4 KB. A depth above 1,000
// is returned as 1,000 unless the crawl goes in rounds. The pages after the
// first are of the same reading, unless this process changes something.
func (b *Backlog) Waiting(ctx context.Context, crawl string, round, skip, n int) ([]frontier.HostDepth, error) {
	if n <= 0 || round < 0 {
		return nil, ctx.Err()
	}
	skip = max(skip, 0)
	hosts, ok := b.s.listing.get(crawl, round, b.s.opts.Now())
	if !ok || skip == 0 {
		mark := b.s.listing.mark()
		var err error
		if hosts, err = b.list(ctx, crawl, round); err != nil {
			return nil, wrap("list waiting hosts", err)
		}
		b.s.listing.put(mark, crawl, round, b.s.opts.Now(), hosts)
	}
	hosts = hosts[min(skip, len(hosts)):]
	return slices.Clone(hosts[:min(n, len(hosts))]), nil
}

func (b *Backlog) list(ctx context.Context, crawl string, round int) ([]frontier.HostDepth, error) {
	all, err := b.depths(ctx, crawl, round, func(row item) bool { return row["c"] == nil })
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(h frontier.HostDepth) bool { return h.Links == 0 })
	slices.SortFunc(all, func(a, b frontier.HostDepth) int {
		return cmp.Or(a.Order().Compare(b.Order()), cmp.Compare(a.Host, b.Host))
	})
	return all, nil
}

// depths returns the depths of some hosts of a crawl, by their rows, in an arbitrary order.
func (b *Backlog) depths(ctx context.Context, crawl string, round int, some func(row item) bool) ([]frontier.HostDepth, error) {
	var names []string
	err := b.s.hostRows(ctx, crawl, "s, c", func(row item) {
		if some(row) {
			names = append(names, attr.TextOf(row["s"]))
		}
	})
	if err != nil {
		return nil, err
	}
	all := make([]frontier.HostDepth, len(names))
	err = each(ctx, len(names), func(ctx context.Context, i int) (err error) {
		all[i], err = b.depth(ctx, crawl, names[i], round)
		return err
	})
	return all, err
}

// depth reads the sort keys of a host's packs, which hold the order of the first link.
func (b *Backlog) depth(ctx context.Context, crawl, host string, round int) (frontier.HostDepth, error) {
	out := frontier.HostDepth{Host: host}
	limit := math.MaxInt
	q := b.waitingIn(crawl, host, roundKey(0), round)
	q.ProjectionExpression = ptr("s, n, g, l, u")
	if round == 0 {
		limit, q.Limit, q.ConsistentRead = deepHost, ptr(int32(deepPacks)), ptr(false)
	}
	var bad error
	err := b.s.query(ctx, q, 0, func(it item) bool {
		var o rank.Order
		var links int
		if o, links, bad = b.s.codec.weigh(it); bad != nil {
			return false
		}
		if links > 0 && (out.Links == 0 || o.Compare(out.Order()) < 0) {
			out.Best, out.Tie = o.Priority, o.Tie
		}
		out.Links += links
		return out.Links < limit
	})
	out.Links = min(out.Links, limit)
	if bad != nil {
		return out, permanent("list links of "+host, bad)
	}
	return out, err
}

// weigh returns the order of the best link of a pack and the number of its links.
func (c *codec) weigh(it item) (best rank.Order, links int, err error) {
	gone := goneOf(it)
	if !slices.Contains(gone, 0) {
		best, err = placedOrder(attr.TextOf(it["s"]))
		return best, max(int(attr.NumberOf(it["n"])), 1) - len(gone), err
	}
	p, err := c.readPack(it)
	if err != nil {
		return best, 0, err
	}
	p.each(func(l frontier.Link, _ spot) {
		if links++; links == 1 {
			best = l.Order()
		}
	})
	return best, links, nil
}

// listing is the last reading of Waiting, for the pages that follow the first.
type listing struct {
	mu      sync.Mutex
	changes int // by this process
	crawl   string
	round   int
	at      time.Time
	hosts   []frontier.HostDepth
}

const listingAge = time.Minute

func (l *listing) get(crawl string, round int, now time.Time) ([]frontier.HostDepth, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ok := !l.at.IsZero() && l.crawl == crawl && l.round == round && now.Sub(l.at) < listingAge
	return l.hosts, ok
}

// mark returns a value that changes when this process changes something, for
// put.
func (l *listing) mark() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changes
}

func (l *listing) put(mark int, crawl string, round int, now time.Time, hosts []frontier.HostDepth) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if mark == l.changes {
		l.crawl, l.round, l.at, l.hosts = crawl, round, now, hosts
	}
}

// drop records that this process changed something.
func (l *listing) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changes++
	l.at, l.hosts = time.Time{}, nil
}
