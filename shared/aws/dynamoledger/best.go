package dynamoledger

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// Best implements frontier.Backlog. It costs a read unit for each 4 KB of packs
// and, if there are any, one for the host, unless this process has just seen
// that it is open.
func (b *Backlog) Best(ctx context.Context, crawl, host string, round, n int) ([]frontier.Link, error) {
	if n <= 0 || round < 0 {
		return nil, ctx.Err()
	}
	found, err := b.rounds(ctx, crawl, host, round, n)
	if err != nil || len(found) == 0 {
		return nil, wrapped("read best links of "+host, err)
	}
	closed, err := b.closed(ctx, crawl, host)
	if err != nil || closed {
		return nil, wrapped("read best links of "+host, err)
	}
	links := b.remember(crawl, found)
	slices.SortStableFunc(links, frontier.BestFirst)
	links = links[:min(n, len(links))]
	return links, wrapped("move links of "+host, b.moveTails(ctx, crawl, host, found, links))
}

func wrapped(verb string, err error) error {
	if err == nil {
		return nil
	}
	return wrap(verb, err)
}

// openAge is how long a host counts as open after a look. A process that closes
// it meanwhile holds its lease, and a task made from its links finds that out.
const openAge = 10 * time.Second

// seenOpen notes that the row of a host has no rule that closed it.
func (s *Store) seenOpen(crawl, host string, row item) {
	if row["c"] == nil {
		s.open.Put(backlogPartition(crawl, host), s.opts.Now())
	}
}

func (b *Backlog) closed(ctx context.Context, crawl, host string) (bool, error) {
	if seen, ok := b.s.open.Get(backlogPartition(crawl, host)); ok && b.s.opts.Now().Sub(seen) < openAge {
		return false, nil
	}
	// An eventually consistent read may miss a recent closing, as openAge does.
	res, err := b.s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &b.s.opts.Hosts, Key: hostKey(crawl, host), ProjectionExpression: ptr("c"),
	})
	if err != nil {
		return false, err
	}
	b.s.seenOpen(crawl, host, res.Item)
	return res.Item["c"] != nil, nil
}

// found is a waiting link and where it is.
type found struct {
	link frontier.Link
	at   spot
}

// leastPacks is how many packs a query of Best reads at least: full ones are a read unit.
const leastPacks = 4

// rounds reads packs with the best n links of each round up to the last, and what else is
// in these. There is more than one round only if a round has left links.
func (b *Backlog) rounds(ctx context.Context, crawl, host string, last, n int) (out []found, err error) {
	end := roundKey(min(last, maxRounds)) + "~"
	for from := roundKey(0); from < end; {
		q := b.waitingIn(crawl, host, from, last)
		q.Limit = ptr(int32(max(leastPacks, min(n/3, 1000)))) //nolint:gosec // bounded
		from = end
		round, begun := "", 0
		var bad error
		err = b.s.query(ctx, q, 0, func(it item) bool {
			if r := roundOf(it); r != round {
				round, begun = r, len(out)
			}
			if enough(out[begun:], n, it) {
				from = round + "~"
				return false
			}
			var p *pack
			if p, bad = b.s.codec.readPack(it); bad != nil {
				return false
			}
			p.each(func(l frontier.Link, at spot) { out = append(out, found{l, at}) })
			return true
		})
		if err = errors.Join(err, bad); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// enough reports whether n links are better than the first of a pack.
func enough(of []found, n int, it item) bool {
	if len(of) < n {
		return false
	}
	place := attr.TextOf(it["s"])
	o, err := placedOrder(place)
	if err != nil {
		return false // its reader will say so
	}
	first := frontier.Link{URL: urlOf(place), Priority: o.Priority, Tie: o.Tie}
	better := map[string]bool{}
	for i := range of {
		if frontier.BestFirst(of[i].link, first) < 0 {
			better[of[i].link.URL] = true
		}
	}
	return len(better) >= n
}

func roundOf(it item) string {
	place := attr.TextOf(it["s"])
	return place[:min(lenRound, len(place))]
}

// waitingIn is the query for the links of a host from a place on, up to the
// last round. "~" is greater than all that follows a round in a place.
func (b *Backlog) waitingIn(crawl, host, from string, last int) dynamodb.QueryInput {
	return dynamodb.QueryInput{
		TableName: &b.s.opts.Backlog, ConsistentRead: ptr(true),
		KeyConditionExpression: ptr("p = :p AND s BETWEEN :from AND :last"),
		ExpressionAttributeValues: item{
			":p": attr.Text(backlogPartition(crawl, host)), ":from": attr.Text(from), ":last": attr.Text(roundKey(min(last, maxRounds)) + "~"),
		},
	}
}

// remember returns the links, each URL's best, and remembers their spots for Remove.
func (b *Backlog) remember(crawl string, all []found) []frontier.Link {
	links := make([]frontier.Link, 0, len(all))
	index := make(map[string]int, len(all))
	spots := make(map[string][]spot, len(all))
	for _, f := range all {
		k := urlKey(crawl, f.link.URL)
		i, ok := index[k]
		switch {
		case !ok:
			index[k] = len(links)
			links = append(links, f.link)
		case f.link.Better(&links[i]):
			links[i] = f.link
		}
		spots[k] = append(spots[k], f.at)
	}
	for k, at := range spots {
		b.s.spots.Put(k, at)
	}
	return links
}

func urlOf(place string) string {
	from := headLen(place) + 1
	if len(place) < from+1+lenTail {
		return ""
	}
	return place[from : len(place)-lenTail-1]
}

// Remove implements frontier.Backlog: a write unit for each pack that they are in, and
// a read unit for one that Best has not returned in this process. A link that another
// process raises or moves may remain: its task finds it done.
func (b *Backlog) Remove(ctx context.Context, crawl, host string, urls []string) error {
	spots := map[string][]spot{}
	var unknown []*waiting
	for _, u := range urls {
		k := urlKey(crawl, u)
		if _, seen := spots[k]; seen || urlnorm.HostOf(u) != host {
			continue
		}
		if spots[k], _ = b.s.spots.Get(k); len(spots[k]) == 0 {
			unknown = append(unknown, &waiting{key: k, host: host, url: u})
		}
	}
	if err := b.readRanks(ctx, unknown); err != nil {
		return wrap("remove links of "+host, err)
	}
	for _, w := range unknown {
		if w.seen != "" {
			spots[w.key] = []spot{w.was}
		}
	}
	var out []leaving
	for _, all := range spots {
		for _, at := range all {
			out = append(out, leaving{host, at})
		}
	}
	b.s.listing.drop()
	if err := b.take(ctx, crawl, out); err != nil {
		return wrap("remove links of "+host, err)
	}
	for k := range spots {
		b.s.spots.Forget(k)
	}
	return nil
}
