package sqlitestore

import (
	"context"
	"fmt"
)

// NextRound ends a round of a reproducible crawl, once nothing is queued or in
// flight: it returns the lowest round that has links waiting on open hosts,
// with ok false where none has, and lets the history of the rounds before it
// be drawn from. It is atomic and may be called again.
func (s *Store) NextRound(ctx context.Context, crawl string) (round int, ok bool, err error) {
	err = s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		round, ok = 0, false
		if err := tx.flush(); err != nil { // rows of depth not yet written
			return err
		}
		_, err := tx.one("SELECT min(round) FROM depth WHERE crawl = ? AND open = 1", func(r row) {
			round, ok = int(r.int(0)), !r.null(0)
		}, id)
		if err != nil {
			return err
		}
		end := int64(maxRounds)
		if ok {
			end = int64(round)
		}
		return tx.publish(id, end)
	})
	if err != nil {
		return 0, false, fmt.Errorf("begin next round: %w", err)
	}
	return round, ok, nil
}
