package operator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sluice/shared/aws/s3corpus"
	"sluice/shared/console"
	"sluice/shared/crawl/clean"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// mostWaiting limits how many links of a host are searched for a waiting one.
const mostWaiting = 1 << 17

// Explain returns the fate of a URL in any spelling. It searches the links of
// the host for a waiting link and every segment of the crawl for a dropped one,
// which may take a while.
func (o *Operator) Explain(ctx context.Context, id, raw string) (*console.Explanation, error) {
	u, err := urlnorm.Known(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadURL, err)
	}
	j, err := o.parts.Jobs.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	x := &console.Explanation{URL: u.String(), Fate: "unknown"}
	if err := o.trail(ctx, j, u, x); err != nil {
		return nil, fmt.Errorf("explain %s: %w", u, err)
	}
	if x.Robots, err = o.robots(ctx, u); err != nil {
		return nil, fmt.Errorf("explain %s: %w", u, err)
	}
	compiled, err := o.parts.Topics.Get(ctx, j.TopicKey())
	switch {
	case err == nil:
		x.Constants = constants(j, compiled)
	case fault.Of(err).Rule != s3corpus.RuleNoTopic && fault.Of(err).Rule != s3corpus.RuleBadTopic:
		return nil, fmt.Errorf("explain %s: %w", u, err)
	}
	return x, nil
}

// constants are those of the topic, and what the crawl has made of them.
func constants(j *job.Job, t *topic.Compiled) *console.Constants {
	c := console.ConstantsOf(t.As(j.Strategy).File)
	if j.Tuning != nil {
		c.Adjust(j.Tuning.Log)
	}
	if j.Thresholds != nil {
		c.PriorityThreshold = j.Thresholds.Priority
	}
	return c
}

// trail follows the URL through the stores.
func (o *Operator) trail(ctx context.Context, j *job.Job, u urlnorm.URL, x *console.Explanation) error {
	l := o.parts.Store.Ledger()
	entry, err := l.Entry(ctx, j.ID, x.URL)
	if err != nil {
		return err
	}
	if j.Forgotten.Contains(u) || entry != nil && entry.Verdict == ledger.Forgotten {
		x.Fate = string(ledger.Forgotten)
		return nil
	}
	if entry != nil {
		x.SetEntry(entry)
		switch entry.Verdict {
		case ledger.Kept:
			return o.refusedLater(ctx, x)
		case ledger.Dead:
			x.DeadReason, err = o.deadReason(ctx, j.ID, x.URL)
		}
		return err
	}
	states, err := l.States(ctx, j.ID, []string{x.URL})
	if err != nil {
		return err
	}
	host, err := o.parts.Store.Gauge().Standing(ctx, j.ID, u.Host(), true)
	switch {
	case err != nil:
		return err
	case states[0] == ledger.Absent && slices.Contains(host.Held, x.URL):
		x.Fate = "queued"
	case states[0] == ledger.Absent:
		before := &ledger.Generations{Reader: l, Crawls: j.RefreshOf}
		known, err := before.Entries(ctx, []string{x.URL})
		if err != nil {
			return err
		}
		if known[0] == nil {
			return o.dropped(ctx, j.ID, x)
		}
		x.SetEntry(known[0]) // no longer linked: the earlier entry still holds
		if x.Kept {
			return o.refusedLater(ctx, x)
		}
		return nil
	default:
		err = o.waiting(ctx, j, u, x)
	}
	if err == nil {
		x.DeadReason, err = o.deadReason(ctx, j.ID, x.URL) // a task that ended its workers
	}
	return err
}

// refusedLater adds the rule by which cleaning refused a page that the crawl
// had kept.
func (o *Operator) refusedLater(ctx context.Context, x *console.Explanation) error {
	name, ok := strings.CutPrefix(x.Entry.Segment, corpus.RawFolder+"/")
	if !ok {
		return nil
	}
	rejects, err := o.parts.Objects.Open(ctx, corpus.RejectFolder+"/"+clean.LinesName(name))
	if err != nil {
		if errors.Is(err, s3corpus.ErrNotFound) {
			return nil
		}
		return err
	}
	err = eachChunk(rejects, func(lines [][]byte) error {
		for _, line := range lines {
			var r corpus.Reject
			if err := json.Unmarshal(line, &r); err != nil {
				return fmt.Errorf("read rejects of %s: %w", x.Entry.Segment, err)
			}
			if r.FinalURL == x.URL {
				x.Fate, x.Rule, x.Kept = string(ledger.Rejected), r.Rule, false
			}
		}
		return nil
	})
	return errors.Join(err, rejects.Close())
}

// waiting tells a link in the backlog from one in a queue, which cannot be
// searched. A link of a closed host gets the rule that closed it.
func (o *Operator) waiting(ctx context.Context, j *job.Job, u urlnorm.URL, x *console.Explanation) error {
	x.Fate = "queued"
	links, err := o.parts.Store.Backlog().Best(ctx, j.ID, u.Host(), anyRound, mostWaiting)
	if err != nil {
		return err
	}
	for i := range links {
		if links[i].URL == x.URL {
			x.Fate, x.Link = "waiting", &links[i]
			return nil
		}
	}
	hosts, err := o.parts.Store.Gauge().Standings(ctx, j.ID)
	for _, h := range hosts {
		if h.Host == u.Host() && h.Closed != "" && h.Queued == 0 {
			x.Fate, x.Rule = "waiting", h.Closed
		}
	}
	return err
}

// dropped looks for the decision that dropped a link.
func (o *Operator) dropped(ctx context.Context, id string, x *console.Explanation) error {
	d, err := o.parts.Segments.Dropped(ctx, id, x.URL)
	if d != nil {
		x.Fate, x.Dropped, x.Rule, x.Link = "dropped", true, d.Rule, &d.Link
	}
	return err
}

// deadReason returns why a link is dead, "" if unknown.
func (o *Operator) deadReason(ctx context.Context, id, url string) (string, error) {
	links, _, err := o.parts.Queue.DeadLinks(ctx)
	for _, l := range links {
		if l.Crawl == id && l.Link.URL == url {
			return l.Reason, nil
		}
	}
	return "", err
}

func (o *Operator) robots(ctx context.Context, u urlnorm.URL) (*console.Robots, error) {
	rules, err := o.parts.Hosts.Robots(ctx, u.Scheme()+"://"+u.Authority(), time.Time{})
	if rules == nil {
		return nil, err
	}
	return &console.Robots{
		Allowed: rules.Allowed(u.String()), CrawlDelayS: rules.CrawlDelay().Seconds(),
		Fetched: rules.Fetched(), Expires: rules.Expires(),
	}, nil
}
