package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"sluice/shared/console"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/ledger"
)

// Summary is what a crawl has come to.
type Summary = console.Summary

// summarise adds up a crawl with its refreshes.
func summarise(ctx context.Context, st *sqlitestore.Store, dir string, at *turn, topic string) (*Summary, error) {
	ids := at.crawls(topic)
	slices.Reverse(ids)
	generations := make([]console.Generation, len(ids))
	for i := range ids {
		if err := count(ctx, st, ids[i:], &generations[i]); err != nil {
			return nil, err
		}
	}
	id := at.crawl(topic)
	dead, err := st.Queue().DeadCount(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("count dead letters: %w", err)
	}
	s := &Summary{
		Crawl: topic, Topic: topic, DeadLetters: int64(dead),
		Out: dir, Corpus: filepath.Join(dir, "corpus"), Rejects: filepath.Join(dir, "rejects"), WARC: filepath.Join(dir, "warc"),
		ClosedHosts: []console.ClosedHost{},
	}
	s.Sum(generations)
	closed, err := st.ClosedHosts(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("list closed hosts: %w", err)
	}
	for _, h := range closed {
		s.ClosedHosts = append(s.ClosedHosts, console.ClosedHost{Host: h.Host, Rule: h.Closed, Links: h.Waiting})
	}
	if err := errors.Join(readJSON(ctx, st, barrenKey, &s.Barren), readJSON(ctx, st, saturatedKey, &s.Saturated), readJSON(ctx, st, recordsKey, &s.Records)); err != nil {
		return nil, err
	}
	return s, nil
}

// Keys of the pages that brought so little that the crawl ended, or so little new; ""
// if it ended otherwise.
const (
	barrenKey    = "barren"
	saturatedKey = "saturated"
)

// count counts the first of some generations, the oldest first.
func count(ctx context.Context, st *sqlitestore.Store, ids []string, g *console.Generation) (err error) {
	if g.Totals, err = st.Ledger().Totals(ctx, ids[0]); err != nil {
		return fmt.Errorf("read totals: %w", err)
	}
	rules, err := st.RefusedPages(ctx, ids[0])
	if err != nil || len(rules) == 0 {
		return err
	}
	urls := slices.Collect(maps.Keys(rules))
	entries, err := st.Ledger().Entries(ctx, ids[0], urls)
	if err != nil {
		return fmt.Errorf("count refusals: %w", err)
	}
	left, err := leftLater(ctx, st, ids[1:], urls)
	if err != nil {
		return fmt.Errorf("count refusals: %w", err)
	}
	g.Refused, g.Changes = map[string]int64{}, map[ledger.Change]int64{}
	for i, e := range entries {
		if e == nil {
			continue
		}
		if g.Changes[e.Change]++; e.Change == ledger.Unchanged {
			continue // an earlier generation has made its record
		}
		if g.Refused[rules[urls[i]]]++; !left[urls[i]] {
			g.Current++
		}
	}
	return nil
}

// leftLater returns the pages whose documents were no longer current when they were
// refused: one of the generations after theirs found the page gone or changed.
func leftLater(ctx context.Context, st *sqlitestore.Store, later []string, urls []string) (map[string]bool, error) {
	left := map[string]bool{}
	again := map[string]bool{} // refused before a generation met them
	for _, id := range later {
		entries, err := st.Ledger().Entries(ctx, id, urls)
		if err != nil {
			return nil, err
		}
		for i, e := range entries {
			if e == nil || again[urls[i]] {
				continue
			}
			switch e.Change {
			case ledger.Gone, ledger.Changed:
				left[urls[i]] = true
			case ledger.New:
				again[urls[i]] = true
			}
		}
	}
	return left, nil
}
