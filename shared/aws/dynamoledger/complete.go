package dynamoledger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"sluice/shared/ledger"
)

// What one transaction takes: DynamoDB's own limits are 100 items and 4 MB.
const (
	maxEnds     = 40
	maxEndBytes = 3 << 20
)

// ending is an end on its way into a transaction.
type ending struct {
	ledger.End
	owner   string
	key     string
	body    []byte
	refused error // what became of it
}

// Complete implements ledger.Ledger: transactions of up to 40 URLs, each with
// an item of the totals, which so are exact. Calls at the same time share
// transactions. In a batch of 25 a page of up to 1 KB costs little more than two
// write units, and one more where relevant.
func (l *Ledger) Complete(ctx context.Context, crawl, owner string, ends []ledger.End) ([]error, error) {
	first := make(map[string]*ending, len(ends))
	var all []*ending
	for _, end := range ends {
		k := urlKey(crawl, end.URL)
		if first[k] != nil {
			continue
		}
		body, err := l.s.codec.packEntry(end.Entry)
		if err != nil {
			return nil, permanent("encode entry of "+end.URL, err)
		}
		first[k] = &ending{End: end, owner: owner, key: k, body: body}
		all = append(all, first[k])
	}
	if err := l.s.commits.add(ctx, crawl, all, l.completeAll); err != nil {
		return nil, wrap(fmt.Sprintf("complete %d urls", len(ends)), err)
	}
	refused := make([]error, len(ends))
	for i, end := range ends {
		e := first[urlKey(crawl, end.URL)]
		if refused[i] = e.refused; e.refused == nil {
			e.refused = ledger.ErrDone // for the same URL once more
		}
	}
	return refused, nil
}

// completeAll writes ends in as many transactions as they need.
func (l *Ledger) completeAll(ctx context.Context, crawl string, ends []*ending) error {
	for len(ends) > 0 {
		n := transactionSize(ends)
		if err := l.complete(ctx, crawl, ends[:n]); err != nil {
			return err
		}
		ends = ends[n:]
	}
	return nil
}

// transactionSize is how many of ends one transaction takes.
func transactionSize(ends []*ending) int {
	size := 0
	for i, e := range ends[:min(len(ends), maxEnds)] {
		if size += len(e.body) + len(e.URL); size > maxEndBytes && i > 0 {
			return i
		}
	}
	return min(len(ends), maxEnds)
}

// complete writes ends in one transaction, and again without those that are
// refused, until all are written or refused. The request stays the same as
// long as its token does.
func (l *Ledger) complete(ctx context.Context, crawl string, ends []*ending) error {
	in := l.completion(crawl, ends)
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
			left, busy := sift(ends, canceled.CancellationReasons)
			if len(left) == len(ends) && !busy {
				return err
			}
			ends, in = left, l.completion(crawl, left)
			if !busy {
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

// sift takes out the ends that were refused. Busy says that something else
// was in the way, which may pass.
func sift(ends []*ending, reasons []types.CancellationReason) (left []*ending, busy bool) {
	for i, r := range reasons {
		switch code := deref(r.Code); {
		case code == "ConditionalCheckFailed" && i < len(ends):
			ends[i].refused = refusal(r.Item)
		case code == "TransactionConflict", code == "ThrottlingError", code == "ProvisionedThroughputExceeded":
			busy = true
		}
	}
	left = slices.DeleteFunc(slices.Clone(ends), func(e *ending) bool { return e.refused != nil })
	return left, busy
}

// completion is the transaction that writes ends.
func (l *Ledger) completion(crawl string, ends []*ending) *dynamodb.TransactWriteItemsInput {
	sums := sums{}
	items := make([]types.TransactWriteItem, 0, len(ends)+1)
	for _, e := range ends {
		items = append(items, types.TransactWriteItem{Update: l.end(crawl, e)})
		sums.add(e.Entry)
	}
	items = append(items, types.TransactWriteItem{Update: sums.update(l.s.opts.Crawls, crawl)})
	return &dynamodb.TransactWriteItemsInput{TransactItems: items, ClientRequestToken: ptr(uuid.NewString())}
}

// end writes all that the end of a URL is.
func (l *Ledger) end(crawl string, e *ending) *types.Update {
	set := "SET s = :done, e = :entry"
	values := l.s.holder(e.owner)
	values[":done"], values[":entry"] = str(stateDone), bin(e.body)
	if e.Entry.Relevant {
		set += ", hc = :crawl, hk = :draw, u = :url, r = :round"
		values[":crawl"], values[":draw"] = str(crawl), str(drawKey(e.URL))
		values[":url"], values[":round"] = str(e.URL), num(int64(e.Entry.Round))
	}
	return &types.Update{
		TableName: &l.s.opts.Urls, Key: item{"k": str(e.key)},
		UpdateExpression:                    ptr(set + " REMOVE o, x, b"),
		ConditionExpression:                 ptr(free),
		ExpressionAttributeValues:           values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
}

// totalShards is how many items the totals of a crawl are spread over: two
// transactions on one item would be in each other's way.
const totalShards = 8

func totalsPartition(crawl string) string { return "totals#" + crawl }

func (s sums) update(table, crawl string) *types.Update {
	shard := strconv.Itoa(rand.IntN(totalShards)) //nolint:gosec // spreads load
	expr, names, values := "ADD ", map[string]string{}, item{}
	for i, name := range s.names() {
		if i > 0 {
			expr += ", "
		}
		n := strconv.Itoa(i)
		expr += "#" + n + " :" + n
		names["#"+n], values[":"+n] = name, num(s[name])
	}
	return &types.Update{
		TableName: &table, Key: item{"p": str(totalsPartition(crawl)), "s": str(shard)},
		UpdateExpression: &expr, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
