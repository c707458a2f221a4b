package local

import (
	"context"
	"fmt"
	"path/filepath"

	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/ledger"
)

// Summary is what a crawl has come to; the keys are stable.
type Summary struct {
	Crawl        string           `json:"crawl"`
	Topic        string           `json:"topic"`
	Generation   int              `json:"generation"`    // 1, and one more with each refresh; the numbers are of this one alone
	Fetched      int64            `json:"fetched"`       // responses received, of pages
	Kept         int64            `json:"kept"`          // documents in the corpus
	Rejected     int64            `json:"rejected"`      // records under rejects/, those off topic included
	Passed       int64            `json:"passed"`        // rejected as off topic; their links were read
	RefusedLater int64            `json:"refused_later"` // rejected after the crawl had kept them, when more was known of their hosts
	Skipped      int64            `json:"skipped"`       // never asked for
	Redirected   int64            `json:"redirected"`    //
	Sources      int64            `json:"sources"`       // sitemaps and feeds, read for their links
	Forgotten    int64            `json:"forgotten"`     // taken out for good, or refused since they were
	DroppedLinks int64            `json:"dropped_links"` // links let go, counted on every page
	Enqueued     int64            `json:"enqueued"`      // links followed
	DeadLetters  int64            `json:"dead_letters"`  // links given up on
	HarvestRate  float64          `json:"harvest_rate"`  // kept / fetched
	Refresh      Refreshed        `json:"refresh"`       // what became of the documents of the generations before
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

// Refreshed is what a refresh came to; all 0 in a first crawl.
type Refreshed struct {
	Unchanged int64 `json:"unchanged"` // pages whose document stands as it is
	Changed   int64 `json:"changed"`   // pages of which there is a new version
	Gone      int64 `json:"gone"`      // pages whose document is current no more
	New       int64 `json:"new"`       // pages that no earlier generation had kept
	Unreached int64 `json:"unreached"` // pages that could not be had; their documents stay current
}

// ClosedHost is a host that was ended before its links were, and why.
type ClosedHost struct {
	Host  string `json:"host"`
	Rule  string `json:"rule"`
	Links int    `json:"links_left"`
}

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
		Fetched: t.Fetched, Kept: t.Verdicts[ledger.Kept], Rejected: t.Verdicts[ledger.Rejected] + t.Verdicts[ledger.Passed],
		Passed: t.Verdicts[ledger.Passed], Skipped: t.Verdicts[ledger.Skipped], Redirected: t.Verdicts[ledger.Redirected],
		Sources: t.Verdicts[ledger.Source], Forgotten: t.Verdicts[ledger.Forgotten],
		DroppedLinks: t.Dropped, Enqueued: t.Enqueued,
		Out: dir, Corpus: filepath.Join(dir, "corpus"), Rejects: filepath.Join(dir, "rejects"), WARC: filepath.Join(dir, "warc"),
		Refresh: Refreshed{
			Unchanged: t.Changes[ledger.Unchanged], Changed: t.Changes[ledger.Changed], Gone: t.Changes[ledger.Gone],
			New: t.Changes[ledger.New], Unreached: t.Changes[ledger.Unreached],
		},
		ClosedHosts: []ClosedHost{},
	}
	refused, err := st.Refused(ctx, id)
	if err != nil {
		return nil, err
	}
	s.refuse(refused)
	closed, err := st.ClosedHosts(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("list closed hosts: %w", err)
	}
	for _, h := range closed {
		s.ClosedHosts = append(s.ClosedHosts, ClosedHost{Host: h.Host, Rule: h.Closed, Links: h.Waiting})
	}
	if s.Fetched > 0 {
		s.HarvestRate = float64(s.Kept) / float64(s.Fetched)
	}
	return s, nil
}

// refuse takes what was refused later, by rule, out of what the ledger has as
// kept.
func (s *Summary) refuse(rules map[string]int64) {
	for rule, n := range rules {
		s.RefusedLater += n
		s.Rules[rule] += n
	}
	s.Kept -= s.RefusedLater
	s.Rejected += s.RefusedLater
}
