package dynamoledger

import (
	"context"
	"math/rand/v2"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
)

// historyIndex is the sparse index of Urls that holds relevant pages: crawl,
// then drawKey, with the URL and its round.
const historyIndex = "history"

// A draw reads a window of the history's circle that is larger than the draw,
// and picks from it at random.
const (
	windowPerDraw = 4
	leastWindow   = 64
	mostDrawn     = 1 << 20
)

// Sample implements ledger.History. Pages are on a circle, ordered by a hash of
// their URL; a query reads a window of max(4n, 64) of them from a random point,
// and n of these are drawn. The chance of a page depends on the gaps between
// the pages before it within a window's length: its standard deviation is
// 1/√window of the mean, 12 % for n up to 16, 7 % for 50, and 0 if the window
// has the whole history. Neighbours on the circle, whose sites are unrelated,
// are drawn together more often than others.
//
// The index follows completions within a second or so; with round > 0 callers
// wait that long after a round's end.
func (l *Ledger) Sample(ctx context.Context, crawl string, round, n int, rng *rand.Rand) ([]string, error) {
	if n <= 0 {
		return nil, ctx.Err()
	}
	n = min(n, mostDrawn)
	urls, err := l.window(ctx, crawl, round, hex16(rng.Uint64()), max(windowPerDraw*n, leastWindow))
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

// window reads up to size URLs from start on, once around.
func (l *Ledger) window(ctx context.Context, crawl string, round int, start string, size int) ([]string, error) {
	var urls []string
	for _, arc := range []string{"hk >= :start", "hk < :start"} {
		q := dynamodb.QueryInput{
			TableName: &l.s.opts.Urls, IndexName: ptr(historyIndex),
			KeyConditionExpression:    ptr("hc = :crawl AND " + arc),
			ExpressionAttributeValues: item{":crawl": attr.Text(crawl), ":start": attr.Text(start)},
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
