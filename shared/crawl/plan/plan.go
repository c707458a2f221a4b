// Package plan turns the parameters of a crawl into the step's plan, scope and
// client, both for a local crawl and in the cloud.
package plan

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// ErrSeeds says that seeds are missing or no URLs.
var ErrSeeds = errors.New("bad seeds")

// Params are the parameters of a crawl. Numbers that are 0 are those of the topic.
type Params struct {
	Topic *topic.Compiled
	Seeds []urlnorm.URL
	Scope *limits.Scope // nil: the topic's

	Thresholds *topic.Thresholds // nil: the topic's

	limits.Limits
	Delay      time.Duration   // between two fetches on a host
	RandomSeed uint64          // 0: not reproducible
	Archive    string          // what the archive holds; "": corpus.ArchiveKept
	Contact    string          // without one the crawl never leaves its seeds
	UserAgent  string          // the operator's name for the crawler; "": none
	Revisits   limits.Revisits // of a refresh
	Forgotten  *forget.List    // pages that it must not fetch; nil: none
	Hold       bool            // pages that their texts keep out are judged again at the end
}

// versionDigits is how many digits of a topic's ID identify its version.
const versionDigits = 12

// TopicVersion names a topic by its content.
func TopicVersion(t *topic.Compiled) string { return t.ID[:min(len(t.ID), versionDigits)] }

// Seeds parses seeds, all problems at once; without any it takes those of the
// topic.
func Seeds(raw []string, t *topic.Compiled) ([]urlnorm.URL, error) {
	if len(raw) == 0 {
		raw = t.File.Seeds
	}
	if len(raw) == 0 {
		return nil, fmt.Errorf("%w: topic %q names none; give some with --seed", ErrSeeds, t.File.Name)
	}
	var urls []urlnorm.URL
	var problems []error
	for _, r := range raw {
		u, err := urlnorm.Given(r)
		if err != nil {
			problems = append(problems, fmt.Errorf("seed %w", err))
			continue
		}
		urls = append(urls, u)
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrSeeds, errors.Join(problems...))
	}
	return urls, nil
}

// Names returns URLs in canonical form.
func Names(urls []urlnorm.URL) []string {
	names := make([]string, len(urls))
	for i, u := range urls {
		names[i] = u.String()
	}
	return names
}

// Reader returns how pages are read for a topic.
func Reader(compiled *topic.Compiled) (*reading.Reader, error) {
	t := compiled.File
	if t.Template != "" {
		return &reading.Reader{Structured: true, Topic: t.Name, TopicVersion: TopicVersion(compiled), Language: t.Language}, nil
	}
	seg, err := segment.NewFor(t.Language, compiled.UserWords)
	if err != nil {
		return nil, fmt.Errorf("prepare segmenter: %w", err)
	}
	rules, err := t.QualityRules()
	if err != nil {
		return nil, err
	}
	return &reading.Reader{
		JudgeText: !rank.DropsWeak(t.Strategy),
		Topic:     t.Name, TopicVersion: TopicVersion(compiled), Language: t.Language,
		Lexicon: compiled.Lexicon, Segmenter: seg,
		DescriptionThreshold: t.Thresholds.Description, BodyThreshold: t.Thresholds.Body,
		Quality: rules, KeepPII: t.KeepPII,
	}, nil
}

// hold has a reader hold pages for the end of a crawl.
func hold(reader *reading.Reader, pages bool, archive string) {
	reader.Hold = pages && reader.JudgeText
	reader.HoldAll = reader.Hold && archive == corpus.ArchiveAll // others would be archived for little
}

// Plan returns the plan of the crawl.
func (p *Params) Plan() (*step.Plan, error) {
	t := p.Topic.File
	scope, err := p.scope()
	if err != nil {
		return nil, err
	}
	reader, err := Reader(p.Topic)
	if err != nil {
		return nil, err
	}
	siteTemplate, err := t.SiteTemplate()
	if err != nil {
		return nil, err
	}
	hold(reader, p.Hold, p.Archive)
	all := p.Or(t.Budgets.Limits)
	overrides, err := limits.ParseOverrides(all.Overrides)
	if err != nil {
		return nil, err
	}
	return p.Adjust(&step.Plan{
		Reader: reader, Structure: t.Structure.Params, SampleSize: t.Structure.Sample,
		Scope: scope, MaxDepth: all.MaxDepth, PagesPerHost: all.MaxPagesPerHost, Overrides: overrides,
		Delay: p.Delay, Seed: p.RandomSeed, Archive: p.Archive, Revisits: p.Revisits, Forgotten: p.Forgotten, Render: t.Render, Template: siteTemplate,
	})
}

// Adjust returns a copy of a plan with the thresholds, the words and the strategy of p,
// which may change while a crawl runs (see step.Step.Adjust).
func (p *Params) Adjust(planned *step.Plan) (*step.Plan, error) {
	t := p.Topic.File
	at := t.Thresholds
	if p.Thresholds != nil {
		at = *p.Thresholds
		if err := t.Weights.Validate(at.Priority); err != nil {
			return nil, err
		}
	}
	adjusted, reader := *planned, *planned.Reader
	if !reader.Structured && reader.Lexicon != p.Topic.Lexicon {
		words, err := Reader(p.Topic)
		if err != nil {
			return nil, err
		}
		words.Hold, words.HoldAll = reader.Hold, reader.HoldAll
		reader = *words
	}
	reader.DescriptionThreshold, reader.BodyThreshold = at.Description, at.Body
	adjusted.Reader, adjusted.AnchorThreshold, adjusted.PriorityThreshold = &reader, at.Anchor, at.Priority
	var err error
	adjusted.Strategy, err = rank.New(t.Strategy, rank.Settings{Weights: t.Weights, Threshold: at.Priority, Tunnel: t.Tunnel, Before: planned.Strategy})
	if err != nil {
		return nil, err
	}
	_, adjusted.Graph = adjusted.Strategy.(rank.GraphReader)
	reader.Cover = !reader.Structured && planned.Seed == 0 && job.OrderOf(adjusted.Strategy) != nil
	return &adjusted, nil
}

// Begin returns the plan of a crawl and a client with the manners m, whose
// contact is used if p has none. Close the client.
func (p *Params) Begin(m Manners) (*step.Plan, *Visitor, error) {
	p.Contact = cmp.Or(p.Contact, m.Contact)
	m.Contact, m.Name = p.Contact, p.UserAgent
	planned, err := p.Plan()
	if err != nil {
		return nil, nil, err
	}
	visitor, err := m.Visitor(p.Seeds)
	return planned, visitor, err
}

// Pages is the budget of pages.
func (p *Params) Pages() int { return cmp.Or(p.MaxPages, p.Topic.File.Budgets.MaxPages) }

// scope limits the crawl to the scope of the user or the topic.
func (p *Params) scope() (*urlnorm.Scope, error) {
	s := p.Topic.File.Scope.Scope
	if p.Scope != nil {
		s = *p.Scope
	}
	mode, allow := s.Mode, s.Allow
	if p.Contact == "" {
		allow = nil
		if mode == urlnorm.ModeAny {
			mode = urlnorm.ModeDomain
		}
	}
	scope, err := urlnorm.NewScope(mode, p.Seeds, allow, s.Deny)
	if err != nil {
		return nil, fmt.Errorf("scope of topic %s: %w", p.Topic.File.Name, err)
	}
	return scope, nil
}
