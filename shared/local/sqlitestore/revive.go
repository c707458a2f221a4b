package sqlitestore

import (
	"context"
	"fmt"

	"sluice/shared/state/ledger"
)

// Revive implements ledger.Reviver: all URLs are revived, or none.
func (l *Ledger) Revive(ctx context.Context, crawl string, urls []string) error {
	return l.revive(ctx, crawl, urls, ledger.Dead)
}

// ReviveRejected is Revive for URLs that ended Rejected.
func (l *Ledger) ReviveRejected(ctx context.Context, crawl string, urls []string) error {
	return l.revive(ctx, crawl, urls, ledger.Rejected)
}

func (l *Ledger) revive(ctx context.Context, crawl string, urls []string, from ledger.Verdict) error {
	err := l.s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		for _, u := range urls {
			if err := tx.revive(id, l.s.key(id, u), u, from); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("revive %d urls: %w", len(urls), err)
	}
	return nil
}

func (tx *tx) revive(crawl int64, k key, url string, from ledger.Verdict) error {
	e, err := entry(tx.conn, k)
	if err != nil || e == nil || e.Verdict != from {
		return err
	}
	if err := tx.uncount(crawl, url, e); err != nil {
		return err
	}
	if _, err := tx.exec("DELETE FROM entries WHERE id = (SELECT entry FROM urls WHERE key = ?)", k[:]); err != nil {
		return err
	}
	_, err = tx.exec("UPDATE urls SET state = 1, entry = NULL WHERE key = ?", k[:])
	return err
}
