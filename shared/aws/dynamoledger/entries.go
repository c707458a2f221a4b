package dynamoledger

import (
	"context"

	"sluice/shared/ledger"
)

// Entries returns the entry of each URL, in order, nil where there is none. It
// costs a read unit for each URL.
func (l *Ledger) Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error) {
	keys, places := keysOf(crawl, urls)
	items, err := l.s.get(ctx, l.s.opts.Urls, keys, "k, e")
	if err != nil {
		return nil, wrap("read entries", err)
	}
	out := make([]*ledger.Entry, len(urls))
	for _, it := range items {
		packed := blob(it, "e")
		if packed == nil {
			continue
		}
		for _, i := range places[text(it, "k")] {
			if out[i], err = l.s.codec.unpackEntry(packed); err != nil {
				return nil, permanent("decode entry of "+urls[i], err)
			}
		}
	}
	return out, nil
}
