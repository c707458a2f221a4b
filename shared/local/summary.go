package local

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"sluice/shared/console"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/ledger"
)

// Summary is what a crawl has come to.
type Summary = console.Summary

// Refreshed is what a refresh came to.
type Refreshed = console.Refreshed

// summarise adds up a crawl.
func summarise(ctx context.Context, st *sqlitestore.Store, dir string, at *turn, topic string) (*Summary, error) {
	id := at.crawl(topic)
	t, err := st.Ledger().Totals(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read totals: %w", err)
	}
	dead, err := st.Queue().DeadCount(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("count dead letters: %w", err)
	}
	s := &Summary{
		Crawl: id, Topic: topic, Generation: at.generation(), DeadLetters: int64(dead), Rules: t.Rules, Drops: t.Drops,
		Fetched: t.Fetched, Rendered: t.Rendered, Kept: t.Verdicts[ledger.Kept], Rejected: t.Verdicts[ledger.Rejected] + t.Verdicts[ledger.Passed],
		Passed: t.Verdicts[ledger.Passed], Skipped: t.Verdicts[ledger.Skipped], Redirected: t.Verdicts[ledger.Redirected],
		Sources: t.Verdicts[ledger.Source], Forgotten: t.Verdicts[ledger.Forgotten],
		DroppedLinks: t.Dropped, Enqueued: t.Enqueued,
		Out: dir, Corpus: filepath.Join(dir, "corpus"), Rejects: filepath.Join(dir, "rejects"), WARC: filepath.Join(dir, "warc"),
		Refresh: &Refreshed{
			Unchanged: t.Changes[ledger.Unchanged], Changed: t.Changes[ledger.Changed], Gone: t.Changes[ledger.Gone],
			New: t.Changes[ledger.New], Unreached: t.Changes[ledger.Unreached],
		},
		ClosedHosts: []console.ClosedHost{},
	}
	refused, err := st.Refused(ctx, id)
	if err != nil {
		return nil, err
	}
	changes, err := st.RefusedChanges(ctx, id)
	if err != nil {
		return nil, err
	}
	refuse(s, refused, changes)
	closed, err := st.ClosedHosts(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("list closed hosts: %w", err)
	}
	for _, h := range closed {
		s.ClosedHosts = append(s.ClosedHosts, console.ClosedHost{Host: h.Host, Rule: h.Closed, Links: h.Waiting})
	}
	if err := errors.Join(readJSON(ctx, st, barrenKey, &s.Barren), readJSON(ctx, st, recordsKey, &s.Records)); err != nil {
		return nil, err
	}
	if s.Fetched > 0 {
		s.HarvestRate = float64(s.Kept) / float64(s.Fetched)
	}
	return s, nil
}

// barrenKey is the key of the pages that brought so little that the crawl ended; ""
// if it ended otherwise.
const barrenKey = "barren"

// refuse takes what was refused later, by rule and by change, out of what the ledger
// has as kept.
func refuse(s *Summary, rules map[string]int64, changes map[ledger.Change]int64) {
	for rule, n := range rules {
		s.RefusedLater += n
		s.Rules[rule] += n
	}
	s.Kept -= s.RefusedLater
	s.Rejected += s.RefusedLater
	s.Refresh.Unchanged -= changes[ledger.Unchanged]
	s.Refresh.Changed -= changes[ledger.Changed]
	s.Refresh.New -= changes[ledger.New]
}
