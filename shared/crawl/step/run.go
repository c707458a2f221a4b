package step

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
)

// run is the state of one run.
type run struct {
	*Step
	plan  *Plan // of all its pages
	task  *frontier.Task
	grant Grant
	lease *hosts.Lease
	end   time.Time
	out   *Outcome
	own   map[string]bool // URLs of the task
	fresh map[string]bool // hosts that got links

	robots map[string]*hosts.Rules // by scheme and authority
	past   map[string]*prior       // by URL, for links that earlier crawls know

	delay   time.Duration // before the rest of the task may continue
	retries []frontier.Link
	retryIn time.Duration

	renders []frontier.Link // for a worker with a browser

	ends     []ending       // of pages, not written yet
	took     bool           // links, not stored yet
	tried    bool           // a redirect for a wall of cookies, by its target alone
	digests  map[string]int // of the host's State, as of the ends that are written
	sitemaps bool           // of the host's State, as of the links that are stored
}

// bounce hands the whole task back because the host is busy: soon at first,
// later each time, never later than the lease's end.
func (r *run) bounce(until time.Duration) {
	t := *r.task
	t.Bounces++
	t.Hops++
	t.Sent = r.opts.Now().UTC()
	wait := min(until, time.Second<<min(t.Bounces, 6))
	r.out.Rest = append(r.out.Rest, frontier.Outgoing{Task: &t, Delay: max(wait, 0)})
}

// handBack makes messages of the rest: unprocessed links, and those with a
// retryable failure. It makes one message if the retries need not wait longer
// than the host itself, and one more of links for a worker with a browser.
func (r *run) handBack(left []frontier.Link) {
	add := func(links []frontier.Link, d time.Duration, render bool) {
		if len(links) == 0 {
			return
		}
		t := *r.task
		t.Links, t.Render = links, render
		t.Hops++
		t.Sent = r.opts.Now().UTC()
		if n := len(r.out.Rest); n > 0 { // the first goes on as the task
			t.Part += "." + strconv.Itoa(t.Hops)
			if n > 1 {
				t.Part += "r"
			}
		}
		r.out.Rest = append(r.out.Rest, frontier.Outgoing{Task: &t, Delay: max(d, 0)})
	}
	defer add(r.renders, max(r.delay, r.lease.Next.Sub(r.opts.Now())), true)
	if len(left) > 0 && r.retryIn <= r.delay {
		add(slices.Concat(r.retries, left), r.delay, r.task.Render)
		return
	}
	add(left, r.delay, r.task.Render)
	add(r.retries, r.retryIn, r.task.Render)
}

// turn is the next action of a run after a link.
type turn int

const (
	goOn      turn = iota // the link is finished or set aside: take the next
	halt                  // the same, but pause the host now
	haltFirst             // pause the host now; the link was not processed
	again                 // the host got another request first: process the link again
)

// links processes one link after the other and returns the unprocessed ones.
func (r *run) links(ctx context.Context) ([]frontier.Link, error) {
	left := r.task.Links
	if r.exhausted() == "" {
		var err error
		if left, err = r.undone(ctx); err == nil {
			err = r.recall(ctx, left)
		}
		if err != nil {
			return nil, err
		}
	}
	for len(left) > 0 {
		if rule := r.exhausted(); rule != "" {
			return nil, r.closeHost(ctx, rule, left)
		}
		if r.stopped() || !r.opts.Now().Before(r.end) {
			return left, nil
		}
		t, err := r.link(ctx, left[0])
		switch {
		case err != nil:
			return nil, err
		case t == haltFirst:
			return left, nil
		case t == halt:
			return left[1:], nil
		case t == again:
			continue
		}
		left = left[1:]
		if len(r.ends) >= r.opts.CommitEvery {
			if err := r.commit(ctx); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// undone returns the links of the task that have not ended. No other run ends them
// meanwhile, while this one has the lease of the host.
func (r *run) undone(ctx context.Context) ([]frontier.Link, error) {
	urls := frontier.URLs(r.task.Links)
	states, err := r.ports.Ledger.States(ctx, r.task.Crawl, urls)
	if err != nil {
		return nil, fmt.Errorf("look up the task's links of %s: %w", r.task.Host, err)
	}
	r.own = make(map[string]bool, len(urls))
	var done []string
	for i, u := range urls {
		if states[i] == ledger.Done {
			done = append(done, u)
		}
		r.own[u] = true
	}
	ended, err := r.ports.Ledger.Ended(ctx, r.task.Crawl, done)
	if err != nil {
		return nil, fmt.Errorf("look up the task's links of %s: %w", r.task.Host, err)
	}
	var left []frontier.Link
	for _, l := range r.task.Links {
		if !ended[l.URL] {
			left = append(left, l)
		}
	}
	return left, nil
}

// states looks up links. Those of the task are as good as done: this run fetches them,
// or hands them back.
func (r *run) states(ctx context.Context, urls []string) ([]ledger.State, error) {
	states, err := r.ports.Ledger.States(ctx, r.task.Crawl, urls)
	for i := range states {
		if r.own[urls[i]] {
			states[i] = ledger.Done
		}
	}
	return states, err
}

// exhausted names the rule by which the host gets no further fetch in this
// crawl, "" while it may.
func (r *run) exhausted() string {
	switch st := &r.lease.State; {
	case st.Pages >= r.plan.pages(r.task.Host):
		return RuleHostBudget
	case st.Failures >= maxHostFailures:
		return RuleHostDown
	}
	return ""
}

// closeHost closes the host for this crawl. Its links return to the backlog,
// where they can be counted and explained.
func (r *run) closeHost(ctx context.Context, rule string, left []frontier.Link) error {
	left = slices.Concat(left, r.retries, r.renders)
	r.retries, r.renders, r.out.Closed = nil, nil, true
	if err := r.ports.Backlog.Add(ctx, r.task.Crawl, left); err != nil {
		return fmt.Errorf("put back links of %s: %w", r.task.Host, err)
	}
	if err := r.ports.Backlog.Close(ctx, r.task.Crawl, r.task.Host, rule); err != nil {
		return fmt.Errorf("close host %s: %w", r.task.Host, err)
	}
	r.opts.Log.WarnContext(ctx, "host closed", "host", r.task.Host, "rule", rule, "links_left", len(left))
	return nil
}

func (r *run) stopped() bool {
	select {
	case <-r.grant.Stop:
		return true
	default:
		return false
	}
}
