package dynamoledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"sluice/shared/aws/attr"
	"sluice/shared/state/ledger"
)

var _ ledger.Accepter = (*Ledger)(nil)

// Accept implements ledger.Accepter, in transactions of up to 40 pages. The cost and the
// error of ends that are not in the totals yet are those of Revive.
func (l *Ledger) Accept(ctx context.Context, crawl, rule string, pages []ledger.Accepted) error {
	changes := make(map[string]ledger.Change, len(pages))
	urls := make([]string, len(pages))
	for i, p := range pages {
		urls[i], changes[p.URL] = p.URL, p.Change
	}
	ends, _, err := l.ended(ctx, crawl, urls)
	if err != nil {
		return wrap("read entries", err)
	}
	ends = slices.DeleteFunc(ends, func(e *ending) bool { return e.Entry.Verdict != ledger.Passed })
	if err := l.s.applyAll(ctx, crawl, ends); err != nil {
		return wrap("settle totals", err)
	}
	for len(ends) > 0 {
		n := transactionSize(ends)
		accepting := func(ends []*ending) *dynamodb.TransactWriteItemsInput { return l.accepting(crawl, rule, ends, changes) }
		if err := l.takeBack(ctx, ends[:n], accepting); err != nil {
			return wrap(fmt.Sprintf("accept %d pages", len(pages)), err)
		}
		ends = ends[n:]
	}
	return nil
}

// accepting is the transaction that accepts pages.
func (l *Ledger) accepting(crawl, rule string, ends []*ending, changes map[string]ledger.Change) *dynamodb.TransactWriteItemsInput {
	before, after := sums{}, sums{}
	var items []types.TransactWriteItem
	for _, e := range ends {
		accepted := *e.Entry
		accepted.Accept(rule, changes[e.URL])
		body, _ := l.s.codec.packEntry(&accepted) // a part of one that was decoded
		before.add(e.Entry)
		after.add(&accepted)
		set, values := l.s.remembering(crawl, e.URL, &accepted)
		values[":accepted"], values[":entry"] = attr.Blob(body), attr.Blob(e.body)
		items = append(items, types.TransactWriteItem{Update: &types.Update{
			TableName: &l.s.opts.Urls, Key: item{"k": attr.Text(e.key)},
			UpdateExpression:          ptr("SET e = :accepted" + set),
			ConditionExpression:       ptr("e = :entry"),
			ExpressionAttributeValues: values,

			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureNone,
		}})
	}
	for name, n := range before {
		after[name] -= n
	}
	items = append(items, types.TransactWriteItem{Update: after.update(l.s.opts.Crawls, crawl)})
	return &dynamodb.TransactWriteItemsInput{TransactItems: items, ClientRequestToken: ptr(uuid.NewString())}
}
