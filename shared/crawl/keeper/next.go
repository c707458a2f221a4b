package keeper

import (
	"context"

	"sluice/shared/state/job"
)

// Crawl is a running crawl that may need links or may have reached its end. On
// a stack it is a look at the work of other processes; on one machine, it is
// the crawling process itself.
type Crawl interface {
	// Spent returns the reason to end the crawl if a budget is used up, else the
	// pages that are left.
	Spent(ctx context.Context) (reason string, pages int, err error)
	// Feed queues at most pages links of the current round. It may leave that
	// to the workers of the crawl's tasks. It reports whether links are in
	// tasks now, or may be.
	Feed(ctx context.Context, pages int) (busy bool, err error)
	// NextRound begins the lowest round that has links waiting, and returns
	// false if none has, or if the crawl has no rounds. The earlier rounds are
	// over.
	NextRound(ctx context.Context) (bool, error)
}

// Next feeds a crawl that needs links, from the next round when the current one
// is empty. It returns the reason to end the crawl, "" if it continues.
func Next(ctx context.Context, c Crawl) (reason string, err error) {
	reason, pages, err := c.Spent(ctx)
	if err != nil || reason != "" {
		return reason, err
	}
	if busy, err := c.Feed(ctx, pages); err != nil || busy {
		return "", err
	}
	begun, err := c.NextRound(ctx)
	if err == nil && !begun {
		return job.ReasonFrontierEmpty, nil
	}
	if err == nil {
		_, err = c.Feed(ctx, pages)
	}
	return "", err
}
