package dynamoledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"sluice/shared/aws/attr"
	"sluice/shared/state/ledger"
)

// Limits of one transaction; DynamoDB's own are 100 items and 4 MB.
const (
	maxRevived     = 40
	maxRevivedSize = 3 << 20
)

var _ ledger.Reviver = (*Ledger)(nil)

// Revive implements ledger.Reviver, in transactions of up to 40 URLs. If the
// writer of an end died before the end was in the totals, the error is retryable,
// for up to a quarter of an hour. It costs a read unit for each URL and each batch
// they ended in, and two write units for each dead URL.
func (l *Ledger) Revive(ctx context.Context, crawl string, urls []string) error {
	dead, err := l.dead(ctx, crawl, urls)
	if err != nil {
		return wrap("read entries", err)
	}
	if err := l.s.applyAll(ctx, crawl, dead); err != nil {
		return wrap("settle totals", err)
	}
	for len(dead) > 0 {
		n := transactionSize(dead)
		if err := l.revive(ctx, crawl, dead[:n]); err != nil {
			return wrap(fmt.Sprintf("revive %d urls", len(urls)), err)
		}
		dead = dead[n:]
	}
	return nil
}

// transactionSize is how many of the ends fit one transaction.
func transactionSize(ends []*ending) int {
	size := 0
	for i, e := range ends[:min(len(ends), maxRevived)] {
		if size += len(e.body) + len(e.URL); size > maxRevivedSize && i > 0 {
			return i
		}
	}
	return min(len(ends), maxRevived)
}

// dead returns the stored ends of the URLs that ended dead.
func (l *Ledger) dead(ctx context.Context, crawl string, urls []string) ([]*ending, error) {
	keys, places := keysOf(crawl, urls)
	items, err := l.s.get(ctx, l.s.opts.Urls, keys, "k, e, j")
	if err != nil {
		return nil, err
	}
	var dead []*ending
	for _, it := range items {
		key, packed := attr.TextOf(it["k"]), attr.BlobOf(it["e"])
		if packed == nil {
			continue
		}
		url := urls[places[key][0]]
		e, err := l.s.codec.unpackEntry(packed)
		if err != nil {
			return nil, permanent("decode entry of "+url, err)
		}
		if e.Verdict == ledger.Dead {
			dead = append(dead, &ending{
				End: ledger.End{URL: url, Entry: e}, key: key, body: packed, journals: []string{attr.TextOf(it["j"])},
			})
		}
	}
	return dead, nil
}

func (l *Ledger) revive(ctx context.Context, crawl string, dead []*ending) error {
	return l.takeBack(ctx, dead, func(dead []*ending) *dynamodb.TransactWriteItemsInput { return l.revival(crawl, dead) })
}

// takeBack removes ends in one transaction, and retries without those that
// another process has removed. Retries with the same token are the same
// request.
func (l *Ledger) takeBack(ctx context.Context, ends []*ending, request func(ends []*ending) *dynamodb.TransactWriteItemsInput) error {
	in := request(ends)
	for try := 0; len(ends) > 0; {
		_, err := l.s.client.TransactWriteItems(ctx, in)
		if err == nil {
			return nil
		}
		canceled, ok := errors.AsType[*types.TransactionCanceledException](err)
		if _, running := errors.AsType[*types.TransactionInProgressException](err); !ok && !running {
			return err
		}
		if ok {
			left, again := sift(ends, canceled.CancellationReasons), busy(canceled.CancellationReasons)
			if len(left) == len(ends) && !again {
				return err
			}
			ends, in = left, request(left)
			if !again {
				continue
			}
		}
		if try == maxTries {
			return throttled("transactions conflict")
		}
		if err := rest(ctx, try); err != nil {
			return err
		}
		try++
	}
	return nil
}

// sift removes the ends that have changed.
func sift(ends []*ending, reasons []types.CancellationReason) (left []*ending) {
	for i, e := range ends {
		if i >= len(reasons) || deref(reasons[i].Code) != "ConditionalCheckFailed" {
			left = append(left, e)
		}
	}
	return left
}

// revival is the transaction that takes back ends.
func (l *Ledger) revival(crawl string, dead []*ending) *dynamodb.TransactWriteItemsInput {
	added := sums{}
	var items []types.TransactWriteItem
	for _, e := range dead {
		added.add(e.Entry)
		items = append(items, types.TransactWriteItem{Update: &types.Update{
			TableName: &l.s.opts.Urls, Key: item{"k": attr.Text(e.key)},
			UpdateExpression:    ptr("SET s = :queued REMOVE e, j"),
			ConditionExpression: ptr("s = :done AND e = :entry AND j = :journal"),
			ExpressionAttributeValues: item{
				":queued": attr.Text(stateQueued), ":done": attr.Text(stateDone), ":entry": attr.Blob(e.body), ":journal": attr.Text(e.journals[0]),
			},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureNone,
		}})
	}
	for name := range added {
		added[name] = -added[name]
	}
	items = append(items, types.TransactWriteItem{Update: added.update(l.s.opts.Crawls, crawl)})
	return &dynamodb.TransactWriteItemsInput{TransactItems: items, ClientRequestToken: ptr(uuid.NewString())}
}
