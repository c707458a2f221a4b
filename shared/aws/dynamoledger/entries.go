package dynamoledger

import (
	"context"

	"sluice/shared/aws/attr"
	"sluice/shared/state/ledger"
)

// Entries returns the entry of each URL, in order, nil if there is none. It
// costs a read unit for each URL.
func (l *Ledger) Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error) {
	return l.s.entries(ctx, crawl, urls, true)
}

// Ends reads entries with eventual consistency, at half the price: an entry
// that was just written may be missing, but entries are final.
type Ends struct{ s *Store }

// Ends returns them.
func (s *Store) Ends() Ends { return Ends{s} }

// Entries returns the entry of each URL, in order, nil if none is visible. It
// costs half a read unit for each URL.
func (e Ends) Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error) {
	return e.s.entries(ctx, crawl, urls, false)
}

func (s *Store) entries(ctx context.Context, crawl string, urls []string, latest bool) ([]*ledger.Entry, error) {
	keys, places := keysOf(crawl, urls)
	items, err := s.getAs(ctx, s.opts.Urls, keys, "k, e", latest)
	if err != nil {
		return nil, wrap("read entries", err)
	}
	out := make([]*ledger.Entry, len(urls))
	for _, it := range items {
		packed := attr.BlobOf(it["e"])
		if packed == nil {
			continue
		}
		for _, i := range places[attr.TextOf(it["k"])] {
			if out[i], err = s.codec.unpackEntry(packed); err != nil {
				return nil, permanent("decode entry of "+urls[i], err)
			}
		}
	}
	return out, nil
}
