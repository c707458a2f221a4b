package dynamoledger

import (
	"context"
	"errors"
	"fmt"

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

// The states of an item of Urls, attribute s. Earlier versions leased URLs: their
// items have "l", and an owner and an end in o and x. They count as queued.
const (
	stateQueued = "q"
	stateDone   = "d"
)

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

// States implements ledger.Ledger. It costs half a read unit for each URL.
func (l *Ledger) States(ctx context.Context, crawl string, urls []string) ([]ledger.State, error) {
	keys, places := keysOf(crawl, urls)
	items, err := l.s.getAs(ctx, l.s.opts.Urls, keys, "k, s, b, w", false)
	if err != nil {
		return nil, wrap("read states", err)
	}
	out := make([]ledger.State, len(urls))
	for _, it := range items {
		st := stateOf(it)
		k := attr.TextOf(it["k"])
		l.s.looked.Put(k, rankedOf(it))
		for _, i := range places[k] {
			out[i] = st
		}
		delete(places, k)
	}
	for k := range places {
		l.s.looked.Put(k, ranked{})
	}
	return out, nil
}

// Ended implements ledger.Ledger. It costs a read unit for each URL.
func (l *Ledger) Ended(ctx context.Context, crawl string, urls []string) (map[string]bool, error) {
	keys, places := keysOf(crawl, urls)
	items, err := l.s.get(ctx, l.s.opts.Urls, keys, "k, s")
	if err != nil {
		return nil, wrap("read states", err)
	}
	ended := map[string]bool{}
	for _, it := range items {
		if stateOf(it) == ledger.Done {
			ended[urls[places[attr.TextOf(it["k"])][0]]] = true
		}
	}
	return ended, nil
}

func stateOf(it item) ledger.State {
	switch attr.TextOf(it["s"]) {
	case stateDone:
		return ledger.Done
	case "":
		return ledger.Absent
	}
	return ledger.Queued
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
