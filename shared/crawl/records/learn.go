package records

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"golang.org/x/net/html"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
)

// maxLacking is the share of fields that the pages of a layer lack, on average, from
// which the layer is learned again.
const maxLacking = 0.3

// Learner learns sites by the pages of a crawl.
type Learner struct {
	Template *template.Template
	Sites    site.Store

	// Read reads a page at its place; nil for one that cannot be read, which is left out.
	Read func(ctx context.Context, at corpus.Location) (*reading.Arrival, error)

	Idle []string // corrections that select nothing on the samples of their layer, with their host
}

// Site returns the reader of a site. Layers that are unknown, and those whose samples
// lack too much of what is known of them, are learned first.
func (l *Learner) Site(ctx context.Context, host string, s *Survey) (*Reader, error) {
	known, err := l.Sites.Site(ctx, host)
	if err != nil && !errors.Is(err, site.ErrUnknown) {
		return nil, err
	}
	var all []site.Sample
	sampled := map[string][]field.Page{}
	for _, layer := range Layers() {
		pages, err := l.pages(ctx, s.Samples(host, layer))
		if err != nil {
			return nil, err
		}
		if len(pages) == 0 {
			continue
		}
		sampled[layer] = pages
		lacking, err := l.lacking(known, layer, pages)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", host, err)
		}
		if lacking > maxLacking {
			all = append(all, samplesOf(layer, pages)...)
		}
	}
	if len(all) > 0 || known != nil && known.Touched() {
		if known, err = l.Sites.Update(ctx, site.Learn(host, l.Template, l.Template.Name, all, nil)); err != nil {
			return nil, fmt.Errorf("keep what was learned of %s: %w", host, err)
		}
	}
	if known == nil {
		known = &site.Site{Host: host}
	}
	r, err := site.NewReaderOf(known, l.Template)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", host, err)
	}
	for _, layer := range Layers() {
		for _, entry := range r.Idle(layer, sampled[layer]) {
			l.Idle = append(l.Idle, host+" "+entry)
		}
	}
	return &Reader{template: l.Template, site: known, reader: r, list: modelOf(known, sampled[structure.ListLayer])}, nil
}

// modelOf makes a model of the sample with most records of the list of a site; nil if that
// is not known, or no sample has one.
func modelOf(known *site.Site, pages []field.Page) *structure.Model {
	l := known.Layers[structure.ListLayer]
	if l == nil {
		return nil
	}
	path, err := structure.ParsePath(l.Record)
	if err != nil {
		return nil
	}
	var best *html.Node
	most := 0
	for _, p := range pages {
		if n := len(path.Select(p.Root)); n > most {
			best, most = p.Root, n
		}
	}
	if best == nil {
		return nil
	}
	return structure.NewModel(best, path, l.Siblings)
}

// pages reads pages for their fields.
func (l *Learner) pages(ctx context.Context, places []corpus.Location) ([]field.Page, error) {
	var pages []field.Page
	for _, at := range places {
		a, err := l.Read(ctx, at)
		if err != nil {
			return nil, err
		}
		if a == nil {
			continue
		}
		if p := pageOf(a); p.Root != nil {
			pages = append(pages, p)
		}
	}
	return pages, nil
}

// pageOf is a page as its fields are read.
func pageOf(a *reading.Arrival) field.Page {
	p := field.Page{Root: a.Tree()}
	if at, err := url.Parse(a.Link.URL); p.Root != nil && err == nil {
		p.Base = field.BaseOf(p.Root, at)
	}
	return p
}

// lacking is the mean share of the fields of a layer that its pages lack; 1 if nothing
// is known of it.
func (l *Learner) lacking(known *site.Site, layer string, pages []field.Page) (float64, error) {
	if known == nil || known.Layers[layer] == nil || known.Layers[layer].Template != l.Template.Name {
		return 1, nil
	}
	r, err := site.NewReaderOf(&site.Site{Layers: map[string]*site.Layer{layer: known.Layers[layer]}}, l.Template)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, p := range pages {
		sum += r.Read(p).Lacking()
	}
	return sum / float64(len(pages)), nil
}

// samplesOf analyses pages of a layer.
func samplesOf(layer string, pages []field.Page) []site.Sample {
	all := make([]site.Sample, len(pages))
	for i, p := range pages {
		all[i] = site.Sample{Page: p, Layer: layer}
		if layer == structure.DetailLayer {
			continue
		}
		all[i].Pagination = structure.FindPagination(p.Root, p.Base, p.Base)
		all[i].Lists = site.Lists(nil, structure.Analyze(p.Root, all[i].Pagination).Lists, p.Base)
	}
	return all
}
