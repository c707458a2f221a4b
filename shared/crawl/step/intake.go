package step

import (
	"context"
	"fmt"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// Intake takes unknown links into the frontier, and their hints into the
// ledger. It may hold them until Store is called, which is before the pages
// that brought them are completed. It is safe for concurrent use.
type Intake interface {
	// Take takes links in and returns how many URLs it did not hold.
	Take(ctx context.Context, crawl string, links []frontier.Link) (int, error)
	// Store stores all links taken before, by any caller. It keeps those that
	// it fails to store.
	Store(ctx context.Context) error
}

// direct is the intake without a buffer: links go to the backlog at once.
type direct struct {
	backlog frontier.Backlog
	ledger  ledger.Ledger
}

// Take implements Intake. The hint comes last, when the link is stored.
func (d direct) Take(ctx context.Context, crawl string, links []frontier.Link) (int, error) {
	if err := d.backlog.Add(ctx, crawl, links); err != nil {
		return 0, fmt.Errorf("add links: %w", err)
	}
	if err := d.ledger.MarkQueued(ctx, crawl, frontier.URLs(links)); err != nil {
		return 0, fmt.Errorf("mark links queued: %w", err)
	}
	urls := map[string]bool{}
	for _, l := range links {
		urls[l.URL] = true
	}
	return len(urls), nil
}

// Store implements Intake.
func (direct) Store(context.Context) error { return nil }
