package worker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
)

// A visit of a host costs a lease, marks, a message and a commit, for any
// number of pages. These constants make visits longer on webs of many hosts.
const (
	fewLinks = frontier.MaxLinks / 2 // a task with fewer takes more along
	wide     = 16                    // hosts that get links in a batch; with more the crawl is wide
	linger   = 90 * time.Second      // of a task on a wide web
)

// More implements Supply: a task with few links takes along those that wait for
// its host. They remain in the backlog until the task has ended, so that a
// crash leaves them twice, never lost; the task's mark prevents other processes
// from queueing them.
func (b *batch) More(ctx context.Context, t *frontier.Task) ([]frontier.Link, error) {
	n := min(frontier.MaxLinks-len(t.Links), int(b.crawl.left.Load())-len(t.Links))
	if len(t.Links) >= fewLinks || t.Hops > 0 || n <= 0 || b.job.RandomSeed != 0 {
		return nil, nil
	}
	links, err := b.ports.Backlog.Best(ctx, t.Crawl, t.Host, b.job.Round, n)
	if err != nil {
		return nil, fmt.Errorf("take more links of %s: %w", t.Host, err)
	}
	own := make(map[string]bool, len(t.Links))
	for _, l := range t.Links {
		own[l.URL] = true
	}
	line := b.line()
	links = slices.DeleteFunc(links, func(l frontier.Link) bool { return own[l.URL] || l.Priority < line })
	return links[:max(frontier.Fit(slices.Concat(t.Links, links))-len(t.Links), 0)], nil
}

// taken removes from the backlog the links that went with a task: they have
// ended, or are in the messages of the rest. The waiting links of a closed host
// are kept.
func (b *batch) taken(ctx context.Context, t *frontier.Task, more []frontier.Link, out *step.Outcome) error {
	if len(more) == 0 || out.Closed {
		return nil
	}
	if err := b.ports.Backlog.Remove(ctx, t.Crawl, t.Host, frontier.URLs(more)); err != nil {
		return fmt.Errorf("remove links of %s: %w", t.Host, err)
	}
	return nil
}
