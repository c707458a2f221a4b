package worker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

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
	if t.Hops == 0 && b.job.RandomSeed == 0 {
		if err := b.takeParked(ctx, t); err != nil {
			return nil, err
		}
	}
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

// takeParked has a task take along the links that are parked at its host, if it has room.
// Their marks end with it.
func (b *batch) takeParked(ctx context.Context, t *frontier.Task) error {
	st, err := b.ports.Gauge.Standing(ctx, t.Crawl, t.Host, false)
	if err != nil {
		return fmt.Errorf("take parked links of %s: %w", t.Host, err)
	}
	links := withParked(t.Links, &st)
	if len(st.Parks) > 0 && frontier.Fit(links) == len(links) {
		t.Links, t.Parks, t.Held = links, st.Parks, true
	}
	return nil
}

// withParked returns links of a host and those that are parked there, each once: workers
// that don't know of each other may have parked the same, and many.
func withParked(own []frontier.Link, st *frontier.Standing) []frontier.Link {
	links := slices.Clone(own)
	for _, l := range st.Parked {
		if !slices.ContainsFunc(links, func(have frontier.Link) bool { return have.URL == l.URL }) {
			links = append(links, l)
		}
	}
	return links
}

// unpark sends the parked links of hosts that have no task, and returns the hosts that
// have neither. It looks up those whose states are not known. A visit that is under way does
// the same at its end; after that, what else the host has under way does not count: parts of
// tasks, to be tried again later.
func (b *batch) unpark(ctx context.Context, after time.Duration, visited bool, known map[string]frontier.Standing, hosts ...string) []string {
	standings := make([]frontier.Standing, len(hosts))
	looks, lctx := errgroup.WithContext(ctx)
	looks.SetLimit(hostsAtOnce)
	for i, host := range hosts {
		var ok bool
		if standings[i], ok = known[host]; ok {
			continue
		}
		looks.Go(func() (err error) {
			standings[i], err = b.ports.Gauge.Standing(lctx, b.job.ID, host, true)
			return err
		})
	}
	err := looks.Wait()
	var free []string
	var out []frontier.Outgoing
	for i, st := range standings {
		switch {
		case err != nil || st.Queued > 0 && !visited || st.Closed != "":
		case len(st.Parked) == 0:
			free = append(free, hosts[i])
		default:
			for links := withParked(nil, &st); len(links) > 0; {
				n := frontier.Fit(links)
				t := frontier.NewTask(b.job.ID, hosts[i], links[:n:n], b.opts.Now())
				t.Held = true
				if links = links[n:]; len(links) == 0 { // the last task is noted
					t.Parks = st.Parks
				}
				out = append(out, frontier.Outgoing{Task: t, Delay: after})
			}
		}
	}
	for some := range slices.Chunk(out, hostsAtOnce) {
		if err == nil {
			err = b.ports.Queue.Send(ctx, some)
		}
	}
	if err != nil {
		b.opts.Log.WarnContext(ctx, "parked links not sent", "crawl", b.job.ID, "hosts", len(hosts), "err", err)
	}
	return free
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
