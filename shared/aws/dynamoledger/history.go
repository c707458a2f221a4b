package dynamoledger

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
)

// historyIndex is the sparse index of Urls that holds relevant pages: crawl,
// then their place on the circle, with the URL and its round.
const historyIndex = "history"

// indexed is how many pages of a crawl's history the draws are from, about: the index does
// not have more of a long one, since an entry costs a write unit.
const indexed = 4096

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

// A draw reads a window of the history's circle that is larger than the draw,
// and picks from it at random.
const (
	windowPerDraw = 4
	leastWindow   = 64
	mostDrawn     = 1 << 20
)

// Sample implements ledger.History. Pages are on a circle, ordered by a hash of
// their URL, of which the index has a part. A query reads a window of max(4n, 64) of
// them from a random point, and n of these are drawn. The chance of a page depends
// on the gaps between the pages before it within a window's length: its standard
// deviation is 1/√window of the mean, 12 % for n up to 16, 7 % for 50, and 0 if the
// window has the whole history. Neighbours on the circle, whose sites are unrelated,
// are drawn together more often than others.
//
// The index follows completions within a second or so; with round > 0 callers
// wait that long after a round's end.
func (l *Ledger) Sample(ctx context.Context, crawl string, round, n int, rng *rand.Rand) ([]string, error) {
	if n <= 0 {
		return nil, ctx.Err()
	}
	n = min(n, mostDrawn)
	start, bound := rng.Uint64(), l.s.bound(crawl, round)
	if bound < math.MaxUint64 {
		start, _ = bits.Mul64(start, bound)
	}
	urls, err := l.window(ctx, crawl, round, max(start, 1), bound, max(windowPerDraw*n, leastWindow))
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

// window reads up to size URLs of the circle up to bound, once around from start, which is
// not 0.
func (l *Ledger) window(ctx context.Context, crawl string, round int, start, bound uint64, size int) ([]string, error) {
	var urls []string
	for _, arc := range [2][2]uint64{{start, bound}, {0, start - 1}} {
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
