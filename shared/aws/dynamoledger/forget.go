package dynamoledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// Forget marks the entries of URLs as forgotten, and removes the URLs from the
// history and their counts from the totals, in transactions of up to 40 URLs.
// It deletes the items of URLs without an entry; the caller must remove their
// links soon after with Backlog.Forget. It returns how many entries were
// replaced, and may be repeated. The crawl must not be running; an end that is
// not in the totals yet is an error. The cost and that error are those of
// Revive.
func (l *Ledger) Forget(ctx context.Context, crawl string, urls []string, at time.Time) (int, error) {
	ends, bare, err := l.ended(ctx, crawl, urls)
	if err != nil {
		return 0, wrap("read entries", err)
	}
	if err := l.s.applyAll(ctx, crawl, ends); err != nil {
		return 0, wrap("settle totals", err)
	}
	burial := func(ends []*ending) *dynamodb.TransactWriteItemsInput { return l.burial(crawl, ends, at) }
	for left := ends; len(left) > 0; {
		size := transactionSize(left)
		if err := l.takeBack(ctx, left[:size], burial); err != nil {
			return 0, wrap(fmt.Sprintf("forget %d urls", len(urls)), err)
		}
		left = left[size:]
	}
	deletions := make([]types.WriteRequest, len(bare))
	for i, key := range bare {
		deletions[i] = deletion(item{"k": attr.Text(key)})
		l.s.queued.Forget(key)
	}
	if err := l.s.write(ctx, l.s.opts.Urls, deletions); err != nil {
		return 0, wrap(fmt.Sprintf("forget %d urls", len(urls)), err)
	}
	return len(ends), nil
}

// ended returns the stored ends of URLs without forgotten ones, and the keys of
// items that have none.
func (l *Ledger) ended(ctx context.Context, crawl string, urls []string) (ends []*ending, bare []string, err error) {
	keys, places := keysOf(crawl, urls)
	items, err := l.s.get(ctx, l.s.opts.Urls, keys, "k, e, j")
	if err != nil {
		return nil, nil, err
	}
	for _, it := range items {
		key, packed := attr.TextOf(it["k"]), attr.BlobOf(it["e"])
		if packed == nil {
			bare = append(bare, key)
			continue
		}
		url := urls[places[key][0]]
		e, err := l.s.codec.unpackEntry(packed)
		if err != nil {
			return nil, nil, permanent("decode entry of "+url, err)
		}
		if e.Verdict != ledger.Forgotten {
			ends = append(ends, &ending{End: ledger.End{URL: url, Entry: e}, key: key, body: packed, journals: []string{attr.TextOf(it["j"])}})
		}
	}
	return ends, bare, nil
}

// burial is the transaction that forgets ends.
func (l *Ledger) burial(crawl string, ends []*ending, at time.Time) *dynamodb.TransactWriteItemsInput {
	before, after := sums{}, sums{}
	var items []types.TransactWriteItem
	for _, e := range ends {
		buried := e.Entry.Forget(at)
		body, _ := l.s.codec.packEntry(buried) // a verdict and a time always encode
		before.add(e.Entry)
		after.add(buried)
		items = append(items, types.TransactWriteItem{Update: &types.Update{
			TableName: &l.s.opts.Urls, Key: item{"k": attr.Text(e.key)},
			UpdateExpression:          ptr("SET e = :buried REMOVE hc, hk, u, r, j, b, w, o, x"),
			ConditionExpression:       ptr("e = :entry"),
			ExpressionAttributeValues: item{":buried": attr.Blob(body), ":entry": attr.Blob(e.body)},

			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureNone,
		}})
	}
	for name, n := range before {
		after[name] -= n
	}
	items = append(items, types.TransactWriteItem{Update: after.update(l.s.opts.Crawls, crawl)})
	return &dynamodb.TransactWriteItemsInput{TransactItems: items, ClientRequestToken: ptr(uuid.NewString())}
}

// EditTraces applies edit to the traces of URLs that have an entry, and stores
// those that edit changes. It skips an entry that changes meanwhile.
func (l *Ledger) EditTraces(ctx context.Context, crawl string, urls []string, edit func(trace []byte) ([]byte, bool)) error {
	ends, _, err := l.ended(ctx, crawl, urls)
	if err != nil {
		return wrap("read entries", err)
	}
	err = each(ctx, len(ends), func(ctx context.Context, i int) error {
		e := *ends[i].Entry
		trace, changed := edit(e.Trace)
		if !changed {
			return nil
		}
		e.Trace = trace
		body, err := l.s.codec.packEntry(&e)
		if err != nil {
			return err
		}
		_, err = l.s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &l.s.opts.Urls, Key: item{"k": attr.Text(ends[i].key)},
			UpdateExpression: ptr("SET e = :new"), ConditionExpression: ptr("e = :entry"),
			ExpressionAttributeValues: item{":new": attr.Blob(body), ":entry": attr.Blob(ends[i].body)},
		})
		if _, changed := errors.AsType[*types.ConditionalCheckFailedException](err); changed {
			return nil
		}
		return err
	})
	if err != nil {
		return wrap(fmt.Sprintf("edit traces of %d urls", len(urls)), err)
	}
	return nil
}

// Waits returns all links of a host that are in the backlog, whether it is closed or not;
// also those that are gone of a pack that has others.
func (b *Backlog) Waits(ctx context.Context, crawl, host string) ([]string, error) {
	var urls []string
	err := b.packs(ctx, crawl, host, func(p *pack) {
		for _, l := range p.links {
			urls = append(urls, l.URL)
		}
	})
	if err != nil {
		return nil, wrap("list links of "+host, err)
	}
	return urls, nil
}

// packs visits the packs of a host.
func (b *Backlog) packs(ctx context.Context, crawl, host string, visit func(p *pack)) error {
	var bad error
	err := b.s.query(ctx, b.waitingIn(crawl, host, roundKey(0), maxRounds), 0, func(it item) bool {
		var p *pack
		if p, bad = b.s.codec.readPack(it); bad == nil {
			visit(p)
		}
		return bad == nil
	})
	return errors.Join(err, bad)
}

// moving is the manner of links that move to another pack.
const moving = frontier.Manner(-1)

// Forget removes links of a host from the backlog. The others of their packs move to
// new ones.
func (b *Backlog) Forget(ctx context.Context, crawl, host string, urls []string) error {
	goes := map[string]bool{}
	for _, u := range urls {
		goes[u] = true
	}
	var deletions []types.WriteRequest
	var stay []frontier.Link
	err := b.packs(ctx, crawl, host, func(p *pack) {
		if !slices.ContainsFunc(p.links, func(l frontier.Link) bool { return goes[l.URL] }) {
			return
		}
		deletions = append(deletions, deletion(backlogKey(crawl, host, p.place)))
		p.each(func(l frontier.Link, _ spot) {
			if !goes[l.URL] {
				stay = append(stay, l)
			}
		})
	})
	b.s.listing.drop()
	if err == nil {
		err = b.put(ctx, crawl, stay, moving)
	}
	if err == nil {
		err = b.s.write(ctx, b.s.opts.Backlog, deletions)
	}
	if err != nil {
		return wrap("forget links of "+host, err)
	}
	return nil
}

// ForgetHosts removes the rows of hosts, which must have no waiting links.
func (b *Backlog) ForgetHosts(ctx context.Context, crawl string, hosts []string) error {
	var deletions []types.WriteRequest
	for _, host := range slices.Compact(slices.Sorted(slices.Values(hosts))) {
		deletions = append(deletions, deletion(hostKey(crawl, host)))
		b.s.hosts.Forget(crawl + "#" + host)
	}
	if err := b.s.write(ctx, b.s.opts.Hosts, deletions); err != nil {
		return wrap(fmt.Sprintf("forget %d hosts", len(hosts)), err)
	}
	return nil
}
