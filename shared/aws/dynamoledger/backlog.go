package dynamoledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/zeebo/xxh3"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// Backlog implements frontier.Backlog, frontier.Directory and frontier.Raiser.
//
// A link waits as an item of Backlog, and the item of its URL in Urls holds its
// rank. Items are written first, then ranks; replaced items are deleted last.
// So a crash or an error never loses a link, but may leave an item that no rank
// names. Best offers such a twin like any other, but never beside a better link
// of its URL, which is removed with it; at worst it costs a task that
// finds it done.
//
// Add also moves absent URLs to ledger.Queued.
type Backlog struct{ s *Store }

var (
	_ frontier.Backlog   = (*Backlog)(nil)
	_ frontier.Directory = (*Backlog)(nil)
	_ frontier.Raiser    = (*Backlog)(nil)
)

// Backlog returns the waiting links of all crawls in the tables.
func (s *Store) Backlog() *Backlog { return &Backlog{s} }

// waiting is a link to be stored in the backlog.
type waiting struct {
	key   string // of the URL's item
	host  string
	url   string
	order string // start of its rank
	body  []byte

	seen  string // rank in the URL's item, "" for none
	gone  bool   // the link of that rank does not wait
	rank  string // its own
	saved bool   // its rank is in the URL's item
}

func (w *waiting) place(crawl, rank string) item {
	return backlogKey(crawl, w.host, placeOf(rank, w.url))
}

func backlogKey(crawl, host, place string) item {
	return item{"p": attr.Text(backlogPartition(crawl, host)), "s": attr.Text(place)}
}

func backlogPartition(crawl, host string) string { return crawl + "#" + host }

// Add implements frontier.Backlog. A link of a known host costs two write units
// if its URL is new, two and a deletion if it is better than the stored one,
// and otherwise none; and one or two read units.
func (b *Backlog) Add(ctx context.Context, crawl string, links []frontier.Link) error {
	if err := b.put(ctx, crawl, links, frontier.Adding); err != nil {
		return wrap(fmt.Sprintf("add %d links", len(links)), err)
	}
	return nil
}

// Raise implements frontier.Raiser. A link that is no better than the stored
// one costs a read unit.
func (b *Backlog) Raise(ctx context.Context, crawl string, links []frontier.Link) error {
	if err := b.put(ctx, crawl, links, frontier.Raising); err != nil {
		return wrap(fmt.Sprintf("raise %d links", len(links)), err)
	}
	return nil
}

// Reorder implements frontier.Raiser. A link that waits costs two write units and a
// deletion.
func (b *Backlog) Reorder(ctx context.Context, crawl string, links []frontier.Link) error {
	if err := b.put(ctx, crawl, links, frontier.Reordering); err != nil {
		return wrap(fmt.Sprintf("reorder %d links", len(links)), err)
	}
	return nil
}

// put stores links, retrying those whose URL changed meanwhile.
func (b *Backlog) put(ctx context.Context, crawl string, links []frontier.Link, how frontier.Manner) error {
	todo, err := b.encode(crawl, links)
	if err != nil {
		return err
	}
	for try := 0; len(todo) > 0; try++ {
		if try > 2*maxTries {
			return throttled("links change all the time")
		}
		if try > 0 {
			if err := rest(ctx, min(try-1, 3)); err != nil {
				return err
			}
		}
		if todo, err = b.putOnce(ctx, crawl, todo, how); err != nil {
			return err
		}
	}
	return nil
}

// encode prepares links to be stored, only the best one of each URL.
func (b *Backlog) encode(crawl string, links []frontier.Link) ([]*waiting, error) {
	out := make([]*waiting, 0, len(links))
	at := make(map[string]int, len(links))
	for _, l := range links {
		w := &waiting{key: urlKey(crawl, l.URL), host: urlnorm.HostOf(l.URL), url: l.URL}
		if l.Round < 0 || l.Round > maxRounds {
			return nil, permanent(fmt.Sprintf("round %d of link %s", l.Round, w.url), errors.New("round is out of range"))
		}
		l.URL = ""
		body, err := json.Marshal(&l)
		if err != nil {
			return nil, permanent("encode link "+w.url, err)
		}
		w.body = b.s.codec.pack(body)
		w.order = head(l.Round, l.Order()) + " " + l.Parent + " " + hex16(xxh3.Hash(body))
		i, ok := at[w.key]
		switch {
		case !ok:
			at[w.key] = len(out)
			out = append(out, w)
		case w.order < out[i].order:
			out[i] = w
		}
	}
	return out, nil
}

// putOnce returns the links whose URL got another rank meanwhile.
func (b *Backlog) putOnce(ctx context.Context, crawl string, todo []*waiting, how frontier.Manner) ([]*waiting, error) {
	todo, err := b.look(ctx, crawl, todo, how)
	if err != nil || len(todo) == 0 {
		return nil, err
	}
	defer b.s.listing.drop()
	if err := b.s.addHosts(ctx, crawl, todo); err != nil {
		return nil, err
	}
	puts := make([]types.WriteRequest, len(todo))
	for i, w := range todo {
		it := w.place(crawl, w.rank)
		it["l"] = attr.Blob(w.body)
		if len(w.url) > maxURL {
			it["u"] = attr.Text(w.url)
		}
		puts[i] = putting(it)
	}
	if err := b.s.write(ctx, b.s.opts.Backlog, puts); err != nil {
		return nil, err
	}
	err = each(ctx, len(todo), func(ctx context.Context, i int) error { return b.save(ctx, todo[i]) })
	if err != nil {
		return nil, err
	}
	return b.deleteLost(ctx, crawl, todo)
}

// save puts the rank of w into its URL's item, if that is unchanged.
func (b *Backlog) save(ctx context.Context, w *waiting) error {
	values := item{":rank": attr.Text(w.rank), ":queued": attr.Text(stateQueued)}
	condition := "attribute_not_exists(b)"
	if w.seen != "" {
		condition = "b = :seen"
		values[":seen"] = attr.Text(w.seen)
	}
	_, err := b.s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &b.s.opts.Urls, Key: item{"k": attr.Text(w.key)},
		UpdateExpression:                    ptr("SET b = :rank, s = if_not_exists(s, :queued)"),
		ConditionExpression:                 &condition,
		ExpressionAttributeValues:           values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if err != nil && !ok {
		return err
	}
	// The rank may be there already, after a lost answer or from another
	// process that stores the same link.
	w.saved = !ok || attr.TextOf(failed.Item["b"]) == w.rank
	b.s.queued.Put(w.key, struct{}{})
	return nil
}

// deleteLost deletes replaced links and the links of todo whose rank could not
// be saved. It returns these.
func (b *Backlog) deleteLost(ctx context.Context, crawl string, todo []*waiting) (lost []*waiting, err error) {
	var deletions []types.WriteRequest
	for _, w := range todo {
		switch {
		case !w.saved:
			deletions = append(deletions, deletion(w.place(crawl, w.rank)))
			lost = append(lost, w)
		case w.seen != "" && !w.gone:
			deletions = append(deletions, deletion(w.place(crawl, w.seen)))
			b.s.places.Change(w.key, func([]string) []string { return []string{placeOf(w.rank, w.url)} })
		}
	}
	return lost, b.s.write(ctx, b.s.opts.Backlog, deletions)
}
