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

	"sluice/shared/aws/attr"
	"sluice/shared/state/ledger"
)

// maxEnds is how many ends share a journal. It keeps the journal below the 1 KB
// of one write unit.
const maxEnds = 40

// ending is an end to be written.
type ending struct {
	ledger.End
	key      string
	body     []byte
	journals []string // that list it: one, and one more for each time it is tried again
	refused  error    // the result
}

// Complete implements ledger.Ledger: a write for each URL, in batches of up to
// 40 under a journal, which makes the totals exact. Concurrent calls share
// batches. A page of up to 1 KB costs a write unit, one more if relevant; a
// batch costs six more.
func (l *Ledger) Complete(ctx context.Context, crawl string, ends []ledger.End) ([]error, error) {
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
		first[k] = &ending{End: end, key: k, body: body}
		all = append(all, first[k])
	}
	if err := l.s.commits.add(ctx, crawl, all, l.completeAll); err != nil {
		return nil, wrap(fmt.Sprintf("complete %d urls", len(ends)), err)
	}
	refused := make([]error, len(ends))
	for i, end := range ends {
		e := first[urlKey(crawl, end.URL)]
		if refused[i] = e.refused; e.refused == nil {
			e.refused = ledger.ErrDone // the same URL again
		}
	}
	return refused, nil
}

// completeAll writes ends in as many batches as they need.
func (l *Ledger) completeAll(ctx context.Context, crawl string, ends []*ending) error {
	for batch := range slices.Chunk(ends, maxEnds) {
		if err := l.complete(ctx, crawl, batch); err != nil {
			return err
		}
	}
	return nil
}

// complete writes a batch of ends. If it fails the journal remains: this
// process does not know which ends were written, but every reader of the totals
// finds out.
func (l *Ledger) complete(ctx context.Context, crawl string, ends []*ending) error {
	ctx, cancel := context.WithTimeout(ctx, writingTime)
	defer cancel()
	j, err := l.s.openJournal(ctx, crawl, ends)
	if err != nil {
		return err
	}
	written := make([]bool, len(ends))
	err = each(ctx, len(ends), func(ctx context.Context, i int) (err error) {
		written[i], err = l.end(ctx, j, ends[i])
		return err
	})
	if err != nil {
		return err
	}
	added := sums{}
	for i, e := range ends {
		if written[i] {
			added.add(e.Entry)
		}
	}
	return l.s.apply(ctx, j, added)
}

// end writes the end of a URL without the totals, and reports whether it was
// written under this journal. It may have been written under another, unsettled
// journal by an earlier attempt: that is not a refusal, but counts there.
func (l *Ledger) end(ctx context.Context, j journal, e *ending) (written bool, err error) {
	set, values := l.s.remembering(j.crawl, e.URL, e.Entry)
	values[":done"], values[":entry"], values[":journal"] = attr.Text(stateDone), attr.Blob(e.body), attr.Text(j.id)
	_, err = l.s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &l.s.opts.Urls, Key: item{"k": attr.Text(e.key)},
		UpdateExpression:                    ptr("SET s = :done, e = :entry, j = :journal" + set + " REMOVE o, x, b, w"),
		ConditionExpression:                 ptr("attribute_not_exists(s) OR s <> :done"),
		ExpressionAttributeValues:           values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		if err == nil && set != "" && e.Entry.Round == 0 {
			l.s.pools.Change(j.crawl, func(urls []string) []string { return append(urls, e.URL) })
		}
		return err == nil, err
	}
	by := attr.TextOf(failed.Item["j"])
	if !slices.Contains(e.journals, by) {
		e.refused = ledger.ErrDone
	}
	return by == j.id, nil
}

// remembering puts an end into the history: more of an update's SET, and its values. It is
// nothing for a page that is not relevant, or beyond the part that the index has.
func (s *Store) remembering(crawl, url string, e *ledger.Entry) (set string, values item) {
	at := onCircle(url)
	if !e.Relevant || at > s.bound(crawl, e.Round) {
		return "", item{}
	}
	return ", hc = :crawl, hk = :draw, u = :url, r = :round", item{
		":crawl": attr.Text(crawl), ":draw": attr.Text(hex16(at)), ":url": attr.Text(url), ":round": attr.Number(int64(e.Round)),
	}
}

// totalShards is how many items the totals of a crawl are spread over, since
// transactions on the same item collide.
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
		names["#"+n], values[":"+n] = name, attr.Number(s[name])
	}
	return &types.Update{
		TableName: &table, Key: item{"p": attr.Text(totalsPartition(crawl)), "s": attr.Text(shard)},
		UpdateExpression: &expr, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
