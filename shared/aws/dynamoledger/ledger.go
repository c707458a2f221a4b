package dynamoledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/state/ledger"
)

// Ledger implements ledger.Ledger, ledger.History, ledger.Accounts and
// ledger.Reader.
type Ledger struct{ s *Store }

var (
	_ ledger.Ledger   = (*Ledger)(nil)
	_ ledger.History  = (*Ledger)(nil)
	_ ledger.Accounts = (*Ledger)(nil)
	_ ledger.Reader   = (*Ledger)(nil)
)

// Ledger returns the URLs of all crawls in the tables.
func (s *Store) Ledger() *Ledger { return &Ledger{s} }

// The states of an item of Urls, attribute s. Leases are attributes o, the
// owner, and x, the end in milliseconds.
const (
	stateQueued = "q"
	stateLeased = "l"
	stateDone   = "d"
)

// free is the condition under which an owner may have a URL.
const free = "attribute_not_exists(s) OR s = :queued OR (s = :leased AND (o = :owner OR x <= :now))"

// holder returns the values of free.
func (s *Store) holder(owner string) item {
	return item{
		":queued": attr.Text(stateQueued), ":leased": attr.Text(stateLeased), ":owner": attr.Text(owner),
		":now": attr.Number(s.opts.Now().UnixMilli()),
	}
}

// refusal says why an item did not meet the condition free.
func refusal(it item) error {
	if attr.TextOf(it["s"]) == stateDone {
		return ledger.ErrDone
	}
	return &ledger.LeasedError{Until: time.UnixMilli(attr.NumberOf(it["x"])).UTC()}
}

// millis rounds up: a lease is never shorter than requested.
func millis(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }

// keysOf returns the keys of Urls for urls, each once, and for each the
// positions of its URL.
func keysOf(crawl string, urls []string) (keys []item, places map[string][]int) {
	places = make(map[string][]int, len(urls))
	for i, u := range urls {
		k := urlKey(crawl, u)
		if places[k] = append(places[k], i); len(places[k]) == 1 {
			keys = append(keys, item{"k": attr.Text(k)})
		}
	}
	return keys, places
}

// States implements ledger.Ledger. It costs a read unit for each URL.
func (l *Ledger) States(ctx context.Context, crawl string, urls []string) ([]ledger.State, error) {
	keys, places := keysOf(crawl, urls)
	items, err := l.s.get(ctx, l.s.opts.Urls, keys, "k, s, x")
	if err != nil {
		return nil, wrap("read states", err)
	}
	now := l.s.opts.Now().UnixMilli()
	out := make([]ledger.State, len(urls))
	for _, it := range items {
		st := stateOf(it, now)
		k := attr.TextOf(it["k"])
		for _, i := range places[k] {
			out[i] = st
		}
		delete(places, k)
	}
	for k := range places {
		l.s.unseen.Put(k, struct{}{})
	}
	return out, nil
}

func stateOf(it item, now int64) ledger.State {
	switch attr.TextOf(it["s"]) {
	case stateDone:
		return ledger.Done
	case stateLeased:
		if attr.NumberOf(it["x"]) > now {
			return ledger.Leased
		}
		return ledger.Queued
	case stateQueued:
		return ledger.Queued
	}
	return ledger.Absent
}

// MarkQueued implements ledger.Ledger. It costs a write unit for each URL, but
// nothing for those that this process has seen stored, such as all that
// Backlog.Add accepted.
func (l *Ledger) MarkQueued(ctx context.Context, crawl string, urls []string) error {
	var keys []item
	all, _ := keysOf(crawl, urls)
	for _, k := range all {
		if !l.s.queued.Has(attr.TextOf(k["k"])) {
			keys = append(keys, k)
		}
	}
	err := each(ctx, len(keys), func(ctx context.Context, i int) error {
		_, err := l.s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &l.s.opts.Urls, Key: keys[i],
			UpdateExpression:          ptr("SET s = :queued"),
			ConditionExpression:       ptr("attribute_not_exists(s)"),
			ExpressionAttributeValues: item{":queued": attr.Text(stateQueued)},
		})
		if _, known := errors.AsType[*types.ConditionalCheckFailedException](err); err != nil && !known {
			return err
		}
		l.s.queued.Put(attr.TextOf(keys[i]["k"]), struct{}{})
		return nil
	})
	if err != nil {
		return wrap(fmt.Sprintf("mark %d urls queued", len(urls)), err)
	}
	return nil
}

// Claim implements ledger.Ledger. It costs a read unit for each URL, unless
// this process has just seen that it was absent, and a write unit for each that
// is neither done nor already leased to the owner for long enough. A link still
// in the backlog then no longer counts as the URL's.
func (l *Ledger) Claim(ctx context.Context, crawl string, urls []string, owner string, until time.Time) ([]error, error) {
	refused, err := l.claimAll(ctx, crawl, urls, owner, until)
	if err != nil {
		return nil, wrap(fmt.Sprintf("claim %d urls", len(urls)), err)
	}
	return refused, nil
}

func (l *Ledger) claimAll(ctx context.Context, crawl string, urls []string, owner string, until time.Time) ([]error, error) {
	keys, places := keysOf(crawl, urls)
	var seen []item
	for _, k := range keys {
		if !l.s.unseen.Forget(attr.TextOf(k["k"])) {
			seen = append(seen, k)
		}
	}
	rows, err := l.s.get(ctx, l.s.opts.Urls, seen, "k, s, o, x")
	if err != nil {
		return nil, err
	}
	settled := map[string]error{} // by key; nil: the owner has it
	for _, row := range rows {
		switch state := attr.TextOf(row["s"]); {
		case state == stateDone:
			settled[attr.TextOf(row["k"])] = ledger.ErrDone
		case state == stateLeased && attr.TextOf(row["o"]) == owner && attr.NumberOf(row["x"]) >= millis(until):
			settled[attr.TextOf(row["k"])] = nil
		}
	}
	refused := make([]error, len(urls))
	err = each(ctx, len(keys), func(ctx context.Context, i int) error {
		k := attr.TextOf(keys[i]["k"])
		why, ok := settled[k]
		if !ok {
			var err error
			if why, err = l.claim(ctx, k, owner, until); err != nil {
				return err
			}
		}
		for _, i := range places[k] {
			refused[i] = why
		}
		return nil
	})
	return refused, err
}

func (l *Ledger) claim(ctx context.Context, key, owner string, until time.Time) (refused, err error) {
	values := l.s.holder(owner)
	values[":until"] = attr.Number(millis(until))
	_, err = l.s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &l.s.opts.Urls, Key: item{"k": attr.Text(key)},
		UpdateExpression:                    ptr("SET s = :leased, o = :owner, x = :until REMOVE b"),
		ConditionExpression:                 ptr(free),
		ExpressionAttributeValues:           values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return refusal(failed.Item), nil
	}
	return nil, err
}
