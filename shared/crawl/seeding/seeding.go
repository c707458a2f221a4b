// Package seeding starts crawls and gives them seeds, from a message, a bare
// URL or an object under seeds/. All of these may be delivered twice.
package seeding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// Ports are the dependencies of a Seeder.
type Ports struct {
	Jobs    job.Registry
	Topics  Topics
	Objects Objects
	Ledger  ledger.Ledger
	Backlog frontier.Backlog
	Queue   frontier.Sender
	Gauge   frontier.Gauge
	Switch  Switch
}

// Topics reads topics by their name in the stack; a name without one is a
// Permanent fault.
type Topics interface {
	Get(ctx context.Context, key string) (*topic.Compiled, error)
}

// Objects reads objects under seeds/.
type Objects interface {
	Get(ctx context.Context, key string) ([]byte, error)
}

// Switch turns the stack's pollers and its clock on.
type Switch interface {
	On(ctx context.Context) error
}

// Options are the stack's defaults for crawls.
type Options struct {
	MaxPages int
	Delay    time.Duration
	Manners  plan.Manners
	Now      func() time.Time
	Log      *slog.Logger
}

// Seeder starts crawls. It is safe for concurrent use.
type Seeder struct {
	ports Ports
	opts  Options
}

// New returns a seeder.
func New(ports Ports, opts Options) *Seeder {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &Seeder{ports: ports, opts: opts}
}

// Message carries out a message (see job.ParseMessage): it starts a crawl, or
// gives seeds to an existing one. A message that cannot be carried out is a
// Poison fault with the reason.
func (s *Seeder) Message(ctx context.Context, body []byte) error {
	m, err := job.ParseMessage(body)
	if err != nil {
		return err
	}
	var j *job.Job
	switch {
	case m.Crawl == "":
		j, err = s.only(ctx)
	case m.Topic == "":
		j, err = s.find(ctx, m.Crawl)
	default:
		j, err = s.start(ctx, m)
	}
	if err != nil {
		return err
	}
	seeds := m.Seeds
	if len(seeds) == 0 {
		seeds = j.Seeds
	}
	if len(seeds) == 0 {
		if seeds, err = topicSeeds(ctx, s.ports.Topics, j); err != nil {
			return err
		}
	}
	return s.give(ctx, j, Links(seeds))
}

// only returns the crawl that a bare URL is for: the one that is running.
func (s *Seeder) only(ctx context.Context) (*job.Job, error) {
	jobs, err := s.ports.Jobs.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list crawls: %w", err)
	}
	var running *job.Job
	for _, j := range jobs {
		switch {
		case j.State != job.Running:
		case running != nil:
			return nil, poison("which_crawl", "crawls %s and %s are running: name the one that the URL is a seed of", running.ID, j.ID)
		default:
			running = j
		}
	}
	if running == nil {
		return nil, poison("which_crawl", "no crawl is running that the URL could be a seed of")
	}
	return running, nil
}

// find returns a crawl that exists.
func (s *Seeder) find(ctx context.Context, id string) (*job.Job, error) {
	j, err := s.ports.Jobs.Get(ctx, id)
	switch {
	case errors.Is(err, job.ErrUnknown):
		return nil, poison("unknown_crawl", "no crawl %q: name a topic to start it", id)
	case err != nil:
		return nil, fmt.Errorf("read crawl %s: %w", id, err)
	}
	return j, nil
}

// start creates the crawl of a message. An existing one was started by an
// earlier delivery, unless the message differs.
func (s *Seeder) start(ctx context.Context, m *job.Message) (*job.Job, error) {
	now := s.opts.Now()
	j, err := m.Job(job.Defaults{
		MaxPages: s.opts.MaxPages, Delay: s.opts.Delay, Contact: s.opts.Manners.Contact, Now: now.UTC(),
	})
	if err != nil {
		return nil, err
	}
	before, err := Follow(ctx, s.ports.Jobs, s.ports.Topics, j)
	if err != nil {
		return nil, err
	}
	if err := s.check(ctx, j, before); err != nil {
		return nil, err
	}
	if j.RandomSeed != 0 {
		j.Round = 1
	}
	err = s.ports.Jobs.Create(ctx, j)
	if err == nil {
		s.opts.Log.InfoContext(ctx, "crawl started", "crawl", j.ID, "topic", j.Topic, "seeds", len(j.Seeds))
		return j, nil
	}
	if !errors.Is(err, job.ErrExists) {
		return nil, err
	}
	there, err := s.find(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	if err := Repeats(m, there); err != nil {
		return nil, fault.New(fault.Poison, "crawl_exists", err)
	}
	return there, nil
}

// Follow makes a refresh visit the pages of the earlier crawl, or of the newest refresh of
// that, and start from its seeds, unless its message has others. It leaves out pages that the
// earlier crawl forgot. It returns that crawl, nil for none.
func Follow(ctx context.Context, jobs job.Registry, topics Topics, j *job.Job) (*job.Job, error) {
	if len(j.RefreshOf) == 0 {
		return nil, nil
	}
	of := j.RefreshOf[0]
	before, err := Newest(ctx, jobs, of, j.ID)
	switch {
	case errors.Is(err, job.ErrUnknown):
		return nil, poison("unknown_crawl", "no crawl %q that %q could refresh", of, j.ID)
	case err != nil:
		return nil, fmt.Errorf("read crawl %s: %w", of, err)
	}
	j.RefreshOf, j.Forgotten = before.Refreshed(), before.Forgotten
	if len(j.Seeds) == 0 {
		j.Seeds = before.Seeds
	}
	if len(j.Seeds) == 0 && before.Topic != j.Topic { // it began at the seeds of its topic
		if j.Seeds, err = topicSeeds(ctx, topics, before); err != nil {
			return nil, err
		}
	}
	if j.Scope == nil {
		j.Scope = before.Scope
	}
	if len(j.Overrides) == 0 {
		j.Overrides = before.Overrides
	}
	if err := j.Validate(); err != nil { // it could be among them
		return nil, fault.New(fault.Poison, "bad_crawl", fmt.Errorf("start crawl %s: %w", j.ID, err))
	}
	return before, nil
}

// Newest returns the last of the refreshes of a crawl, of those of that, and so on, but for
// the one that is being started; a crawl without any itself. So a schedule may name the same
// crawl each time. If that does not exist, the error is job.ErrUnknown.
func Newest(ctx context.Context, jobs job.Registry, id, starting string) (*job.Job, error) {
	last, err := jobs.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	all, err := jobs.List(ctx)
	if err != nil {
		return nil, err
	}
	for {
		next := last
		for _, j := range all {
			if j.ID != starting && slices.Contains(j.RefreshOf, last.ID) && j.Created.After(next.Created) {
				next = j
			}
		}
		if next == last {
			return last, nil
		}
		last = next
	}
}

// check fills in the topic's settings, and refuses a crawl that could not run:
// its topic is missing or damaged, or it has no seeds or no contact. A refresh by the
// same topic keeps the strategy of the crawl before, and archives what that did.
func (s *Seeder) check(ctx context.Context, j, before *job.Job) error {
	t, err := s.ports.Topics.Get(ctx, j.Topic)
	if err != nil {
		return fmt.Errorf("start crawl %s: %w", j.ID, err)
	}
	if d := t.File.Budgets.MaxDuration; j.Deadline.IsZero() && d > 0 {
		j.Deadline = j.Created.Add(d)
	}
	j.Strategy = t.File.Strategy
	archive := cmp.Or(t.File.Archive, corpus.ArchiveAll)
	if before != nil && before.Topic == j.Topic {
		j.Strategy, archive = before.Strategy, cmp.Or(before.Archive, corpus.ArchiveKept)
	}
	j.Archive = cmp.Or(j.Archive, archive)
	j.Structured = t.File.Template != ""
	if err := s.rehearse(j, t); err != nil {
		return fault.New(fault.Poison, "bad_crawl", fmt.Errorf("start crawl %s: %w", j.ID, err))
	}
	return nil
}

// rehearse prepares a crawl as every worker does, to find errors early, and notes its
// order.
func (s *Seeder) rehearse(j *job.Job, t *topic.Compiled) error {
	params, err := plan.Of(j, t)
	if err != nil {
		return err
	}
	_, visitor, err := params.Begin(s.opts.Manners)
	if err != nil {
		return err
	}
	visitor.Close()
	return plan.Order(j, t)
}

// topicSeeds returns the seeds of a crawl's topic.
func topicSeeds(ctx context.Context, topics Topics, j *job.Job) ([]string, error) {
	t, err := topics.Get(ctx, j.Topic)
	if err != nil {
		return nil, fmt.Errorf("read topic of %s: %w", j.ID, err)
	}
	urls, err := plan.Seeds(nil, t)
	if err != nil {
		return nil, fault.New(fault.Poison, "bad_crawl", err)
	}
	return plan.Names(urls), nil
}

// Links returns the links of seeds by their canonical URLs.
func Links(urls []string) []frontier.Link {
	out := make([]frontier.Link, len(urls))
	for i, u := range urls {
		out[i] = Link(u)
	}
	return out
}

// Link returns the link of a seed by its canonical URL.
func Link(url string) frontier.Link {
	return frontier.Link{URL: url, Seed: url, IsSeed: true, Priority: frontier.SeedPriority}
}

// host returns the host of a canonical URL.
func host(url string) string {
	u, err := urlnorm.Parse(url)
	if err != nil {
		return ""
	}
	return u.Host()
}

func poison(rule, format string, args ...any) error {
	return fault.New(fault.Poison, rule, fmt.Errorf(format, args...))
}
