package keeper

import (
	"context"

	"sluice/shared/state/job"
)

// Crawl is one running crawl that may need links or have come to its end. On a
// stack it is a look at what other processes do; on one machine, the process that
// crawls.
type Crawl interface {
	// Spent returns the reason to end the crawl if a budget is used up, else the
	// pages that are left.
	Spent(ctx context.Context) (reason string, pages int, err error)
	// Feed queues links of the current round, at most so many. It may leave that to
	// those that work on the crawl's tasks. It reports whether links are in tasks
	// now, or may be.
	Feed(ctx context.Context, pages int) (busy bool, err error)
	// NextRound begins the lowest round that has links waiting, and returns false
	// if none has, or if the crawl does not go in rounds. The rounds before it are
	// over.
	NextRound(ctx context.Context) (bool, error)
}

// Next feeds a crawl that needs links, from its next round when nothing is left
// of the current one. It returns the reason to end the crawl, "" if it continues.
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
