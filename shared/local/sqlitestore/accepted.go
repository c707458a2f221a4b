package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"

	"sluice/shared/state/ledger"
)

var _ ledger.Accepter = (*Store)(nil)

// Accept implements ledger.Accepter. Of pages that Refuse has noted it takes that back.
func (s *Store) Accept(ctx context.Context, crawl, rule string, pages []ledger.Accepted) error {
	err := s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		for _, p := range pages {
			if _, err := tx.exec("DELETE FROM refused WHERE crawl = ? AND url = ?", id, p.URL); err != nil {
				return err
			}
			if err := tx.accept(id, s.key(id, p.URL), rule, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("accept %d pages: %w", len(pages), err)
	}
	return nil
}

func (tx *tx) accept(crawl int64, k key, rule string, p ledger.Accepted) error {
	e, err := entry(tx.conn, k)
	if err != nil || e == nil || e.Verdict != ledger.Passed {
		return err
	}
	tx.countEntry(crawl, e, -1)
	e.Accept(rule, p.Change)
	tx.countEntry(crawl, e, 1)
	e.Trace = nil // stored unchanged, in a separate column
	body, err := json.Marshal(e)
	if err != nil {
		return permanent("encode entry", err)
	}
	if _, err := tx.exec("UPDATE entries SET body = ? WHERE id = (SELECT entry FROM urls WHERE key = ?)", body, k[:]); err != nil {
		return err
	}
	return tx.remember(crawl, e.Round, p.URL)
}
