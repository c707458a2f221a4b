package operator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/state/job"
)

// RedriveOptions choose letters. The zero value chooses all.
type RedriveOptions struct {
	Queue   string   // Frontier, Seeds or Clean; "" for all
	Crawl   string   // "" for all
	Letters []string // ids; none: all
	Discard bool     // delete letters instead: invalid ones, and those that Letters names
	DryRun  bool     // only report
}

// Redriven is the result of a redrive.
type Redriven struct {
	Stack   string         `json:"stack"`
	DryRun  bool           `json:"dry_run"`
	Discard bool           `json:"discard"` // letters were to be deleted
	Queues  []RedriveCount `json:"queues"`
	Letters []Letter       `json:"letters"`
	Resumed []string       `json:"resumed"` // crawls with an empty frontier that were resumed
	Missing []string       `json:"missing"` // ids without a letter
}

// RedriveCount counts the letters of one dead-letter queue.
type RedriveCount struct {
	Queue     string `json:"queue"`
	Back      int    `json:"back"`      // sent back, or would be
	Stay      int    `json:"stay"`      // invalid; when discarding, valid
	Discarded int    `json:"discarded"` // deleted, or would be
	Others    int    `json:"others"`    // not chosen: other crawls or ids
}

// Letter is a chosen dead letter.
type Letter struct {
	Queue     string    `json:"queue"`
	ID        string    `json:"id"`
	Crawl     string    `json:"crawl"` // "" where it names none
	URLs      []string  `json:"urls"`  // of a task or message
	Reason    string    `json:"reason"`
	Class     string    `json:"class"`
	Source    string    `json:"source"` // name of the queue it came from
	Sent      time.Time `json:"sent"`
	Back      bool      `json:"back"`
	Discarded bool      `json:"discarded"`
	Why       string    `json:"why,omitempty"`  // why it does not go back
	Body      string    `json:"body,omitempty"` // truncated; of a letter that does not go back
}

// maxShown is how many bytes of a body are shown.
const maxShown = 500

// Redrive sends valid dead letters back to their queues, and reports why the
// others stay. It queues links that the ledger has as dead again, and resumes
// crawls that had ended with an empty frontier. With Discard it deletes letters
// for good instead.
func (o *Operator) Redrive(ctx context.Context, opts RedriveOptions) (*Redriven, error) {
	if opts.Crawl != "" && !opts.Discard { // a discard may name a crawl that no longer exists
		if _, err := o.parts.Jobs.Get(ctx, opts.Crawl); err != nil {
			return nil, err
		}
	}
	jd, err := o.newJudge(ctx)
	if err != nil {
		return nil, err
	}
	r := &redrive{judge: jd, opts: opts, out: &Redriven{
		Stack: o.parts.Resources.Stack, DryRun: opts.DryRun, Discard: opts.Discard, Queues: []RedriveCount{}, Letters: []Letter{}, Resumed: []string{}, Missing: []string{},
	}, crawls: map[string]bool{}}
	for _, name := range []string{Frontier, Seeds, Clean} {
		if err != nil || opts.Queue != "" && opts.Queue != name {
			continue
		}
		if err = r.queue(ctx, name); err != nil {
			err = fmt.Errorf("redrive %s: %w", name, err)
		}
	}
	if err := errors.Join(err, r.wake(ctx)); err != nil { // even after an error, for the letters already sent back
		return nil, err
	}
	r.out.Missing = append(r.out.Missing, r.missing()...)
	return r.out, nil
}

// redrive is one call of Redrive.
type redrive struct {
	*judge
	opts   RedriveOptions
	out    *Redriven
	crawls map[string]bool // with letters sent back
	sent   int
}

// missing returns the ids without a letter.
func (r *redrive) missing() []string {
	var missing []string
	for _, id := range r.opts.Letters {
		if !slices.ContainsFunc(r.out.Letters, func(l Letter) bool { return l.ID == id }) {
			missing = append(missing, id)
		}
	}
	return missing
}

// chosen reports whether the options choose a letter.
func (r *redrive) chosen(l *sqsqueue.Letter, crawl string) bool {
	return (r.opts.Crawl == "" || crawl == r.opts.Crawl) && (len(r.opts.Letters) == 0 || slices.Contains(r.opts.Letters, l.ID))
}

// dead returns the named dead-letter queue.
func (r *redrive) dead(name string) *sqsqueue.Dead {
	p, res := r.o.parts, r.o.parts.Resources
	url, source := res.CleanDeadQueue, res.CleanQueue
	switch name {
	case Frontier:
		if !r.opts.Discard {
			return p.Queue.Dead() // records what goes back
		}
		url, source = res.FrontierDeadQueue, ""
	case Seeds:
		url, source = res.SeedsDeadQueue, res.SeedsQueue
	}
	if r.opts.Discard {
		return sqsqueue.NewDead(nowhere{p.SQS}, url, source, nil)
	}
	return sqsqueue.NewDead(p.SQS, url, source, nil)
}

// queue processes one queue.
func (r *redrive) queue(ctx context.Context, name string) error {
	count := RedriveCount{Queue: name}
	var failed error
	pick := func(l *sqsqueue.Letter) bool {
		if failed != nil {
			return false
		}
		verdict := r.judge.judge(ctx, name, l)
		if !r.chosen(l, verdict.crawl) {
			count.Others++
			return false
		}
		if r.opts.Discard {
			return r.discard(name, l, &verdict, &count)
		}
		if verdict.why == nil && !r.opts.DryRun && name == Frontier && verdict.crawl != "" {
			if failed = r.o.parts.Store.Ledger().Revive(ctx, verdict.crawl, verdict.urls); failed != nil {
				return false
			}
		}
		r.note(name, l, &verdict, &count)
		return verdict.why == nil
	}
	var err error
	if r.opts.DryRun {
		err = r.dead(name).Each(ctx, func(l sqsqueue.Letter) error {
			pick(&l)
			return nil
		})
	} else {
		_, err = r.dead(name).Redrive(ctx, pick)
	}
	if err == nil {
		err = failed
	}
	r.out.Queues = append(r.out.Queues, count)
	return err
}

// describe starts the report of a letter.
func describe(queue string, l *sqsqueue.Letter, verdict *letter) Letter {
	return Letter{
		Queue: queue, ID: l.ID, Crawl: verdict.crawl, URLs: append([]string{}, verdict.urls...),
		Reason: l.Reason, Class: l.Class, Source: l.Source, Sent: l.Sent,
	}
}

// note adds a letter to the report.
func (r *redrive) note(queue string, l *sqsqueue.Letter, verdict *letter, count *RedriveCount) {
	n := describe(queue, l, verdict)
	n.Back = verdict.why == nil
	if n.Back {
		count.Back++
		r.sent++
		r.crawls[verdict.crawl] = true
	} else {
		count.Stay++
		n.Why, n.Body = verdict.why.Error(), shown(l.Body)
	}
	r.out.Letters = append(r.out.Letters, n)
}

// shown truncates a body for the report.
func shown(body string) string {
	if len(body) <= maxShown {
		return body
	}
	n := maxShown
	for !utf8.RuneStart(body[n]) {
		n--
	}
	return body[:n] + "…"
}

// wake resumes crawls whose frontier was empty, and switches the stack on for
// the letters that were sent back.
func (r *redrive) wake(ctx context.Context) error {
	if r.sent == 0 || r.opts.DryRun {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(r.crawls)) {
		j := r.jobs[id]
		if j == nil || j.State != job.Done || j.Reason != job.ReasonFrontierEmpty {
			continue
		}
		if _, err := r.o.parts.Jobs.Update(ctx, id, (*job.Job).Reopen); err != nil {
			return fmt.Errorf("resume crawl %s: %w", id, err)
		}
		r.out.Resumed = append(r.out.Resumed, id)
	}
	if err := r.o.switchOn(ctx); err != nil {
		return fmt.Errorf("letters are sent back, but the stack is not switched on; resume one of its crawls: %w", err)
	}
	return nil
}
