package sitecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"sluice/shared/structure"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
)

// findShort makes lists of the pages that look like details and are other pages of a list
// of their site, with few records: the last one, say. The list is that of another of the
// pages, or of what is known of the site.
func findShort(ctx context.Context, t *template.Template, o *analyzeOptions, all []read) error {
	for i := range all {
		p := &all[i]
		if len(p.sample.Lists) > 0 {
			continue
		}
		l := shortBeside(p, all)
		if name := cmp.Or(host(p.result), o.host); l == nil && name != "" && p.sample.Pagination != nil {
			known, err := o.store.Site(ctx, name)
			if err != nil && !errors.Is(err, site.ErrUnknown) {
				return fmt.Errorf("read what is known of %s: %w", name, err)
			}
			l = shortOf(p, known)
		}
		if l == nil {
			continue
		}
		l.Region = l.Records[0][0].Parent
		p.sample.Layer, p.result.Layer = structure.ListLayer, structure.ListLayer
		p.sample.Lists = site.Lists(t, []structure.List{*l}, p.sample.Page.Base)
		p.result.Lists = []listResult{resultOf(&p.sample.Lists[0], t != nil)}
	}
	return nil
}

// shortBeside is the list of another page, with the records of this one; nil for none.
func shortBeside(p *read, all []read) *structure.List {
	for _, other := range all {
		if other.sample.Layer != structure.ListLayer || len(other.sample.Lists) == 0 || host(p.result) != host(other.result) {
			continue
		}
		l := other.sample.Lists[0].List
		path, err := structure.ParsePath(l.RecordXPath)
		if err != nil {
			continue
		}
		if l.Records = structure.NewModel(other.sample.Page.Root, path, l.Siblings).Records(p.sample.Page.Root); len(l.Records) > 0 {
			return &l
		}
	}
	return nil
}

// shortOf is the list that a site is known to have, with the records of a page that is one
// of several: of that list, or a later one of another such list. It is nil for none.
func shortOf(p *read, known *site.Site) *structure.List {
	if known == nil || known.Layers[structure.ListLayer] == nil {
		return nil
	}
	of := known.Layers[structure.ListLayer]
	path, err := structure.ParsePath(of.Record)
	pages := p.sample.Pagination
	if of.Record == "" || err != nil || pages.Current < 2 && (of.Pages == "" || pages.Pattern != of.Pages) {
		return nil
	}
	l := &structure.List{XPath: of.Region, RecordXPath: of.Record, Records: path.Records(p.sample.Page.Root, max(of.Siblings, 1)), Siblings: max(of.Siblings, 1)}
	if len(l.Records) == 0 {
		return nil
	}
	return l
}

// host is that of a page, "" of a file.
func host(p *pageResult) string {
	if p.at == nil {
		return ""
	}
	return p.at.Host
}
