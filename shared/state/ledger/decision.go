package ledger

import (
	"context"

	"sluice/shared/state/frontier"
)

// Decision is a link that was skipped, and why.
type Decision struct {
	Link frontier.Link `json:"link"`
	Rule string        `json:"rule"` // "priority", "anchor", "scope", "depth", "nofollow", a trap …
}

// Decisions remembers skipped links, so that explain can report them. In the
// Ledger they are absent: a later page may still add them.
type Decisions interface {
	// Drop records decisions. Of two for one URL it keeps the one with the
	// better rank.Order.
	Drop(ctx context.Context, crawl string, ds []Decision) error
	// Dropped returns the decision about a URL, nil if there is none.
	Dropped(ctx context.Context, crawl, url string) (*Decision, error)
}
