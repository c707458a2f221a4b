package step

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"sluice/shared/fault"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
	"sluice/shared/web/urlnorm"
)

// maxCause is how many characters are kept of why a host cannot be reached.
const maxCause = 200

// failed handles a fetch that did not return a page.
func (r *run) failed(ctx context.Context, v *visit, cause error) (turn, error) {
	f := fault.Of(cause)
	if f.Class == fault.Permanent {
		rule := f.Rule
		if v.prior.current() && isGone(v.resp) {
			rule = RuleGone
		}
		return goOn, r.reject(ctx, v, rule, cause.Error())
	}
	next := goOn
	wait := backoff(v.link.Attempts)
	if v.resp == nil {
		url := hash32(v.link.URL)
		v.wentDown = goesDown(&r.lease.State, url, f.Rule)
		r.lease.State.Fail(url, fault.Clip(cause.Error(), maxCause))
		if n := r.lease.State.Failures - failuresBeforePause; n >= 0 && v.wentDown {
			wait, next = min(firstHostPause<<n, mostHostPause), halt
		} else if r.lease.State.Failures%failuresBeforePause == 0 {
			next = halt
		}
		if r.lease.State.Failures == 1 {
			r.opts.Log.WarnContext(ctx, "host cannot be reached", "host", r.task.Host, "url", v.link.URL, "err", cause)
		}
	}
	if f.Class == fault.After {
		// The server named a time, which applies to all of its pages.
		next = halt
		if !v.wentDown || wait < f.Delay {
			wait = f.Delay
		}
	}
	if next == halt {
		r.delay, r.out.Why = wait, f.Rule
		if t := r.opts.Now().Add(wait); t.After(r.lease.Next) {
			r.lease.Next = t
		}
	}
	return next, r.tryLater(ctx, v, f, wait)
}

// goesDown reports whether a failure to fetch a URL is due to its host, by the host's state
// before. The first failure since the host answered may be due to the page, and so may others
// if this page alone takes too long or breaks off.
func goesDown(host *hosts.State, url uint32, rule string) bool {
	if !host.Answered || host.Failures == 0 {
		return false
	}
	switch rule {
	case "connect", "dns", hosts.RuleUnreachable:
		return true
	case "timeout", "truncated":
		return host.Failed != url
	}
	return false
}

// tryLater sets a link aside after a failed attempt, or buries it after the last.
func (r *run) tryLater(ctx context.Context, v *visit, f *fault.Error, wait time.Duration) error {
	if !v.wentDown {
		v.link.Attempts++
	}
	if v.link.Attempts >= r.opts.MaxAttempts {
		v.trace.Link = v.link
		return r.bury(ctx, v, f)
	}
	r.setAside(v.link, wait)
	return nil
}

// backoff is the wait before another attempt: 2 s, doubled each time, at
// most 5 min.
func backoff(attempts int) time.Duration {
	return min(2*time.Second<<min(attempts, 10), 5*time.Minute)
}

// setAside keeps a link for a later message.
func (r *run) setAside(l frontier.Link, wait time.Duration) {
	r.retries = append(r.retries, l)
	r.retryIn = max(r.retryIn, wait)
}

// bury puts a link among the dead letters, then finishes it.
func (r *run) bury(ctx context.Context, v *visit, f *fault.Error) error {
	t := *r.task
	t.Links = []frontier.Link{v.link}
	if err := r.ports.Dead.Bury(ctx, &t, f.Error()); err != nil {
		return fmt.Errorf("bury %s: %w", v.link.URL, err)
	}
	r.out.Dead++
	v.entry.Verdict, v.entry.Rule = ledger.Dead, f.Rule
	v.trace.Detail = f.Error()
	r.finish(v)
	return nil
}

// reject records why a page is not in the corpus, then finishes it.
func (r *run) reject(ctx context.Context, v *visit, rule, detail string) error {
	if err := r.putReject(ctx, v, r.newReject(v, rule, detail)); err != nil {
		return err
	}
	r.finish(v)
	return nil
}

// newReject makes the record of why a page is not kept, and notes it in the
// visit.
func (r *run) newReject(v *visit, rule, detail string) *corpus.Reject {
	v.entry.Verdict, v.entry.Rule = ledger.Rejected, rule
	v.trace.Detail = detail
	previous := ""
	if v.change() == ledger.Gone {
		previous = corpus.DocumentID(v.link.URL, v.prior.version())
	}
	reject := &corpus.Reject{
		URL: v.link.First(), FinalURL: v.link.URL, Rule: rule, Detail: detail, Status: v.trace.Status, Title: v.trace.Title,
		Date: corpus.Date{Time: r.opts.Now().UTC()}, Depth: v.link.Depth, Parent: v.link.Parent, Anchor: v.link.Anchor, Topic: r.plan.Topic,
		Previous: previous,
	}
	r.plan.MaskReject(reject)
	return reject
}

func (r *run) putReject(ctx context.Context, v *visit, reject *corpus.Reject) error {
	if err := r.ports.Corpus.Reject(ctx, reject); err != nil {
		return fmt.Errorf("record reject %s: %w", reject.URL, err)
	}
	v.entry.Segment = reject.Segment
	return nil
}

// ending is the end of a visit until its state row is written.
type ending struct {
	ledger.End
	url  urlnorm.URL
	read bool // a page was read and judged
	list bool // it was one for links

	coverage job.Coverage // by its document
}

// learner returns the strategy of a crawl that learns, else nil. What a reproducible
// crawl decides must not depend on which page came first.
func (r *run) learner() rank.Learner {
	l, ok := r.plan.Strategy.(rank.Learner)
	if !ok || r.plan.reproducible() {
		return nil
	}
	return l
}

// learn tells a strategy that learns what came of a fetch, unless it was one for
// links: for this process and, with the host, for the others. A page that another
// delivery has ended was counted there.
func (r *run) learn(e *ending) {
	l := r.learner()
	if l == nil || e.list {
		return
	}
	switch e.Entry.Verdict {
	case ledger.Kept, ledger.Passed, ledger.Rejected, ledger.Dead:
		kept := e.Entry.Verdict == ledger.Kept
		l.Learn(e.url, kept)
		counts := rank.HostCounts(r.lease.State.Learned)
		if counts == nil {
			counts = rank.HostCounts{}
		}
		counts.Learn(e.url, kept)
		r.lease.State.Learned = counts
	}
}

// finish ends a visit. Its state row, the last effect, is written by commit.
func (r *run) finish(v *visit) {
	v.entry.Round = v.link.Round
	v.entry.Below = v.entry.Fetched && !r.plan.Structured && v.link.Priority < r.plan.Strategy.Line()
	v.entry.Change = v.change()
	v.entry.At = r.opts.Now().UTC()
	v.entry.Trace = v.trace.encode()
	r.ends = append(r.ends, ending{
		End: ledger.End{URL: v.link.URL, Entry: &v.entry}, url: v.url,
		read: v.read, list: v.list || v.link.IsSource, coverage: v.coverage,
	})
}

// commit makes the blobs of the ended pages and the links that were found
// durable, then writes the state rows of the pages. If another delivery has
// written a row first, that is not an error: its work counts.
func (r *run) commit(ctx context.Context) error {
	ends := r.ends
	r.ends = nil
	if len(ends) > 0 {
		if err := r.ports.Corpus.Sync(ctx); err != nil {
			return fmt.Errorf("sync corpus: %w", err)
		}
	}
	if len(ends) > 0 || r.took { // the links of these pages may be in others' hands
		if err := r.ports.Intake.Store(ctx); err != nil {
			return fmt.Errorf("store links: %w", err)
		}
		r.took, r.sitemaps = false, r.lease.State.Sitemaps
	}
	if len(ends) == 0 {
		return nil
	}
	rows := make([]ledger.End, len(ends))
	var coverage job.Coverage
	for i := range ends {
		rows[i], coverage = ends[i].End, ends[i].coverage.With(coverage)
	}
	if len(coverage.Documents) > 0 && r.ports.Coverages != nil { // before the totals count them
		if err := r.ports.Coverages.Cover(ctx, r.task.Crawl, coverage); err != nil {
			return fmt.Errorf("cover %d pages of %s: %w", len(ends), r.task.Host, err)
		}
	}
	refused, err := r.ports.Ledger.Complete(ctx, r.task.Crawl, rows)
	if err != nil {
		return fmt.Errorf("complete %d pages of %s: %w", len(ends), r.task.Host, err)
	}
	for i, end := range ends {
		switch err := refused[i]; {
		case err == nil:
			r.known.Change(keyOf(end.URL), func(o offered) offered {
				o.ended = true
				return o
			})
			r.learn(&end)
			r.count(&end)
		case !errors.Is(err, ledger.ErrDone):
			return fmt.Errorf("complete %s: %w", end.URL, err)
		}
	}
	r.digests = maps.Clone(r.lease.State.Digests)
	return nil
}

// count adds the end of a page to the outcome.
func (r *run) count(e *ending) {
	end := End{Fetched: e.Entry.Fetched, Read: e.read, Kept: e.Entry.Verdict == ledger.Kept, Below: e.Entry.Below, Covers: len(e.coverage.Documents) > 0}
	if end.Fetched {
		r.out.Fetched++
	}
	if end.Kept {
		r.out.Kept++
	}
	if r.grant.Ended != nil {
		r.grant.Ended(end)
	}
}
