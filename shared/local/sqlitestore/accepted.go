package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"

	"sluice/shared/state/ledger"
)

// Accept notes that a page that was passed over, or refused later, is in the
// corpus after all, and by which rule. It may be repeated.
func (s *Store) Accept(ctx context.Context, crawl, url, rule string, change ledger.Change) error {
	err := s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		if _, err := tx.exec("DELETE FROM refused WHERE crawl = ? AND url = ?", id, url); err != nil {
			return err
		}
		return tx.accept(id, s.key(id, url), url, rule, change)
	})
	if err != nil {
		return fmt.Errorf("accept %s: %w", url, err)
	}
	return nil
}

func (tx *tx) accept(crawl int64, k key, url, rule string, change ledger.Change) error {
	e, err := entry(tx.conn, k)
	if err != nil || e == nil || e.Verdict != ledger.Passed {
		return err
	}
	tx.countEntry(crawl, e, -1)
	e.Verdict, e.Rule, e.Change, e.Relevant, e.Trace = ledger.Kept, rule, change, true, nil
	tx.countEntry(crawl, e, 1)
	body, err := json.Marshal(e)
	if err != nil {
		return permanent("encode entry", err)
	}
	if _, err := tx.exec("UPDATE entries SET body = ? WHERE id = (SELECT entry FROM urls WHERE key = ?)", body, k[:]); err != nil {
		return err
	}
	return tx.remember(crawl, e.Round, url)
}
