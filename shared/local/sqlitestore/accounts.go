package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"sluice/shared/state/ledger"
)

// Names of totals. Verdicts and rules follow their prefix.
const (
	totalFetched  = "fetched"
	totalRelevant = "relevant"
	totalEnqueued = "enqueued"
	totalDropped  = "dropped"
	totalVerdict  = "verdict:"
	totalRule     = "rule:"
	totalDrop     = "drop:"
	totalChange   = "change:"
)

// addEntry adds an entry to the totals of its crawl.
func (tx *tx) addEntry(crawl int64, e *ledger.Entry) { tx.countEntry(crawl, e, 1) }

// countEntry counts an entry n times; -1 takes it back.
func (tx *tx) countEntry(crawl int64, e *ledger.Entry, n int64) {
	if e.Fetched {
		tx.addTotal(crawl, totalFetched, n)
	}
	if e.Relevant {
		tx.addTotal(crawl, totalRelevant, n)
	}
	tx.addTotal(crawl, totalEnqueued, n*int64(e.Enqueued))
	tx.addTotal(crawl, totalDropped, n*int64(e.Dropped))
	for rule, links := range e.Drops {
		tx.addTotal(crawl, totalDrop+rule, n*int64(links))
	}
	if e.Change != "" {
		tx.addTotal(crawl, totalChange+string(e.Change), n)
	}
	tx.addTotal(crawl, totalVerdict+string(e.Verdict), n)
	switch e.Verdict {
	case ledger.Passed, ledger.Rejected, ledger.Skipped, ledger.Dead:
		if e.Rule != "" {
			tx.addTotal(crawl, totalRule+e.Rule, n)
		}
	}
}

// Totals implements ledger.Accounts.
func (l *Ledger) Totals(ctx context.Context, crawl string) (*ledger.Totals, error) {
	id, err := l.s.crawlID(ctx, crawl)
	if err != nil {
		return nil, fmt.Errorf("read totals: %w", err)
	}
	t := &ledger.Totals{Verdicts: map[ledger.Verdict]int64{}, Rules: map[string]int64{}, Drops: map[string]int64{}}
	err = l.s.read(ctx, func(c *conn) error {
		return c.query("SELECT name, n FROM totals WHERE crawl = ? AND n <> 0", func(r row) error {
			setTotal(t, r.text(0), r.int(1))
			return nil
		}, id)
	})
	if err != nil {
		return nil, fmt.Errorf("read totals: %w", err)
	}
	return t, nil
}

func setTotal(t *ledger.Totals, name string, n int64) {
	switch name {
	case totalFetched:
		t.Fetched = n
	case totalRelevant:
		t.Relevant = n
	case totalEnqueued:
		t.Enqueued = n
	case totalDropped:
		t.Dropped = n
	default:
		if v, ok := strings.CutPrefix(name, totalVerdict); ok {
			t.Verdicts[ledger.Verdict(v)] = n
		} else if rule, ok := strings.CutPrefix(name, totalRule); ok {
			t.Rules[rule] = n
		} else if rule, ok := strings.CutPrefix(name, totalDrop); ok {
			t.Drops[rule] = n
		} else if change, ok := strings.CutPrefix(name, totalChange); ok {
			t.AddChange(ledger.Change(change), n)
		}
	}
}

// Entry implements ledger.Accounts.
func (l *Ledger) Entry(ctx context.Context, crawl, url string) (*ledger.Entry, error) {
	id, err := l.s.crawlID(ctx, crawl)
	if err != nil {
		return nil, fmt.Errorf("read entry of %s: %w", url, err)
	}
	var e *ledger.Entry
	err = l.s.read(ctx, func(c *conn) error {
		e, err = entry(c, l.s.key(id, url))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read entry of %s: %w", url, err)
	}
	return e, nil
}

func entry(c *conn, k key) (*ledger.Entry, error) {
	var body, trace []byte
	found, err := c.one("SELECT body, trace FROM entries WHERE id = (SELECT entry FROM urls WHERE key = ?)", func(r row) {
		body, trace = r.bytes(0), r.bytes(1)
	}, k[:])
	if err != nil || !found {
		return nil, err
	}
	e := new(ledger.Entry)
	if err := json.Unmarshal(body, e); err != nil {
		return nil, permanent("decode entry", err)
	}
	e.Trace = trace
	return e, nil
}
