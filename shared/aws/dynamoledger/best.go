package dynamoledger

import (
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// Best implements frontier.Backlog. It costs a read unit for each 4 KB of links
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
	links, err := b.decode(crawl, found)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(links, frontier.BestFirst)
	return links[:min(n, len(links))], nil
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

// rounds reads the best n links of each round up to the last. There is more
// than one round only if a round has left links; usually the first query
// suffices.
func (b *Backlog) rounds(ctx context.Context, crawl, host string, last, n int) ([]item, error) {
	var out []item
	for from := roundKey(0); ; {
		var page []item
		q := b.waitingIn(crawl, host, from, last)
		err := b.s.query(ctx, q, n, func(it item) bool {
			page = append(page, it)
			return true
		})
		if err != nil {
			return nil, err
		}
		if len(page) < n {
			return append(out, page...), nil
		}
		// The page has all rounds but its last completely. Of the last it has n
		// only if that is also its first.
		first, end := roundOf(page[0]), roundOf(page[len(page)-1])
		if first == end {
			if out = append(out, page...); first == roundKey(min(last, maxRounds)) {
				return out, nil
			}
			from = first + "~"
			continue
		}
		out = append(out, slices.DeleteFunc(page, func(it item) bool { return roundOf(it) == end })...)
		from = end
	}
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

// decode reads links, each URL's best, and remembers their places for Remove.
func (b *Backlog) decode(crawl string, found []item) ([]frontier.Link, error) {
	links := make([]frontier.Link, 0, len(found))
	places := make(map[string][]string, len(found))
	for _, it := range found {
		l, err := b.s.codec.unpackLink(attr.BlobOf(it["l"]))
		place := attr.TextOf(it["s"])
		if err != nil {
			return nil, permanent("decode waiting link "+place, err)
		}
		if l.URL = attr.TextOf(it["u"]); l.URL == "" {
			l.URL = urlOf(place)
		}
		k := urlKey(crawl, l.URL)
		if places[k] == nil {
			links = append(links, l)
		}
		places[k] = append(places[k], place)
	}
	for k, p := range places {
		b.s.places.Put(k, p)
	}
	return links, nil
}

func urlOf(place string) string {
	from := headLen(place) + 1
	if len(place) < from+1+lenTail {
		return ""
	}
	return place[from : len(place)-lenTail-1]
}

// Remove implements frontier.Backlog: a write unit for each link, and a read
// unit for one that Best has not returned in this process. A link that another
// process raises at the same time may remain: its task finds it done.
func (b *Backlog) Remove(ctx context.Context, crawl, host string, urls []string) error {
	places := map[string][]string{}
	var unknown []*waiting
	for _, u := range urls {
		k := urlKey(crawl, u)
		if _, seen := places[k]; seen || urlnorm.HostOf(u) != host {
			continue
		}
		if places[k], _ = b.s.places.Get(k); len(places[k]) == 0 {
			unknown = append(unknown, &waiting{key: k, url: u})
		}
	}
	if err := b.readRanks(ctx, unknown); err != nil {
		return wrap("remove links of "+host, err)
	}
	for _, w := range unknown {
		if w.seen != "" {
			places[w.key] = []string{placeOf(w.seen, w.url)}
		}
	}
	var deletions []types.WriteRequest
	for _, ps := range places {
		for _, p := range ps {
			deletions = append(deletions, deletion(backlogKey(crawl, host, p)))
		}
	}
	b.s.listing.drop()
	if err := b.s.write(ctx, b.s.opts.Backlog, deletions); err != nil {
		return wrap("remove links of "+host, err)
	}
	for k := range places {
		b.s.places.Forget(k)
	}
	return nil
}
