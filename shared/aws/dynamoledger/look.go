package dynamoledger

import (
	"context"
	"slices"
	"strings"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
)

// look reads the items of the URLs of todo and returns the links to store:
// those whose URL has no waiting link (Add only), and those that may replace the
// waiting one.
func (b *Backlog) look(ctx context.Context, crawl string, todo []*waiting, how frontier.Manner) ([]*waiting, error) {
	rest := todo
	if how != frontier.Reordering { // which follows no look
		rest = b.unknown(todo)
	}
	if err := b.readRanks(ctx, rest); err != nil {
		return nil, err
	}
	var out, doubtful []*waiting
	for _, w := range todo {
		old := orderOf(w.seen)
		wins := w.order < old
		if how == frontier.Reordering {
			wins = w.order != old && parentOf(w.order) == parentOf(old)
		}
		switch {
		case how == frontier.Adding && (w.seen == "" || wins), how == moving:
			out = append(out, w)
		case w.seen != "" && wins == (how != frontier.Adding):
			doubtful = append(doubtful, w)
		}
	}
	err := b.checkPlaces(ctx, crawl, doubtful)
	if err != nil {
		return nil, err
	}
	var moved []*waiting
	for _, w := range doubtful {
		switch {
		case w.gone == (how == frontier.Adding):
			out = append(out, w)
		case w.gone && w.looked:
			moved = append(moved, w) // since then, perhaps
		}
	}
	for _, w := range out {
		w.rank = w.order + chain(w.seen)
	}
	if len(moved) > 0 {
		if moved, err = b.look(ctx, crawl, moved, how); err != nil {
			return nil, err
		}
	}
	return append(out, moved...), nil
}

// ranked is what the item of a URL says about the backlog: the rank of its link and
// where that is, both "" for none.
type ranked struct{ rank, spot string }

func (r ranked) of(w *waiting) {
	w.seen, w.was, w.gone = r.rank, spotOf(r.spot, r.rank, w.url), false
}

// unknown returns the links whose URLs this process has not just looked up. If one has
// changed since, its rank cannot be saved, and it is read.
func (b *Backlog) unknown(todo []*waiting) (rest []*waiting) {
	for _, w := range todo {
		r, ok := b.s.looked.Get(w.key)
		if w.looked = ok; !ok {
			rest = append(rest, w)
			continue
		}
		b.s.looked.Forget(w.key)
		r.of(w)
	}
	return rest
}

// readRanks reads ranks from the items of the URLs.
func (b *Backlog) readRanks(ctx context.Context, todo []*waiting) error {
	keys := make([]item, len(todo))
	for i, w := range todo {
		keys[i] = item{"k": attr.Text(w.key)}
	}
	rows, err := b.s.get(ctx, b.s.opts.Urls, keys, "k, b, w")
	if err != nil {
		return err
	}
	found := map[string]ranked{}
	for _, row := range rows {
		k := attr.TextOf(row["k"])
		found[k] = rankedOf(row)
		b.s.queued.Put(k, struct{}{})
	}
	for _, w := range todo {
		found[w.key].of(w)
	}
	return nil
}

func rankedOf(row item) ranked { return ranked{attr.TextOf(row["b"]), attr.TextOf(row["w"])} }

// checkPlaces finds ranks whose links are gone: Remove leaves the rank, to save
// a write.
func (b *Backlog) checkPlaces(ctx context.Context, crawl string, doubtful []*waiting) error {
	var keys []item
	packs := map[[2]string][]int{} // what is gone; nil: all
	for _, w := range doubtful {
		key := backlogKey(crawl, w.host, w.was.place)
		id := [2]string{w.host, w.was.place}
		if _, asked := packs[id]; !asked {
			keys = append(keys, key)
		}
		packs[id] = nil
	}
	found, err := b.s.get(ctx, b.s.opts.Backlog, keys, "p, s, g")
	if err != nil {
		return err
	}
	for _, it := range found {
		host := strings.TrimPrefix(attr.TextOf(it["p"]), backlogPartition(crawl, ""))
		packs[[2]string{host, attr.TextOf(it["s"])}] = append([]int{}, goneOf(it)...)
	}
	var moved []*waiting
	for _, w := range doubtful {
		gone := packs[[2]string{w.host, w.was.place}]
		w.gone = gone == nil || slices.Contains(gone, w.was.index)
		at, _ := b.s.spots.Get(w.key)
		if n := len(at); gone == nil && n > 0 && at[n-1].place != w.was.place {
			w.was = at[n-1] // see moveTails
			moved = append(moved, w)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	return b.checkPlaces(ctx, crawl, moved)
}
