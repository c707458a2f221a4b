package sqlitestore

import (
	"context"
	"path/filepath"
	"testing"

	"sluice/shared/state/ledger"
)

// open opens a fresh store; when the test ends it is checked and closed.
func open(tb testing.TB, opts Options) *Store {
	tb.Helper()
	s := openAt(tb, filepath.Join(tb.TempDir(), "state.db"), opts)
	tb.Cleanup(func() { closeStore(tb, s) })
	return s
}

func openAt(tb testing.TB, path string, opts Options) *Store {
	tb.Helper()
	s, err := Open(path, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func closeStore(tb testing.TB, s *Store) {
	tb.Helper()
	if !tb.Failed() {
		checkSums(tb, s)
	}
	if err := s.Close(); err != nil {
		tb.Error(err)
	}
}

// sums are queries that find nothing in a sound store.
var sums = map[string]string{
	"damage":                  "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
	"depth unlike backlog":    "SELECT host, round, links, (rank, tie) = (SELECT rank, tie FROM backlog b WHERE b.host = depth.host AND b.round = depth.round ORDER BY rank, tie LIMIT 1) FROM depth EXCEPT SELECT host, round, count(*), 1 FROM backlog GROUP BY host, round",
	"backlog without depth":   "SELECT DISTINCT host, round FROM backlog EXCEPT SELECT host, round FROM depth",
	"depth open unlike host":  "SELECT name FROM depth EXCEPT SELECT d.name FROM depth d JOIN hosts h ON h.id = d.host AND (h.closed IS NULL) = d.open",
	"places unlike backlog":   "SELECT 1 WHERE (SELECT count(*) FROM backlog) <> (SELECT count(*) FROM urls WHERE round IS NOT NULL)",
	"entries unlike urls":     "SELECT 1 WHERE (SELECT count(*) FROM entries) <> (SELECT count(*) FROM urls WHERE state = 3 AND entry IS NOT NULL)",
	"verdicts unlike entries": "SELECT 1 WHERE (SELECT count(*) FROM entries) <> (SELECT coalesce(sum(n), 0) FROM totals WHERE name LIKE 'verdict:%')",
	"pages unlike fetched":    "SELECT 1 WHERE (SELECT coalesce(sum(fetched), 0) FROM hosts) <> (SELECT coalesce(sum(n), 0) FROM totals WHERE name = 'fetched')",
	"runs unlike history":     "SELECT 1 WHERE (SELECT count(*) FROM history) <> (SELECT coalesce(sum(size), 0) FROM runs)",
	"history unlike relevant": "SELECT 1 WHERE (SELECT count(*) FROM history) + (SELECT count(*) FROM staged) <> (SELECT coalesce(sum(n), 0) FROM totals WHERE name = 'relevant')",
	"leases of done urls":     "SELECT 1 FROM urls WHERE state <> 2 AND (owner IS NOT NULL OR until IS NOT NULL)",
}

// checkSums checks what holds between the tables after every commit.
func checkSums(tb testing.TB, s *Store) {
	tb.Helper()
	for what, sql := range sums {
		err := s.read(context.Background(), func(c *conn) error {
			return c.query(sql, func(r row) error {
				tb.Errorf("%s: %v", what, r)
				return nil
			})
		})
		if err != nil {
			tb.Errorf("%s: %v", what, err)
		}
	}
}

// complete ends one URL.
func complete(ctx context.Context, s *Store, crawl, url string, e *ledger.Entry) error {
	refused, err := s.Ledger().Complete(ctx, crawl, []ledger.End{{URL: url, Entry: e}})
	if err != nil {
		return err
	}
	return refused[0]
}
