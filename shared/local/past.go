package local

import (
	"context"
	"encoding/json"
	"fmt"

	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// Past tells how the generations of a crawl found a page, newest first. It has
// nothing to tell of a crawl that was never refreshed.
func (f *Folder) Past(ctx context.Context, raw string) ([]console.Finding, error) {
	u, err := urlnorm.Known(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadURL, err)
	}
	ids := f.set.crawls(f.set.Topic)
	if len(ids) == 1 {
		return nil, nil
	}
	var past []console.Finding
	for i, id := range ids {
		e, err := f.store.Ledger().Entry(ctx, id, u.String())
		if err != nil {
			return nil, fmt.Errorf("look up the past of %s: %w", u, err)
		}
		if e != nil {
			past = append(past, finding(len(ids)-i, e))
		}
	}
	return past, nil
}

func finding(generation int, e *ledger.Entry) console.Finding {
	f := console.Finding{Generation: generation, Verdict: e.Verdict, Rule: e.Rule, Change: e.Change, At: e.At}
	var t step.Trace
	if err := json.Unmarshal(e.Trace, &t); err == nil {
		f.Version = t.Version
	}
	return f
}

// trail returns what the store knows of a URL, and the generation whose word that
// is: the newest that has met the page or is about to, else the newest that let a
// link to it go. Links that wait in an earlier one have passed on to the next.
func (f *Folder) trail(ctx context.Context, url string) (*sqlitestore.Trail, string, error) {
	ids := f.set.crawls(f.set.Topic)
	dropped, by := new(sqlitestore.Trail), ids[0]
	for i, id := range ids {
		t, err := f.store.Explain(ctx, id, url)
		switch {
		case err != nil:
			return nil, "", err
		case t.Entry != nil, i == 0 && t.State != ledger.Absent:
			return t, id, nil
		case dropped.Dropped == nil && t.Dropped != nil:
			dropped, by = t, id
		}
	}
	return dropped, by, nil
}
