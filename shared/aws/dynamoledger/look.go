package dynamoledger

import (
	"context"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
)

// look reads the items of the URLs of todo and returns the links to store:
// those whose URL has no waiting link (Add only), and those that may replace the
// waiting one.
func (b *Backlog) look(ctx context.Context, crawl string, todo []*waiting, how frontier.Manner) ([]*waiting, error) {
	if err := b.readRanks(ctx, b.mayWait(todo)); err != nil {
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
		case how == frontier.Adding && (w.seen == "" || wins):
			out = append(out, w)
		case w.seen != "" && wins == (how != frontier.Adding):
			doubtful = append(doubtful, w)
		}
	}
	if err := b.checkPlaces(ctx, crawl, doubtful); err != nil {
		return nil, err
	}
	for _, w := range doubtful {
		if w.gone == (how == frontier.Adding) {
			out = append(out, w)
		}
	}
	for _, w := range out {
		w.rank = w.order + chain(w.seen)
	}
	return out, nil
}

// mayWait leaves out the links whose URLs this process has just seen to be absent. If
// one was stored meanwhile, its rank cannot be saved, and it is read.
func (b *Backlog) mayWait(todo []*waiting) (rest []*waiting) {
	for _, w := range todo {
		if !b.s.unseen.Forget(w.key) {
			rest = append(rest, w)
		}
	}
	return rest
}

// readRanks reads ranks from the items of the URLs.
func (b *Backlog) readRanks(ctx context.Context, todo []*waiting) error {
	keys := make([]item, len(todo))
	for i, w := range todo {
		keys[i] = item{"k": attr.Text(w.key)}
	}
	rows, err := b.s.get(ctx, b.s.opts.Urls, keys, "k, b")
	if err != nil {
		return err
	}
	ranks := map[string]string{}
	for _, row := range rows {
		k := attr.TextOf(row["k"])
		ranks[k] = attr.TextOf(row["b"])
		b.s.queued.Put(k, struct{}{})
	}
	for _, w := range todo {
		w.seen, w.gone = ranks[w.key], false
	}
	return nil
}

// checkPlaces finds ranks whose links are gone: Remove leaves the rank, to save
// a write.
func (b *Backlog) checkPlaces(ctx context.Context, crawl string, doubtful []*waiting) error {
	keys := make([]item, len(doubtful))
	for i, w := range doubtful {
		keys[i] = w.place(crawl, w.seen)
	}
	found, err := b.s.get(ctx, b.s.opts.Backlog, keys, "p, s")
	if err != nil {
		return err
	}
	there := map[[2]string]bool{}
	for _, it := range found {
		there[[2]string{attr.TextOf(it["p"]), attr.TextOf(it["s"])}] = true
	}
	for i, w := range doubtful {
		w.gone = !there[[2]string{attr.TextOf(keys[i]["p"]), attr.TextOf(keys[i]["s"])}]
	}
	return nil
}
