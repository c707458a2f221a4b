package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"sluice/shared/aws/s3corpus"
	"sluice/shared/console/cost"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/seeding"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/topic"
)

// Limits of one message; more seeds go as objects under seeds/.
const (
	inlineSeeds = job.MaxSeeds
	inlineBytes = 200 << 10
	headSeeds   = 1_000 // of a start whose list goes as objects
	headBytes   = 100 << 10
)

// Defaults of template.yaml for a forecast, which cannot see what a stack was
// deployed with.
const (
	defaultPages = 10_000
	defaultDelay = time.Second
)

// Order is what a user asks a stack to crawl.
type Order struct {
	job.Message            // Topic is a key in the bucket; "" for TopicFile or an existing crawl
	TopicFile   *TopicFile // nil: none
	List        *List      // more seeds; nil: none
}

// Seeding is a checked order that is not sent yet.
type Seeding struct {
	Starts   bool      // a crawl, rather than giving seeds to an existing one
	Forecast *Forecast // of a start with a cost cap; else nil

	o       *Operator
	crawl   string
	message *job.Message // nil: all seeds are in objects
	body    []byte
	shelf   *shelf // of a start
	objects []listObject
	seeds   int
	crawls  []string // the refreshed crawls, newest first
	begins  []string // seeds of a start, those of the topic or the refreshed crawl included
}

// Prepare checks an order. Errors of the user wrap ErrRequest, job.ErrUnknown
// or job.ErrBadMessage.
func (o *Operator) Prepare(ctx context.Context, order Order) (*Seeding, error) {
	m := &order.Message
	if err := job.CheckID(m.Crawl); err != nil {
		return nil, requestError{err}
	}
	given := m.Seeds
	seeds, err := canonical(given, func(i int) string { return fmt.Sprintf("%q", given[i]) })
	if err != nil {
		return nil, err
	}
	s := &Seeding{o: o, crawl: m.Crawl}
	if m.RefreshOf != "" {
		before, err := o.refreshed(ctx, m.RefreshOf, m.Crawl)
		if err != nil {
			return nil, err
		}
		s.crawls = before.Refreshed()
		if m.Topic == "" && order.TopicFile == nil {
			m.Topic = before.Topic
		}
	}
	if s.shelf, err = o.start(ctx, &order); err != nil {
		return nil, err
	}
	s.Starts = s.shelf != nil
	m.Topic = ""
	if s.Starts {
		m.Topic = s.shelf.key
	}
	if err := s.pack(m, seeds, order.List); err != nil {
		return nil, err
	}
	if !s.Starts && s.seeds == 0 {
		return nil, request("crawl %s exists: give it seeds, or change it with sluice resume, pause or stop", m.Crawl)
	}
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	if s.Starts && m.MaxCost > 0 {
		s.Forecast, err = s.forecast()
	}
	return s, err
}

// start returns the topic that the order starts a crawl with, nil if the crawl
// exists.
func (o *Operator) start(ctx context.Context, order *Order) (*shelf, error) {
	m := &order.Message
	j, err := o.parts.Jobs.Get(ctx, m.Crawl)
	if err != nil && !errors.Is(err, job.ErrUnknown) {
		return nil, err
	}
	named := m.Topic != "" || order.TopicFile != nil
	if j == nil && !named {
		return nil, fmt.Errorf("%w: %s; name a topic to start it (a crawl started a moment ago may not exist yet)", job.ErrUnknown, m.Crawl)
	}
	var s *shelf
	switch {
	case order.TopicFile != nil:
		s, err = o.shelve(ctx, order.TopicFile)
	case m.Topic != "":
		s, err = o.shelved(ctx, m.Topic)
	default:
		err = nil
	}
	switch {
	case err != nil:
		return nil, err
	case j == nil:
		return s, nil
	case s != nil && s.key != j.Topic:
		return nil, request("crawl %s exists already, with topic %s", m.Crawl, j.Topic)
	case m.Scope != nil, len(m.Given()) > 0, m.MaxCost > 0, m.Delay != nil, m.RandomSeed != 0, m.Archive != "", m.RefreshOf != "":
		return nil, request("crawl %s exists already and keeps its settings; raise its budgets with sluice resume", m.Crawl)
	}
	m.Contact = "" // only a start has one
	return nil, nil
}

// shelved returns a topic that is in the bucket.
func (o *Operator) shelved(ctx context.Context, key string) (*shelf, error) {
	compiled, err := o.parts.Topics.Get(ctx, key)
	if err != nil {
		return nil, asRequest(err)
	}
	return &shelf{key: key, topic: compiled}, nil
}

// asRequest marks errors of topics and messages as those of the request.
func asRequest(err error) error {
	if f := fault.Of(err); f.Class == fault.Poison || f.Rule == s3corpus.RuleNoTopic || f.Rule == s3corpus.RuleBadTopic {
		return requestError{err}
	}
	return err
}

// pack divides seeds between the message and objects.
func (s *Seeding) pack(m *job.Message, seeds []string, list *List) error {
	all, plain := seeds, true
	if list != nil {
		more, isPlain, err := list.urls()
		if err != nil {
			return err
		}
		plain = isPlain
		if all, err = canonical(append(seeds[:len(seeds):len(seeds)], more...), nil); err != nil {
			return err
		}
	}
	s.seeds = len(all)
	head := fitting(all, inlineSeeds, inlineBytes)
	switch {
	case plain && head == len(all):
	case plain && s.Starts:
		head = fitting(all, headSeeds, headBytes)
		s.objects = listObjects(m.Crawl, all[head:])
	case plain:
		head, s.objects = 0, listObjects(m.Crawl, all)
	default: // unchanged, to keep the titles of its entries
		s.objects = []listObject{{seedsKey(m.Crawl, list.Data), list.Data}}
		head = len(seeds)
		if s.Starts && head == 0 { // else it would begin with the topic's seeds
			head = fitting(all, headSeeds, headBytes)
		}
	}
	if head > 0 || s.Starts {
		m.Seeds = all[:head]
		s.message = m
	}
	return nil
}

// fitting returns how many URLs fit within the limits.
func fitting(urls []string, most, bytes int) int {
	for i, u := range urls {
		if bytes -= len(u) + len(`"",`); i == most || bytes < 0 {
			return i
		}
	}
	return len(urls)
}

// check refuses what the seed function would refuse, as far as it can be
// checked here.
func (s *Seeding) check(ctx context.Context) (err error) {
	if s.message == nil {
		return nil
	}
	if s.body, err = s.message.Encode(); err != nil || !s.Starts {
		return err
	}
	j, err := s.message.Job(job.Defaults{Now: s.o.now()})
	if err != nil {
		return err
	}
	if _, err := seeding.Follow(ctx, s.o.parts.Jobs, s.o.parts.Topics, j); err != nil {
		return asRequest(err)
	}
	planned, err := plan.Of(j, s.shelf.topic)
	if err != nil {
		return requestError{err}
	}
	s.begins = plan.Names(planned.Seeds)
	return nil
}

func (s *Seeding) forecast() (*Forecast, error) {
	m, t := s.message, s.shelf.topic.File
	delay := defaultDelay
	if m.Delay != nil {
		delay = *m.Delay
	}
	rendered := 0.0 // nobody knows how many need it
	if t.Render == topic.RenderAlways {
		rendered = 1
	}
	return NewForecast(cost.Plan{
		Pages: cmp.Or(m.MaxPages, defaultPages), Hosts: hostsOf(s.begins), Delay: delay, Links: PlannedLinks, Relevant: PlannedRelevant, Rendered: rendered,
		Archived: ArchivedShare(cmp.Or(m.Archive, t.Archive, corpus.ArchiveAll), PlannedRelevant),
	}, t.Strategy, s.o.parts.Resources.Capacity())
}
