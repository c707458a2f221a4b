package records

import (
	"cmp"
	"context"

	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/structure"
	"sluice/shared/web/urlnorm"
)

// Linked counts the pages of a crawl that records of its lists lead to, and that were not
// fetched: the budget was spent, say, or robots.txt forbids it.
type Linked struct {
	Scope   *urlnorm.Scope
	Entries func(ctx context.Context, urls []string) ([]*ledger.Entry, error)

	Missing int
	Example string // one of them

	waiting []string
}

// LookUp is how many pages are looked up in the ledger at a time.
const LookUp = 500

// Add takes notice of a record.
func (l *Linked) Add(ctx context.Context, i *corpus.Item) error {
	u, err := urlnorm.Parse(i.URL)
	if err != nil || i.Layer != structure.ListLayer || !l.Scope.Contains(u) {
		return nil //nolint:nilerr // it leads nowhere
	}
	if l.waiting = append(l.waiting, i.URL); len(l.waiting) < LookUp {
		return nil
	}
	return l.End(ctx)
}

// End looks up the last pages.
func (l *Linked) End(ctx context.Context) error {
	entries, err := l.Entries(ctx, l.waiting)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if e == nil || e.Verdict == ledger.Skipped {
			l.Missing++
			l.Example = cmp.Or(l.Example, l.waiting[i])
		}
	}
	l.waiting = l.waiting[:0]
	return nil
}
