package dynamoledger

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
	"sluice/shared/state/ledger"
)

// Attributes of the totals. Verdicts and rules follow their prefix.
const (
	sumFetched  = "f"
	sumRelevant = "rel"
	sumEnqueued = "enq"
	sumDropped  = "drp"
	sumVerdict  = "v:"
	sumRule     = "r:"
	sumDrop     = "d:"
	sumChange   = "c:"
)

// sums are totals by attribute.
type sums map[string]int64

func (s sums) add(e *ledger.Entry) {
	if e.Fetched {
		s[sumFetched]++
	}
	if e.Relevant {
		s[sumRelevant]++
	}
	s[sumEnqueued] += int64(e.Enqueued)
	s[sumDropped] += int64(e.Dropped)
	for rule, n := range e.Drops {
		s[sumDrop+rule] += int64(n)
	}
	if e.Change != "" {
		s[sumChange+string(e.Change)]++
	}
	s[sumVerdict+string(e.Verdict)]++
	switch e.Verdict {
	case ledger.Passed, ledger.Rejected, ledger.Skipped, ledger.Dead:
		if e.Rule != "" {
			s[sumRule+e.Rule]++
		}
	}
}

// names returns the attributes that change, sorted. There is always one, of a
// verdict.
func (s sums) names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s)), func(name string) bool { return s[name] == 0 })
}

// Totals implements ledger.Accounts. What another process completes meanwhile
// may be left out, a batch of it at a time, but nothing counts twice. It costs a
// few read units, and one for each end that is being written or was given up
// halfway.
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
	if err == nil { // in this order: what is settled in between is in neither, not in both
		err = l.s.addJournals(ctx, crawl, all)
	}
	if err != nil {
		return nil, wrap("read totals", err)
	}
	return all.totals(), nil
}

func (s sums) totals() *ledger.Totals {
	t := &ledger.Totals{
		Fetched: s[sumFetched], Relevant: s[sumRelevant], Enqueued: s[sumEnqueued], Dropped: s[sumDropped],
		Verdicts: map[ledger.Verdict]int64{}, Rules: map[string]int64{}, Drops: map[string]int64{},
	}
	for name, n := range s {
		if v, ok := strings.CutPrefix(name, sumVerdict); ok {
			t.Verdicts[ledger.Verdict(v)] = n
		} else if rule, ok := strings.CutPrefix(name, sumRule); ok {
			t.Rules[rule] = n
		} else if rule, ok := strings.CutPrefix(name, sumDrop); ok {
			t.Drops[rule] = n
		} else if change, ok := strings.CutPrefix(name, sumChange); ok {
			t.AddChange(ledger.Change(change), n)
		}
	}
	return t
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
