package records

import (
	"context"
	"fmt"

	"github.com/zeebo/xxh3"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/structure"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
	"sluice/shared/web/urlnorm"
)

// What is counted beside the records.
const (
	TooLarge   = "too_large"   // pages that are too large to be parsed: they have no records
	NotFetched = "not_fetched" // records of lists that lead to pages which were not fetched
)

// Gathering makes the records of the pages of a structured crawl.
type Gathering struct {
	Template *template.Template
	Sites    site.Store

	// Each calls use for the documents that count, in the same order each time.
	Each func(ctx context.Context, use func(d *corpus.Document) error) error

	// Read reads a page at its place; nil for one that cannot be read, which has no records.
	Read func(ctx context.Context, at corpus.Location) (*reading.Arrival, error)

	Idle     []string // after Learn: corrections that select nothing on the samples of their layer, with their host
	TooLarge []string // after Gather: URLs of pages that are too large to be parsed, so they have no records

	survey  Survey
	readers map[string]*Reader // by site
	seen    Seen
	listed  map[uint64]bool    // where records of lists lead, by hash
	doubts  []*corpus.Document // that may have a record if a list leads to them
}

// Learn looks over the pages and learns what is not known of their sites.
func (g *Gathering) Learn(ctx context.Context) (err error) {
	if err := g.Each(ctx, g.notice); err != nil {
		return fmt.Errorf("look over the pages: %w", err)
	}
	g.readers, g.seen, g.listed = map[string]*Reader{}, Seen{}, map[uint64]bool{}
	learner := Learner{Template: g.Template, Sites: g.Sites, Read: g.Read}
	for _, host := range g.survey.Sites() {
		if g.readers[host], err = learner.Site(ctx, host, &g.survey); err != nil {
			return err
		}
	}
	g.Idle = learner.Idle
	return nil
}

func (g *Gathering) notice(d *corpus.Document) error {
	if u, err := urlnorm.Parse(d.FinalURL); err == nil {
		g.survey.Add(u, d)
	}
	return nil
}

// Gather calls add for every record, after Learn. It returns how many pages cannot be
// read.
func (g *Gathering) Gather(ctx context.Context, add func(*corpus.Item) error) (lost int, err error) {
	err = g.Each(ctx, func(d *corpus.Document) error {
		a, err := g.Read(ctx, d.WARC)
		if err != nil {
			return err
		}
		if a == nil {
			lost++
			return nil
		}
		if a.Tree() == nil {
			g.TooLarge = append(g.TooLarge, d.FinalURL)
			return nil
		}
		return g.page(d, a, add)
	})
	if err != nil {
		return lost, err
	}
	for _, d := range g.doubts {
		if !g.listed[xxh3.HashString(d.FinalURL)] {
			continue
		}
		a, err := g.Read(ctx, d.WARC)
		if err != nil {
			return lost, err
		}
		a.Link.Priority = reading.RecordPriority
		if err := g.page(d, a, add); err != nil {
			return lost, err
		}
	}
	return lost, nil
}

// page makes the records of a page. One that a menu led to before any list did may have
// one nevertheless.
func (g *Gathering) page(d *corpus.Document, a *reading.Arrival, add func(*corpus.Item) error) error {
	reader := g.readers[a.URL.Authority()]
	if reader == nil {
		return nil
	}
	items := reader.Items(a, g.survey.Layer(a.URL, d.Layer), d.Layer, d.WARC)
	if len(items) == 0 && d.Layer == structure.DetailLayer && a.Link.Priority != reading.RecordPriority {
		g.doubts = append(g.doubts, d)
	}
	for _, item := range items {
		if item.Layer == structure.ListLayer {
			g.listed[xxh3.HashString(item.URL)] = true
		}
	}
	for _, item := range g.seen.New(items, g.Template, g.survey.Plain) {
		if err := add(item); err != nil {
			return err
		}
	}
	return nil
}
