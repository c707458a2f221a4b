package dynamoledger

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
	"sluice/shared/state/ledger"
)

// totals are the attributes of the sums.
var totals = ledger.Names{
	Fetched: "f", Rendered: "ren", Below: "bel", Relevant: "rel", Enqueued: "enq", Dropped: "drp", Verdict: "v:", Rule: "r:", Drop: "d:", Change: "c:",
}

// sums are totals by attribute.
type sums map[string]int64

func (s sums) add(e *ledger.Entry) {
	for name, n := range totals.Sums(e) {
		s[name] += n
	}
}

// names returns the attributes that change, sorted. There is always one, of a
// verdict.
func (s sums) names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s)), func(name string) bool { return s[name] == 0 })
}

// Totals implements ledger.Accounts. It may miss batches that another process
// completes meanwhile, but counts nothing twice. It costs a few read units, and
// one for each end that is being written or was abandoned halfway.
func (l *Ledger) Totals(ctx context.Context, crawl string) (*ledger.Totals, error) {
	all := sums{}
	q := dynamodb.QueryInput{
		TableName: &l.s.opts.Crawls, ConsistentRead: ptr(true),
		KeyConditionExpression:    ptr("p = :p"),
		ExpressionAttributeValues: item{":p": attr.Text(totalsPartition(crawl))},
	}
	err := l.s.query(ctx, q, 0, func(it item) bool {
		for name := range it {
			if name != "p" && name != "s" {
				all[name] += attr.NumberOf(it[name])
			}
		}
		return true
	})
	if err == nil { // in this order, so that an end settled in between is counted once
		err = l.s.addJournals(ctx, crawl, all)
	}
	if err != nil {
		return nil, wrap("read totals", err)
	}
	t := totals.Totals(maps.All(all))
	l.s.relevant.Put(crawl, t.Relevant)
	l.s.pools.Forget(crawl)
	return t, nil
}

// Entry implements ledger.Accounts.
func (l *Ledger) Entry(ctx context.Context, crawl, url string) (*ledger.Entry, error) {
	res, err := l.s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &l.s.opts.Urls, Key: item{"k": attr.Text(urlKey(crawl, url))},
		ConsistentRead: ptr(true), ProjectionExpression: ptr("e"),
	})
	if err != nil {
		return nil, wrap("read entry of "+url, err)
	}
	packed := attr.BlobOf(res.Item["e"])
	if packed == nil {
		return nil, nil
	}
	e, err := l.s.codec.unpackEntry(packed)
	if err != nil {
		return nil, permanent("decode entry of "+url, err)
	}
	return e, nil
}
