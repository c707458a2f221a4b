package sqlitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// totals are the names of the sums in the table.
var totals = ledger.Names{
	Fetched: "fetched", Rendered: "rendered", Below: "below", Relevant: "relevant", Enqueued: "enqueued", Dropped: "dropped",
	Verdict: "verdict:", Rule: "rule:", Drop: "drop:", Change: "change:",
}

// addEntry adds an entry to the totals of its crawl.
func (tx *tx) addEntry(crawl int64, e *ledger.Entry) { tx.countEntry(crawl, e, 1) }

// countEntry counts an entry n times; -1 takes it back.
func (tx *tx) countEntry(crawl int64, e *ledger.Entry, n int64) {
	for name, sum := range totals.Sums(e) {
		tx.addTotal(crawl, name, n*sum)
	}
}

// uncount takes the entry of a URL back, and its page from those of the host if
// the host is still known.
func (tx *tx) uncount(crawl int64, url string, e *ledger.Entry) error {
	tx.countEntry(crawl, e, -1)
	if !e.Fetched {
		return nil
	}
	_, err := tx.exec("UPDATE hosts SET fetched = fetched - 1 WHERE crawl = ? AND name = ?", crawl, urlnorm.HostOf(url))
	return err
}

// Totals implements ledger.Accounts.
func (l *Ledger) Totals(ctx context.Context, crawl string) (*ledger.Totals, error) {
	sums := map[string]int64{}
	err := l.s.readCrawl(ctx, crawl, func(c *conn, id int64) error {
		return c.query("SELECT name, n FROM totals WHERE crawl = ? AND n <> 0", func(r row) error {
			sums[r.text(0)] = r.int(1)
			return nil
		}, id)
	})
	if err != nil {
		return nil, fmt.Errorf("read totals: %w", err)
	}
	return totals.Totals(maps.All(sums)), nil
}

// Entry implements ledger.Accounts.
func (l *Ledger) Entry(ctx context.Context, crawl, url string) (*ledger.Entry, error) {
	var e *ledger.Entry
	err := l.s.readCrawl(ctx, crawl, func(c *conn, id int64) (err error) {
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
