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

// RedriveOptions choose letters. The zero value takes them all.
type RedriveOptions struct {
	Queue   string   // Frontier, Seeds or Clean; "" for all
	Crawl   string   // "" for all
	Letters []string // by their ids; none: all
	Discard bool     // delete letters and send none back: those that are not valid, and those that Letters names
	DryRun  bool     // only tell what would be done
}

// Redriven is what became of dead letters.
type Redriven struct {
	Stack   string         `json:"stack"`
	DryRun  bool           `json:"dry_run"`
	Discard bool           `json:"discard"` // letters were to be deleted
	Queues  []RedriveCount `json:"queues"`
	Letters []Letter       `json:"letters"`
	Resumed []string       `json:"resumed"` // crawls whose frontier was empty, and that go on
	Missing []string       `json:"missing"` // ids that none of the letters has
}

// RedriveCount counts the letters of one dead-letter queue.
type RedriveCount struct {
	Queue     string `json:"queue"`
	Back      int    `json:"back"`      // sent back, or that would be
	Stay      int    `json:"stay"`      // not valid; of a discard, valid
	Discarded int    `json:"discarded"` // deleted, or that would be
	Others    int    `json:"others"`    // not chosen: of other crawls, or with other ids
}

// Letter is a dead letter that was chosen.
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
	Why       string    `json:"why,omitempty"`  // it does not go back
	Body      string    `json:"body,omitempty"` // of one that does not go back, cut
}

// maxShown is how much of a body is shown, in bytes.
const maxShown = 500

// Redrive sends dead letters that are valid back to where they came from, and
// tells why the others stay. Links that the ledger has as dead are queued
// again; a crawl that had come to the end of its frontier goes on. Or it deletes
// letters, for good.
func (o *Operator) Redrive(ctx context.Context, opts RedriveOptions) (*Redriven, error) {
	if opts.Crawl != "" && !opts.Discard { // letters of a crawl that is gone are to be discarded, too
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
	if err := errors.Join(err, r.wake(ctx)); err != nil { // also for what was sent back before an error
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
	crawls map[string]bool // that letters were sent back to
	sent   int
}

// missing returns the ids that no letter had.
func (r *redrive) missing() []string {
	var missing []string
	for _, id := range r.opts.Letters {
		if !slices.ContainsFunc(r.out.Letters, func(l Letter) bool { return l.ID == id }) {
			missing = append(missing, id)
		}
	}
	return missing
}

// chosen reports whether a letter is one of those that the options choose.
func (r *redrive) chosen(l *sqsqueue.Letter, crawl string) bool {
	return (r.opts.Crawl == "" || crawl == r.opts.Crawl) && (len(r.opts.Letters) == 0 || slices.Contains(r.opts.Letters, l.ID))
}

// dead returns the dead-letter queue of that name.
func (r *redrive) dead(name string) *sqsqueue.Dead {
	p, res := r.o.parts, r.o.parts.Resources
	url, source := res.CleanDeadQueue, res.CleanQueue
	switch name {
	case Frontier:
		if !r.opts.Discard {
			return p.Queue.Dead() // which books what goes back
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

// queue deals with one queue.
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

// describe begins the report of a letter.
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

// shown cuts a body for the report.
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

// wake lets crawls go on whose frontier was empty, and turns the stack on for
// what was sent back.
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
		return fmt.Errorf("letters are sent back, but the stack is not on; resume a crawl of it: %w", err)
	}
	return nil
}
