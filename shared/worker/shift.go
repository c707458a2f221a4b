package worker

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"sluice/shared/crawl"
	"sluice/shared/frontier"
	"sluice/shared/job"
)

// shift is the work on one crawl in one batch.
type shift struct {
	*Worker
	job  *job.Job
	kit  *kit // nil where the crawl does not run
	stop <-chan struct{}
	left atomic.Int64 // pages of the budget, as far as this worker knows

	mu  sync.Mutex
	fed map[string]bool // hosts, in this batch
}

// running reports whether pages may be fetched.
func (s *shift) running() bool { return s.kit != nil && s.left.Load() > 0 }

// work deals with the tasks at places. Those of one host go one after the
// other: the host's lease would send the others back.
func (s *shift) work(ctx context.Context, tasks []*frontier.Task, places []int, errs []error) {
	lines := map[string][]int{}
	for _, i := range places {
		lines[tasks[i].Host] = append(lines[tasks[i].Host], i)
	}
	done := func() {}
	if s.kit != nil {
		done = s.ports.Shelves.Begin(s.job.ID, len(lines))
	}
	var wg sync.WaitGroup
	for _, line := range lines {
		wg.Go(func() {
			defer done()
			for _, i := range line {
				errs[i] = s.task(ctx, tasks[i])
			}
		})
	}
	wg.Wait()
}

// task works on one task and does what its outcome asks. The order is that of
// the engine: what is left is sent before the task ends, so that a crash in
// between leaves it twice, never lost.
func (s *shift) task(ctx context.Context, t *frontier.Task) error {
	if !s.running() {
		return s.putBack(ctx, t, t.Links)
	}
	out, err := s.run(ctx, t)
	if err != nil {
		return err
	}
	switch {
	case len(out.Rest) == 0:
		err = s.end(ctx, t)
	case !s.running():
		var links []frontier.Link
		for _, o := range out.Rest {
			links = append(links, o.Task.Links...)
		}
		return s.putBack(ctx, t, links)
	default:
		err = s.ports.Queue.Send(ctx, out.Rest)
	}
	if err != nil {
		return fmt.Errorf("send rest of task %s: %w", t.ID, err)
	}
	s.feed(ctx, t.Host, out)
	return nil
}

// putBack returns links to the backlog, where they wait until the crawl may go
// on, and ends their task.
func (s *shift) putBack(ctx context.Context, t *frontier.Task, links []frontier.Link) error {
	if err := s.ports.Backlog.Add(ctx, t.Crawl, links); err != nil {
		return fmt.Errorf("put back links of %s: %w", t.Host, err)
	}
	return s.end(ctx, t)
}

// end notes that nothing is left of a task.
func (s *shift) end(ctx context.Context, t *frontier.Task) error {
	if err := s.ports.Book.Ended(ctx, []frontier.Mark{t.Mark(s.opts.Now())}); err != nil {
		return fmt.Errorf("end task %s: %w", t.ID, err)
	}
	return nil
}

// feed queues more of the hosts that a task touched. Should it fail, the next
// sweep of the backlog finds them.
func (s *shift) feed(ctx context.Context, own string, out *crawl.Outcome) {
	if err := s.feedHost(ctx, own, out); err != nil {
		s.opts.Log.WarnContext(ctx, "host not fed", "crawl", s.job.ID, "host", own, "err", err)
	}
	for _, host := range out.Hosts {
		if host == own || !s.first(host) {
			continue
		}
		if err := s.feedHost(ctx, host, nil); err != nil {
			s.opts.Log.WarnContext(ctx, "host not fed", "crawl", s.job.ID, "host", host, "err", err)
		}
	}
}

// first reports whether a host is fed for the first time in this batch.
func (s *shift) first(host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fed[host] {
		return false
	}
	s.fed[host] = true
	return true
}

// feedHost queues more of a host, not before it may be asked again.
func (s *shift) feedHost(ctx context.Context, host string, out *crawl.Outcome) error {
	left := s.left.Load()
	if left <= 0 {
		return nil
	}
	f := s.feeder()
	if out != nil && !out.Next.IsZero() {
		f.After = max(out.Next.Sub(s.opts.Now())-patience, 0)
	}
	_, err := f.Feed(ctx, host, s.job.Round, int(left))
	return err
}

func (s *shift) feeder() *frontier.Feeder {
	return &frontier.Feeder{
		Crawl: s.job.ID, Backlog: s.ports.Backlog, Queue: s.ports.Queue, Gauge: s.ports.Gauge, Now: s.opts.Now, Idle: true,
	}
}
