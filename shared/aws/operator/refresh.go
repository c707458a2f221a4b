package operator

import (
	"context"
	"errors"
	"fmt"

	"sluice/shared/crawl/seeding"
	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
)

// refreshed returns the crawl that an order for a crawl refreshes (see seeding.Newest). If it
// does not exist, the error wraps job.ErrUnknown.
func (o *Operator) refreshed(ctx context.Context, of, id string) (*job.Job, error) {
	j, err := seeding.Newest(ctx, o.parts.Jobs, of, id)
	if errors.Is(err, job.ErrUnknown) {
		return nil, fmt.Errorf("%w: %s, so there is nothing to refresh", job.ErrUnknown, of)
	}
	return j, err
}

// takeOver puts the pages of earlier crawls, newest first, into the frontier of
// the crawl that refreshes them, with the links that led to them, and returns
// how many. It runs here because no function runs long enough, and before the
// crawl starts, so that no worker finds its frontier empty. It may be repeated:
// links already there stay.
//
// The pages are documents. Lists, sitemaps and feeds are found from the seeds, as in any
// crawl.
func (o *Operator) takeOver(ctx context.Context, id string, crawls []string, revisit limits.Revisits, reproducible bool) (int, error) {
	l := o.parts.Store.Ledger()
	known := &ledger.Generations{Reader: l, Crawls: crawls}
	planted := 0
	for _, from := range crawls {
		for ends, err := range l.EachEnd(ctx, from) {
			if err != nil {
				return planted, err
			}
			entries, err := known.Entries(ctx, documents(ends))
			if err != nil {
				return planted, err
			}
			n, err := o.plant(ctx, id, revisits(entries, &revisit, reproducible))
			if planted += n; err != nil {
				return planted, err
			}
		}
	}
	return planted, nil
}

// documents returns the URLs of the relevant pages.
func documents(ends []ledger.End) []string {
	var urls []string
	for _, end := range ends {
		if end.Entry.Relevant {
			urls = append(urls, end.URL)
		}
	}
	return urls
}

// revisits returns the links to the pages to refresh.
func revisits(entries []*ledger.Entry, revisit *limits.Revisits, reproducible bool) []frontier.Link {
	var links []frontier.Link
	for _, e := range entries {
		if e == nil {
			continue
		}
		if l, ok := step.Revisit(e, revisit); ok {
			if reproducible {
				l.Round = 1
			}
			links = append(links, l)
		}
	}
	return links
}

// plant adds links that the frontier of a crawl does not have yet, and returns
// how many.
func (o *Operator) plant(ctx context.Context, id string, links []frontier.Link) (int, error) {
	st := o.parts.Store
	states, err := st.Ledger().States(ctx, id, frontier.URLs(links))
	if err != nil {
		return 0, err
	}
	var fresh []frontier.Link
	for i, l := range links {
		if states[i] == ledger.Absent {
			fresh = append(fresh, l)
		}
	}
	if len(fresh) == 0 {
		return 0, nil
	}
	if err := st.Backlog().Add(ctx, id, fresh); err != nil {
		return 0, err
	}
	return len(fresh), st.Ledger().MarkQueued(ctx, id, frontier.URLs(fresh))
}
