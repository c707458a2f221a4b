package ledger

import (
	"context"

	"sluice/shared/state/frontier"
)

// Decision is a link that was let go, and why.
type Decision struct {
	Link frontier.Link `json:"link"`
	Rule string        `json:"rule"` // "priority", "anchor", "scope", "depth", "nofollow", a trap …
}

// Decisions remembers links that were let go, so that they can be explained.
// They stay absent in the Ledger: a later page may still bring them in.
type Decisions interface {
	// Drop records decisions. Of two for one URL the one with the higher
	// priority stays.
	Drop(ctx context.Context, crawl string, ds []Decision) error
	// Dropped returns the decision about a URL, nil where there is none.
	Dropped(ctx context.Context, crawl, url string) (*Decision, error)
}
