package dynamoledger

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
	"sluice/shared/state/forget"
	"sluice/shared/state/ledger"
)

// EachEnd returns the ends of the URLs of a crawl, a page of the table at a time, in an
// arbitrary order; those of forgotten pages are left out. It reads the table of all
// crawls: half a read unit for each 4 KB of it, some six URLs.
func (l *Ledger) EachEnd(ctx context.Context, crawl string) iter.Seq2[[]ledger.End, error] {
	return func(yield func([]ledger.End, error) bool) {
		scan := dynamodb.ScanInput{
			TableName: &l.s.opts.Urls, FilterExpression: ptr("begins_with(k, :crawl) AND attribute_exists(e)"),
			ExpressionAttributeValues: item{":crawl": attr.Text(crawl + "#")},
			ProjectionExpression:      ptr("e"),
		}
		for {
			page, err := l.s.client.Scan(ctx, &scan)
			if err != nil {
				yield(nil, wrap("read the ends of a crawl", err))
				return
			}
			ends, err := l.s.endsOf(page.Items)
			if !yield(ends, err) || err != nil || len(page.LastEvaluatedKey) == 0 {
				return
			}
			scan.ExclusiveStartKey = page.LastEvaluatedKey
		}
	}
}

// endsOf decodes items. The URL of one is in its trace.
func (s *Store) endsOf(items []item) ([]ledger.End, error) {
	var ends []ledger.End
	for _, it := range items {
		e, err := s.codec.unpackEntry(attr.BlobOf(it["e"]))
		if err != nil {
			return nil, permanent("decode an entry", err)
		}
		if url := forget.TraceURL(e.Trace); url != "" {
			ends = append(ends, ledger.End{URL: url, Entry: e})
		}
	}
	return ends, nil
}
