package local

import (
	"context"
	"fmt"
	"path/filepath"

	"sluice/shared/ledger"
	"sluice/shared/local/sqlitestore"
)

// Summary is what a crawl has come to; the keys are stable.
type Summary struct {
	Crawl        string           `json:"crawl"`
	Topic        string           `json:"topic"`
	Fetched      int64            `json:"fetched"`       // responses received, of pages
	Kept         int64            `json:"kept"`          // documents in the corpus
	Rejected     int64            `json:"rejected"`      // records under rejects/, those off topic included
	Passed       int64            `json:"passed"`        // rejected as off topic; their links were read
	Skipped      int64            `json:"skipped"`       // never asked for
	Redirected   int64            `json:"redirected"`    //
	Sources      int64            `json:"sources"`       // sitemaps and feeds, read for their links
	DroppedLinks int64            `json:"dropped_links"` // links let go, counted on every page
	Enqueued     int64            `json:"enqueued"`      // links followed
	DeadLetters  int64            `json:"dead_letters"`  // links given up on
	HarvestRate  float64          `json:"harvest_rate"`  // kept / fetched
	StopReason   string           `json:"stop_reason"`
	DurationS    float64          `json:"duration_s"` // of this run
	Out          string           `json:"out"`
	Corpus       string           `json:"corpus"`
	Rejects      string           `json:"rejects"`
	WARC         string           `json:"warc"`
	Rules        map[string]int64 `json:"rules"`        // rejected, skipped and dead URLs by rule
	Drops        map[string]int64 `json:"drops"`        // dropped links by rule
	ClosedHosts  []ClosedHost     `json:"closed_hosts"` // hosts that got no further fetch
}

// ClosedHost is a host that was ended before its links were, and why.
type ClosedHost struct {
	Host  string `json:"host"`
	Rule  string `json:"rule"`
	Links int    `json:"links_left"`
}

// summarise adds up a crawl.
func summarise(ctx context.Context, st *sqlitestore.Store, dir, id, topic string) (*Summary, error) {
	t, err := st.Ledger().Totals(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read totals: %w", err)
	}
	dead, err := st.Queue().DeadCount(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("count dead letters: %w", err)
	}
	s := &Summary{
		Crawl: id, Topic: topic, DeadLetters: int64(dead), Rules: t.Rules, Drops: t.Drops,
		Fetched: t.Fetched, Kept: t.Verdicts[ledger.Kept], Rejected: t.Verdicts[ledger.Rejected] + t.Verdicts[ledger.Passed],
		Passed: t.Verdicts[ledger.Passed], Skipped: t.Verdicts[ledger.Skipped], Redirected: t.Verdicts[ledger.Redirected],
		Sources:      t.Verdicts[ledger.Source],
		DroppedLinks: t.Dropped, Enqueued: t.Enqueued,
		Out: dir, Corpus: filepath.Join(dir, "corpus"), Rejects: filepath.Join(dir, "rejects"), WARC: filepath.Join(dir, "warc"),
		ClosedHosts: []ClosedHost{},
	}
	if s.Fetched > 0 {
		s.HarvestRate = float64(s.Kept) / float64(s.Fetched)
	}
	closed, err := st.ClosedHosts(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("list closed hosts: %w", err)
	}
	for _, h := range closed {
		s.ClosedHosts = append(s.ClosedHosts, ClosedHost{Host: h.Host, Rule: h.Closed, Links: h.Waiting})
	}
	return s, nil
}
