package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"sluice/shared/state/forget"
	"sluice/shared/state/ledger"
)

// Forgetting says what a store is to forget.
type Forgetting struct {
	Set    *forget.Set // counts what goes
	At     time.Time
	DryRun bool // count only
}

// chunkRows is how many rows are looked at before those that match are changed.
const chunkRows = 1000

// compactKey is set while pages of the file may hold what was deleted.
const compactKey = "compact"

// Forget removes what f selects from the ledger, the history, the frontier and
// the knowledge about hosts, in all crawls of the store, in one transaction. It
// replaces a forgotten entry by one that says so and counts in no sum. The
// store must not be in use. Deleted data is in the file until Compact.
func (s *Store) Forget(ctx context.Context, f *Forgetting) error {
	run := func(c *conn, tx *tx) error {
		e := &forgetter{Forgetting: f, s: s, c: c, tx: tx, crawls: map[int64]string{}}
		return e.run()
	}
	var err error
	if f.DryRun {
		err = s.read(ctx, func(c *conn) error { return run(c, nil) })
	} else {
		err = s.write(ctx, func(tx *tx) error { return run(tx.conn, tx) })
	}
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	return nil
}

// forgetter is one call of Forget.
type forgetter struct {
	*Forgetting
	s      *Store
	c      *conn
	tx     *tx // nil for a dry run
	crawls map[int64]string
}

func (f *forgetter) run() error {
	err := f.c.query("SELECT id, name FROM crawls", func(r row) error {
		f.crawls[r.int(0)] = r.text(1)
		return nil
	})
	for _, step := range []func() error{
		f.entries, f.history, f.dropped, f.backlog, f.messages, f.dead, f.hosts, f.rest,
	} {
		if err == nil {
			err = step()
		}
	}
	return err
}

// exec changes something, unless nothing is to be changed.
func (f *forgetter) exec(sql string, args ...any) error {
	if f.tx == nil {
		return nil
	}
	_, err := f.tx.exec(sql, args...)
	return err
}

// entries replaces the entries of forgotten pages by ones that say so.
func (f *forgetter) entries() error {
	for last := int64(0); ; {
		type entryRow struct {
			id          int64
			body, trace []byte
		}
		var rows []entryRow
		err := f.c.query("SELECT id, body, trace FROM entries WHERE id > ? ORDER BY id LIMIT ?", func(r row) error {
			last = r.int(0)
			rows = append(rows, entryRow{last, r.bytes(1), r.bytes(2)})
			return nil
		}, last, chunkRows)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			url := forget.TraceURL(r.trace)
			switch {
			case url == "":
			case f.Set.Has(url):
				err = f.bury(r.id, url, r.body)
			default:
				if trace, changed := f.Set.Trace(r.trace); changed {
					err = f.exec("UPDATE entries SET trace = ? WHERE id = ?", trace, r.id)
				}
			}
			if err != nil {
				return err
			}
		}
	}
}

// bury replaces an entry and moves it in the totals.
func (f *forgetter) bury(id int64, url string, body []byte) error {
	f.Set.Count(url).Entries++
	if f.tx == nil {
		return nil
	}
	old := new(ledger.Entry)
	if err := json.Unmarshal(body, old); err != nil {
		return permanent("decode entry of "+url, err)
	}
	buried := old.Forget(f.At)
	body, err := json.Marshal(buried)
	if err != nil {
		return permanent("encode entry of "+url, err)
	}
	for crawl := range f.crawls {
		k := f.s.key(crawl, url)
		found, err := f.c.one("SELECT 1 FROM urls WHERE key = ? AND entry = ?", func(row) {}, k[:], id)
		if found && err == nil {
			err = f.tx.uncount(crawl, url, old)
			f.tx.countEntry(crawl, buried, 1)
		}
		if err != nil {
			return err
		}
	}
	return f.exec("UPDATE entries SET body = ?, trace = NULL WHERE id = ?", body, id)
}

// history takes URLs out of the runs that Sample draws from. The last one of a
// run takes the place of one that goes: a run has no gaps.
func (f *forgetter) history() error {
	var gone []int64
	err := f.c.query("SELECT id, url FROM history", func(r row) error {
		if f.Set.Has(r.text(1)) {
			gone = append(gone, r.int(0))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := len(gone) - 1; i >= 0; i-- { // from the end: the rows that move up are kept
		if err := f.leave(gone[i]); err != nil {
			return err
		}
	}
	type staged struct {
		crawl, round int64
		url          string
	}
	var waiting []staged
	err = f.c.query("SELECT crawl, round, url FROM staged", func(r row) error {
		if f.Set.Has(r.text(2)) {
			waiting = append(waiting, staged{r.int(0), r.int(1), r.text(2)})
		}
		return nil
	})
	for _, st := range waiting {
		if err == nil {
			err = f.exec("DELETE FROM staged WHERE crawl = ? AND round = ? AND url = ?", st.crawl, st.round, st.url)
		}
	}
	return err
}

// leave takes the place of one URL out of its run.
func (f *forgetter) leave(id int64) error {
	if f.tx == nil {
		return nil
	}
	run := id >> positionBits
	crawl, round := run/maxRounds, run%maxRounds
	var size int64
	_, err := f.tx.one("UPDATE runs SET size = size - 1 WHERE crawl = ? AND round = ? RETURNING size",
		func(r row) { size = r.int(0) }, crawl, round)
	if err != nil {
		return err
	}
	last := historyID(crawl, round, size+1)
	if last != id {
		if err := f.exec("UPDATE history SET url = (SELECT url FROM history WHERE id = ?) WHERE id = ?", last, id); err != nil {
			return err
		}
	}
	return f.exec("DELETE FROM history WHERE id = ?", last)
}

// rest forgets rows of URLs that have neither an entry nor a link, and notes
// that the file needs compacting.
func (f *forgetter) rest() error {
	if f.tx == nil {
		return nil
	}
	if err := f.remove("SELECT DISTINCT url FROM refused", "DELETE FROM refused WHERE url = ?", f.Set.Has); err != nil {
		return err
	}
	for crawl := range f.crawls {
		for _, url := range f.Set.URLs() {
			k := f.s.key(crawl, url)
			if err := f.exec("DELETE FROM urls WHERE key = ? AND entry IS NULL", k[:]); err != nil {
				return err
			}
		}
	}
	return f.exec("INSERT INTO meta VALUES (?, 'due') ON CONFLICT DO UPDATE SET value = excluded.value", compactKey)
}

// remove deletes the rows of the names that go.
func (f *forgetter) remove(names, deletion string, goes func(name string) bool) error {
	var gone []string
	err := f.c.query(names, func(r row) error {
		if name := r.text(0); goes(name) {
			gone = append(gone, name)
		}
		return nil
	})
	for _, name := range gone {
		if err == nil {
			err = f.exec(deletion, name)
		}
	}
	return err
}

// Compact rewrites the file if Forget has deleted from it, so that neither its
// free pages nor its log have the deleted data. No other process may use the
// file.
func Compact(path string) (err error) {
	c, err := openConn(path, mustExist, "busy_timeout=10000", "secure_delete=1")
	if err != nil {
		return fmt.Errorf("compact store %s: %w", path, err)
	}
	defer func() {
		if cerr := c.close(); err == nil && cerr != nil {
			err = fmt.Errorf("compact store %s: %w", path, cerr)
		}
	}()
	due, err := c.one("SELECT 1 FROM meta WHERE key = ?", func(row) {}, compactKey)
	if err != nil || !due {
		return err
	}
	nothing := func(row) error { return nil }
	for _, sql := range []string{
		"PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "DELETE FROM meta WHERE key = '" + compactKey + "'", "PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		if err := c.query(sql, nothing); err != nil {
			return fmt.Errorf("compact store %s: %w", path, err)
		}
	}
	return nil
}
