package dynamoledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/zeebo/xxh3"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// Backlog implements frontier.Backlog, frontier.Directory and frontier.Raiser.
//
// Links wait in packs, items of Backlog, and the item of a URL in Urls holds its
// rank and its spot. Packs are written first, then ranks; replaced links are taken out
// last. So a crash or an error never loses a link, but may leave one in a pack that
// no rank names. Best offers such a twin like any other, but never beside a better link
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
	link  frontier.Link
	order string // start of its rank

	seen   string // rank in the URL's item, "" for none
	was    spot   // of that rank
	looked bool   // that was read before
	gone   bool   // the link of that rank does not wait
	rank   string // its own
	at     spot
	saved  bool // its rank is in the URL's item
}

func backlogKey(crawl, host, place string) item {
	return item{"p": attr.Text(backlogPartition(crawl, host)), "s": attr.Text(place)}
}

func backlogPartition(crawl, host string) string { return crawl + "#" + host }

// Add implements frontier.Backlog. A link of a known host costs a write unit and a share
// of one if its URL is new, up to one more if it is better than the stored one, and
// otherwise none; and up to two read units.
func (b *Backlog) Add(ctx context.Context, crawl string, links []frontier.Link) error {
	if err := b.put(ctx, crawl, links, frontier.Adding); err != nil {
		return wrap(fmt.Sprintf("add %d links", len(links)), err)
	}
	return nil
}

// Raise implements frontier.Raiser. A link that is no better than the stored
// one costs a read unit, unless its state was just looked up.
func (b *Backlog) Raise(ctx context.Context, crawl string, links []frontier.Link) error {
	if err := b.put(ctx, crawl, links, frontier.Raising); err != nil {
		return wrap(fmt.Sprintf("raise %d links", len(links)), err)
	}
	return nil
}

// Reorder implements frontier.Raiser. A link that waits costs a write unit and shares of
// two.
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
		w := &waiting{key: urlKey(crawl, l.URL), host: urlnorm.HostOf(l.URL), url: l.URL, link: l}
		if l.Round < 0 || l.Round > maxRounds {
			return nil, permanent(fmt.Sprintf("round %d of link %s", l.Round, w.url), errors.New("round is out of range"))
		}
		l.URL = ""
		body, err := json.Marshal(&l)
		if err != nil {
			return nil, permanent("encode link "+w.url, err)
		}
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
	puts, err := b.packUp(crawl, todo)
	if err != nil {
		return nil, err
	}
	if err := b.s.write(ctx, b.s.opts.Backlog, puts); err != nil {
		return nil, err
	}
	err = each(ctx, len(todo), func(ctx context.Context, i int) error { return b.save(ctx, todo[i]) })
	if err != nil {
		return nil, err
	}
	return b.takeLost(ctx, crawl, todo)
}

// save puts the rank of w and its spot into its URL's item, if that is unchanged.
func (b *Backlog) save(ctx context.Context, w *waiting) error {
	values := item{":rank": attr.Text(w.rank), ":spot": attr.Text(w.at.String()), ":queued": attr.Text(stateQueued)}
	condition := "attribute_not_exists(b)"
	if w.seen != "" {
		condition = "b = :seen"
		values[":seen"] = attr.Text(w.seen)
	}
	_, err := b.s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &b.s.opts.Urls, Key: item{"k": attr.Text(w.key)},
		UpdateExpression:                    ptr("SET b = :rank, w = :spot, s = if_not_exists(s, :queued)"),
		ConditionExpression:                 &condition,
		ExpressionAttributeValues:           values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if err != nil && !ok {
		return err
	}
	// The spot may be there already, after a lost answer.
	w.saved = !ok || attr.TextOf(failed.Item["w"]) == w.at.String()
	b.s.queued.Put(w.key, struct{}{})
	return nil
}

// takeLost takes replaced links out of their packs, and the links of todo whose rank
// could not be saved. It returns these.
func (b *Backlog) takeLost(ctx context.Context, crawl string, todo []*waiting) (lost []*waiting, err error) {
	var out []leaving
	for _, w := range todo {
		switch {
		case !w.saved:
			out = append(out, leaving{w.host, w.at})
			lost = append(lost, w)
		case w.seen != "" && !w.gone:
			out = append(out, leaving{w.host, w.was})
			b.s.spots.Change(w.key, func([]spot) []spot { return []spot{w.at} })
		}
	}
	return lost, b.take(ctx, crawl, out)
}

// leaving is a link that leaves the backlog.
type leaving struct {
	host string
	spot
}

// take takes links out of their packs: a write unit for each pack.
func (b *Backlog) take(ctx context.Context, crawl string, out []leaving) error {
	type left struct {
		leaving
		all map[int]bool // gone
		now []int
	}
	byPlace := map[[2]string]*left{}
	for _, l := range out {
		k := [2]string{l.host, l.place}
		p := byPlace[k]
		if p == nil {
			p = &left{leaving: l, all: map[int]bool{}}
			byPlace[k] = p
		}
		for _, i := range l.gone {
			p.all[i] = true
		}
		if !slices.Contains(p.now, l.index) {
			p.now = append(p.now, l.index)
		}
		p.all[l.index] = true
	}
	packs := slices.Collect(maps.Values(byPlace))
	err := each(ctx, len(packs), func(ctx context.Context, i int) error {
		p := packs[i]
		if len(p.all) >= p.size {
			return nil
		}
		gone, err := b.mark(ctx, backlogKey(crawl, p.host, p.place), p.now)
		for _, i := range gone {
			p.all[i] = true
		}
		return err
	})
	if err != nil {
		return err
	}
	var deletions []types.WriteRequest
	for _, p := range packs {
		if len(p.all) >= p.size {
			deletions = append(deletions, deletion(backlogKey(crawl, p.host, p.place)))
		}
	}
	return b.s.write(ctx, b.s.opts.Backlog, deletions)
}

// mark marks links of a pack as gone, and returns all that are. A pack that is not there
// any more has no links.
func (b *Backlog) mark(ctx context.Context, key item, indexes []int) (gone []int, err error) {
	out, err := b.s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &b.s.opts.Backlog, Key: key,
		UpdateExpression: ptr("ADD g :gone"), ConditionExpression: ptr("attribute_exists(l)"),
		ExpressionAttributeValues: item{":gone": marksOf(indexes)},
		ReturnValues:              types.ReturnValueUpdatedNew,
	})
	if _, deleted := errors.AsType[*types.ConditionalCheckFailedException](err); deleted {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return goneOf(out.Attributes), nil
}
