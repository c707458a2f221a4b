package dynamoledger

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
)

// historyIndex is the sparse index of Urls that holds relevant pages: crawl,
// then their place on the circle, with the URL and its round.
const historyIndex = "history"

// indexed is how many pages of a crawl's history the draws are from, about: the index does
// not have more of a long one, since an entry costs a write unit.
const indexed = 256

// bound is the end of the part of the circle that the index has: all of it up to indexed
// pages, then less and less. As it only shrinks, the index has all earlier pages of the part.
// Pages with a round are all in the index: their draws must not depend on how far the crawl
// is.
func (s *Store) bound(crawl string, round int) uint64 {
	if n, ok := s.relevant.Get(crawl); ok && n > indexed && round == 0 {
		return math.MaxUint64 / uint64(n) * indexed
	}
	return math.MaxUint64
}

// A draw of a round reads a window of the history's circle that is larger than the draw,
// and picks from it at random.
const (
	windowPerDraw = 4
	leastWindow   = 64
	mostDrawn     = 1 << 20
)

// Sample implements ledger.History. Pages are on a circle, ordered by a hash of
// their URL, of which the index has a part. Draws of a crawl without rounds are from all of
// that part, as it was when this process read the totals last, and what it has added since.
//
// For a draw of a round a query reads a window of max(4n, 64) pages
// from a random point, and n of these are drawn. The chance of a page depends
// on the gaps between the pages before it within a window's length: its standard
// deviation is 1/√window of the mean, 12 % for n up to 16, 7 % for 50, and 0 if the
// window has the whole history. Neighbours on the circle, whose sites are unrelated,
// are drawn together more often than others.
//
// The index follows completions within a second or so; with round > 0 callers
// wait that long after a round's end.
func (l *Ledger) Sample(ctx context.Context, crawl string, round, n int, rng *rand.Rand) (urls []string, err error) {
	if n <= 0 {
		return nil, ctx.Err()
	}
	n = min(n, mostDrawn)
	if round == 0 {
		urls, err = l.pool(ctx, crawl)
	} else {
		urls, err = l.window(ctx, crawl, round, rng.Uint64(), math.MaxUint64, max(windowPerDraw*n, leastWindow))
	}
	if err != nil {
		return nil, wrap("sample history", err)
	}
	n = min(n, len(urls))
	for i := range n { // Fisher and Yates, for the first n
		j := i + rng.IntN(len(urls)-i)
		urls[i], urls[j] = urls[j], urls[i]
	}
	return urls[:n:n], nil
}

// pool returns a copy of what the index has of a crawl, up to 4 × indexed URLs. While that is little, it
// is read each time; concurrent callers share a read.
func (l *Ledger) pool(ctx context.Context, crawl string) ([]string, error) {
	if urls, ok := l.s.pools.Get(crawl); ok && len(urls) >= leastWindow {
		return slices.Clone(urls), nil
	}
	read, err, _ := l.s.poolReads.Do(crawl, func() (any, error) {
		urls, err := l.window(ctx, crawl, 0, 0, l.s.bound(crawl, 0), 4*indexed)
		if err == nil {
			l.s.pools.Put(crawl, urls)
		}
		return urls, err
	})
	urls, _ := read.([]string)
	return slices.Clone(urls), err
}

// window reads up to size URLs of the circle up to bound, once around from start.
func (l *Ledger) window(ctx context.Context, crawl string, round int, start, bound uint64, size int) ([]string, error) {
	arcs := [][2]uint64{{start, bound}}
	if start > 0 {
		arcs = append(arcs, [2]uint64{0, start - 1})
	}
	var urls []string
	for _, arc := range arcs {
		q := dynamodb.QueryInput{
			TableName: &l.s.opts.Urls, IndexName: ptr(historyIndex),
			KeyConditionExpression:    ptr("hc = :crawl AND hk BETWEEN :start AND :end"),
			ExpressionAttributeValues: item{":crawl": attr.Text(crawl), ":start": attr.Text(hex16(arc[0])), ":end": attr.Text(hex16(arc[1]))},
			ProjectionExpression:      ptr("u"),
		}
		if round > 0 {
			q.FilterExpression = ptr("r < :round")
			q.ExpressionAttributeValues[":round"] = attr.Number(int64(round))
		}
		err := l.s.query(ctx, q, size-len(urls), func(it item) bool {
			urls = append(urls, attr.TextOf(it["u"]))
			return true
		})
		if err != nil {
			return nil, err
		}
		if len(urls) >= size {
			break
		}
	}
	return urls, nil
}
