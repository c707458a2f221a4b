package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// Ledger implements ledger.Ledger, ledger.History, ledger.Accounts,
// ledger.Reader, ledger.Decisions and ledger.Reviver.
type Ledger struct{ s *Store }

var (
	_ ledger.Ledger    = (*Ledger)(nil)
	_ ledger.History   = (*Ledger)(nil)
	_ ledger.Accounts  = (*Ledger)(nil)
	_ ledger.Reader    = (*Ledger)(nil)
	_ ledger.Decisions = (*Ledger)(nil)
	_ ledger.Reviver   = (*Ledger)(nil)
)

// Ledger returns the URLs of all crawls in the store.
func (s *Store) Ledger() *Ledger { return &Ledger{s} }

// States implements ledger.Ledger.
func (l *Ledger) States(ctx context.Context, crawl string, urls []string) ([]ledger.State, error) {
	if len(urls) == 0 {
		return nil, ctx.Err()
	}
	out := make([]ledger.State, len(urls))
	err := l.s.lookUp(ctx, crawl, urls, func(c *conn, keys []any, places map[key][]int) error {
		return l.states(c, keys, places, out)
	})
	if err != nil {
		return nil, fmt.Errorf("read states: %w", err)
	}
	return out, nil
}

// Ended implements ledger.Ledger.
func (l *Ledger) Ended(ctx context.Context, crawl string, urls []string) (map[string]bool, error) {
	states, err := l.States(ctx, crawl, urls)
	ended := map[string]bool{}
	for i, st := range states {
		if st == ledger.Done {
			ended[urls[i]] = true
		}
	}
	return ended, err
}

func (l *Ledger) states(c *conn, keys []any, places map[key][]int, out []ledger.State) error {
	return c.queryN("SELECT key, state FROM (VALUES [(?)]) CROSS JOIN urls ON key = column1", len(keys), keys, func(r row) error {
		st := stateOf(r.int(1))
		for _, i := range places[key(r.bytes(0))] {
			out[i] = st
		}
		return nil
	})
}

// stateOf reads a state. 2 is from a version that leased URLs.
func stateOf(stored int64) ledger.State {
	if stored == 2 {
		return ledger.Queued
	}
	return ledger.State(stored)
}

// MarkQueued implements ledger.Ledger.
func (l *Ledger) MarkQueued(ctx context.Context, crawl string, urls []string) error {
	if len(urls) == 0 {
		return ctx.Err()
	}
	id, err := l.s.crawlID(ctx, crawl)
	if err != nil {
		return fmt.Errorf("mark %d urls queued: %w", len(urls), err)
	}
	keys := make([]any, len(urls))
	for i, u := range urls {
		k := l.s.key(id, u)
		keys[i] = k[:]
	}
	err = l.s.write(ctx, func(tx *tx) error {
		for chunk := range slices.Chunk(keys, 2*batchRows) {
			_, err := tx.execN("INSERT INTO urls (key, state) VALUES [(?, 1)] ON CONFLICT DO UPDATE SET state = 1 WHERE state = 0", len(chunk), chunk)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("mark %d urls queued: %w", len(urls), err)
	}
	return nil
}

// undone returns ErrDone where the URL is done.
func (tx *tx) undone(k key) error {
	done, err := tx.one("SELECT 1 FROM urls WHERE key = ? AND state = 3", func(row) {}, k[:])
	if err == nil && done {
		return ledger.ErrDone
	}
	return err
}

// Complete implements ledger.Ledger.
func (l *Ledger) Complete(ctx context.Context, crawl string, ends []ledger.End) ([]error, error) {
	bodies := make([][]byte, len(ends))
	for i, end := range ends {
		if err := checkRound(end.Entry); err != nil {
			return nil, err
		}
		bare := *end.Entry
		bare.Trace = nil // stored unchanged, in a separate column
		var err error
		if bodies[i], err = json.Marshal(&bare); err != nil {
			return nil, permanent("complete "+end.URL, err)
		}
	}
	refused := make([]error, len(ends))
	err := l.s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
		for i, end := range ends {
			k := l.s.key(id, end.URL)
			if refused[i] = tx.undone(k); refused[i] == nil {
				refused[i] = tx.complete(id, k, &end, bodies[i])
			}
			if tx.failed != nil {
				return tx.failed
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("complete %d urls: %w", len(ends), err)
	}
	return refused, nil
}

// complete writes all that the end of a URL is.
func (tx *tx) complete(crawl int64, k key, end *ledger.End, body []byte) error {
	e := end.Entry
	if err := tx.insertEntry(k, body, e.Trace); err != nil {
		return err
	}
	tx.addEntry(crawl, e)
	if e.Fetched {
		tx.addPage(crawl, urlnorm.HostOf(end.URL))
	}
	if e.Relevant {
		return tx.remember(crawl, e.Round, end.URL)
	}
	return nil
}

func (tx *tx) insertEntry(k key, body, trace []byte) error {
	var blob any // NULL if there is no trace
	if len(trace) > 0 {
		blob = trace
	}
	res, err := tx.exec("INSERT INTO entries (body, trace) VALUES (?, ?)", body, blob)
	if err != nil {
		return err
	}
	entry, err := res.LastInsertId()
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO urls (key, state, entry) VALUES (?, 3, ?)
		ON CONFLICT DO UPDATE SET state = 3, entry = excluded.entry, until = NULL, owner = NULL, epoch = NULL`, k[:], entry)
	return err
}
