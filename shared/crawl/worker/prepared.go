package worker

import (
	"context"
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
	"sluice/shared/web/outage"
)

// patience is how long a task may wait in place for its host, while the others
// of its batch continue.
const patience = 5 * time.Second

// In an outage, a task waits in place for a while, since another host of its batch may
// answer, and then in its queue. For how long at most is known only by the host: the next
// worker may be another one.
const (
	outageHold  = 10 * time.Second
	outageAgain = time.Minute
	maxOutage   = time.Hour
)

// Topics reads topics by their name in the stack.
type Topics interface {
	// Get returns a topic as it is now; the pointer is the same as long as the
	// topic is.
	Get(ctx context.Context, key string) (*topic.Compiled, error)
}

// Outputs collects the output of a batch's tasks, and stores it together.
type Outputs interface {
	// Begin says that tasks begin to work on a crawl; each calls done when it
	// has ended. Sync of the crawl's store waits for those that have not.
	Begin(crawl string, tasks int) (done func())
	// Corpus and Decisions of a crawl.
	Corpus(crawl string) corpus.Store
	Decisions(crawl string) ledger.Decisions
}

// prepared is a worker's data of a crawl, until the crawl changes.
type prepared struct {
	job     job.Job // as it was
	topic   *topic.Compiled
	words   *topic.Compiled // by which it reads: topic, or what it has learned
	pages   int             // budget
	left    atomic.Int64    // of the budget, as this worker knows it
	visitor *plan.Visitor
	outbox  *outbox
	plan    *step.Plan
	step    *step.Step
}

// mostPrepared is how many crawls a worker keeps at a time.
const mostPrepared = 4

// prepare prepares the work on a crawl, or returns the cached result, unless
// the topic or the settings of the crawl have changed.
func (w *Worker) prepare(ctx context.Context, j *job.Job) (*prepared, error) {
	t, err := w.ports.Topics.Get(ctx, j.Topic)
	if err != nil {
		return nil, fmt.Errorf("read topic of %s: %w", j.ID, err)
	}
	words, err := w.ports.Topics.Get(ctx, j.TopicKey())
	if err != nil {
		return nil, fmt.Errorf("read what %s has learned: %w", j.ID, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.prepared[j.ID]; c != nil && c.topic == t && samePlan(c.job, *j) {
		return c, c.adjust(j, words)
	}
	c, err := w.newPrepared(j, t)
	if err != nil {
		return nil, fmt.Errorf("plan crawl %s: %w", j.ID, err)
	}
	if err := c.adjust(j, words); err != nil {
		return nil, err
	}
	if len(w.prepared) >= mostPrepared {
		clear(w.prepared)
	}
	w.prepared[j.ID] = c
	return c, nil
}

func (w *Worker) newPrepared(j *job.Job, t *topic.Compiled) (*prepared, error) {
	params, err := plan.Of(j, t)
	if err != nil {
		return nil, err
	}
	planned, visitor, err := params.Begin(w.opts.Manners)
	if err != nil {
		return nil, err
	}
	if w.ports.Web != nil {
		visitor.Client = fetch.NewJars(w.ports.Web)
	}
	visitor.Client = hasty{visitor.Client, w.opts.FetchTime, w.opts.Reserve}
	visitor.Client = outage.New(visitor.Client, outage.Options{Hold: outageHold, Again: outageAgain, Log: w.opts.Log})
	var browser step.Browser
	if w.ports.Browse != nil && planned.Render != "" {
		manners := w.opts.Manners
		manners.Contact = params.Contact
		shows, err := w.ports.Browse(manners, visitor)
		if err != nil {
			return nil, err
		}
		browser = hastyBrowser{shows, w.opts.Reserve}
	}
	opts := w.opts.Step
	opts.MaxOutage = maxOutage
	opts.Patience, opts.Thrift, opts.Log, opts.Now = patience, true, w.opts.Log, w.opts.Now
	p := &w.ports
	c := &prepared{job: *j, topic: t, words: t, pages: params.Pages(), visitor: visitor, plan: planned}
	c.outbox = newOutbox(p, &w.opts, j.ID, &c.left, j.RandomSeed == 0)
	robots := &hosts.Robots{Client: visitor, Cache: p.Robots, Now: w.opts.Now}
	var prior step.Prior
	if len(j.RefreshOf) > 0 {
		prior = &ledger.Generations{Reader: p.Entries, Crawls: j.RefreshOf}
		robots.Since = j.Created
	}
	c.step = step.New(planned, step.Ports{
		Prior: prior,
		Fetch: visitor, Guard: visitor.Guard,
		Robots: robots,
		Leases: p.Leases, Ledger: p.Ledger, History: p.History, Decisions: p.Outputs.Decisions(j.ID),
		Backlog: p.Backlog, Raiser: p.Raiser, Intake: c.outbox, Dead: p.Dead, Corpus: p.Outputs.Corpus(j.ID),
		Browser: browser, Coverages: p.Coverages, Analyses: p.Analyses,
	}, opts)
	return c, nil
}

// adjust applies settings that may change while a crawl runs, and the words that it has
// learned.
func (c *prepared) adjust(j *job.Job, words *topic.Compiled) error {
	if c.words == words && reflect.DeepEqual(c.job.Thresholds, j.Thresholds) {
		return nil
	}
	params, err := plan.Of(j, c.topic)
	if err != nil {
		return err
	}
	params.Topic = words.As(j.Strategy)
	planned, err := params.Adjust(c.plan)
	if err != nil {
		return fmt.Errorf("adjust crawl %s: %w", j.ID, err)
	}
	c.job.Thresholds, c.words, c.plan = j.Thresholds, words, planned
	c.step.Adjust(planned)
	return nil
}

// samePlan reports whether two states of a crawl have the same plan, except for
// settings that may change while it runs.
func samePlan(a, b job.Job) bool {
	for _, j := range []*job.Job{&a, &b} {
		j.Deadline, j.MaxCost, j.Round, j.Quiet, j.Spent = time.Time{}, 0, 0, 0, nil
		j.State, j.Reason, j.Updated, j.Revision, j.Thresholds, j.Tuning = "", "", time.Time{}, 0, nil, nil
		j.Order, j.Records, j.Look = nil, nil, job.Look{}
	}
	return reflect.DeepEqual(a, b)
}

// hasty gives up on a server before the function ends, to leave time for
// storing the earlier pages.
type hasty struct {
	fetch.Client
	most    time.Duration
	reserve time.Duration
}

// Fetch implements fetch.Client.
func (c hasty) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	most := c.most
	if end, ok := ctx.Deadline(); ok {
		most = min(most, time.Until(end)-c.reserve)
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return c.Client.Fetch(ctx, r)
}

// hastyBrowser likewise gives up on a page.
type hastyBrowser struct {
	step.Browser
	reserve time.Duration
}

// Show implements step.Browser.
func (b hastyBrowser) Show(ctx context.Context, a *step.Answer) (*step.Shown, error) {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-b.reserve))
		defer cancel()
	}
	return b.Browser.Show(ctx, a)
}
