package sqlitestore

import "sluice/shared/state/frontier"

// A message is served by (lane, rank, id), all ascending. In exact order there
// is one lane and the rank is the negative priority; with lanes the rank is 0,
// so that within a lane messages come as they came.

// place returns the lane and rank of a priority.
func (o *Options) place(priority float64) (lane int, rank float64) {
	if o.Lanes <= 0 {
		return 0, 0 - priority
	}
	return frontier.Lane(priority/o.LaneBase, o.Lanes), 0
}

// relane places the messages anew after the settings have changed.
func relane(tx *tx, opts Options) error {
	type message struct {
		id       int64
		priority float64
	}
	var all []message
	err := tx.query("SELECT id, priority FROM messages", func(r row) error {
		all = append(all, message{r.int(0), r.float(1)})
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range all {
		lane, rank := opts.place(m.priority)
		if _, err := tx.exec("UPDATE messages SET lane = ?, rank = ? WHERE id = ?", lane, rank, m.id); err != nil {
			return err
		}
	}
	_, err = tx.exec("UPDATE store SET lanes = ?, lane_base = ?", opts.Lanes, opts.LaneBase)
	return err
}
