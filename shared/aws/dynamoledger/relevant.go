package dynamoledger

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
)

// atOnce is how many URLs EachRelevant returns at a time.
const atOnce = 500

// EachRelevant returns the URLs of the history of a crawl, some at a time, in
// an arbitrary order. A read unit returns some forty.
func (l *Ledger) EachRelevant(ctx context.Context, crawl string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		q := dynamodb.QueryInput{
			TableName: &l.s.opts.Urls, IndexName: ptr(historyIndex),
			KeyConditionExpression:    ptr("hc = :crawl"),
			ExpressionAttributeValues: item{":crawl": attr.Text(crawl)},
			ProjectionExpression:      ptr("u"),
		}
		var urls []string
		more := true
		err := l.s.query(ctx, q, 0, func(it item) bool {
			if urls = append(urls, attr.TextOf(it["u"])); len(urls) == atOnce {
				more = yield(urls, nil)
				urls = nil
			}
			return more
		})
		switch {
		case !more:
		case err != nil:
			yield(nil, wrap("read history", err))
		case len(urls) > 0:
			yield(urls, nil)
		}
	}
}
