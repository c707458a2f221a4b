package worker

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// hostLinks are the links that go to a host.
type hostLinks struct {
	name  string
	links []frontier.Link // best first; those that wait, once a task has left
	frontier.Standing
	idle  bool // a task may leave for it
	waits bool // none of the links may leave at present
	late  bool // the links were left to a task that had ended
}

// byHost sorts links by their hosts, the best first, and looks up the states of
// the hosts, unless all their links are below the line.
func (o *outbox) byHost(ctx context.Context, links []frontier.Link, line float64) ([]*hostLinks, error) {
	by := map[string]*hostLinks{}
	for _, l := range links {
		u, err := urlnorm.Parse(l.URL)
		if err != nil {
			return nil, fmt.Errorf("sort links by host: %w", err)
		}
		if by[u.Host()] == nil {
			by[u.Host()] = &hostLinks{name: u.Host()}
		}
		by[u.Host()].links = append(by[u.Host()].links, l)
	}
	hosts := slices.Collect(maps.Values(by))
	for _, h := range hosts {
		slices.SortFunc(h.links, frontier.BestFirst)
	}
	slices.SortFunc(hosts, func(a, b *hostLinks) int {
		return cmp.Or(a.links[0].Order().Compare(b.links[0].Order()), cmp.Compare(a.name, b.name))
	})
	looks, ctx := errgroup.WithContext(ctx)
	looks.SetLimit(hostsAtOnce)
	for _, h := range hosts {
		if h.waits = h.links[0].Priority < line; h.waits {
			continue
		}
		looks.Go(func() (err error) {
			h.Standing, err = o.ports.Gauge.Standing(ctx, o.crawl, h.name, false)
			h.idle = o.direct && h.Queued == 0 && h.Closed == ""
			return err
		})
	}
	if err := looks.Wait(); err != nil {
		return nil, fmt.Errorf("look up hosts: %w", err)
	}
	for _, h := range hosts {
		var known []frontier.Link
		h.links = slices.DeleteFunc(h.links, func(l frontier.Link) bool {
			held := slices.Contains(h.Held, l.URL)
			if held {
				known = append(known, l)
			}
			return held
		})
		o.drop(known)
	}
	return hosts, nil
}
