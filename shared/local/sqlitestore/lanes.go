package sqlitestore

import (
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
)

// A message is served by (lane, rank, tie, id), all ascending. In exact order
// there is one lane, and rank and tie are those of the best link, negative; with
// lanes they are 0, so that within a lane messages come as they came.

// place returns the lane, rank and tie of a message by its best link.
func (o *Options) place(best rank.Order) (lane int, rank, tie float64) {
	if o.Lanes <= 0 {
		return 0, 0 - best.Priority, 0 - best.Tie
	}
	return frontier.Lane(best.Priority/o.LaneBase, o.Lanes), 0, 0
}

// relane places the messages again after the settings have changed.
func relane(tx *tx, opts Options) error {
	type message struct {
		id   int64
		best rank.Order
	}
	var all []message
	err := tx.query("SELECT id, priority, best_tie FROM messages", func(r row) error {
		all = append(all, message{r.int(0), rank.Order{Priority: r.float(1), Tie: r.float(2)}})
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range all {
		lane, rank, tie := opts.place(m.best)
		if _, err := tx.exec("UPDATE messages SET lane = ?, rank = ?, tie = ? WHERE id = ?", lane, rank, tie, m.id); err != nil {
			return err
		}
	}
	_, err = tx.exec("UPDATE store SET lanes = ?, lane_base = ?", opts.Lanes, opts.LaneBase)
	return err
}
