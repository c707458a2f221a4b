package step

import (
	"context"
	"fmt"
	"slices"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/ledger"
	"sluice/shared/structure"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Rules by which a structured crawl drops links.
const (
	DropLayer = "layer" // a list leads to its records, its pages and its sections, a page of details nowhere, none to an action
	DropFacet = "facet" // the same list, sorted or filtered
)

// maxSections is how deep below a seed lists may lead to others: a department, its
// sections, theirs.
const maxSections = 3

// walk follows the links of a page from category to list to detail (METHOD C1). A seed
// may be any of them: all of its links are followed.
func (r *run) walk(ctx context.Context, v *visit, a *reading.Arrival, rd *reading.Result) error {
	if a.Signals().NoFollow() {
		v.drop(DropNoFollow, len(a.Page.Links))
		return nil
	}
	v.drop(DropBeyond, a.Page.Beyond)
	follow, open := rd.Leads, v.link.IsSeed || rd.Layer == structure.CategoryLayer
	list := reading.ListOf(&v.link)
	short := !open && (rd.Short || rd.Layer == structure.DetailLayer && v.link.Priority == reading.CategoryPriority)
	switch {
	case short:
		if follow = r.fewLeads(v, a, rd); follow == nil && (rd.Short || v.link.Depth == 1) {
			follow, open = rd.Leads, true
		}
	case rd.Layer == structure.ListLayer:
		if few := r.besideFilters(v, a, rd, list); few != nil {
			follow = few
		} else if r.repeats(v, rd) {
			follow = nil
		}
	case rd.Layer == structure.DetailLayer && !open:
		follow = nil
	}
	leads := map[urlnorm.URL]int{}
	for i, l := range follow {
		leads[l.URL] = i
	}
	links := slices.Clip(a.Page.Links)
	for _, l := range follow { // other pages may be linked by a script, or in the head
		if l.Priority == reading.PagePriority && !slices.ContainsFunc(links, func(pl page.Link) bool { return pl.URL == l.URL }) {
			links = append(links, page.Link{URL: l.URL})
		}
	}
	days := calendar(links)
	deeper := false
	if !open && !short {
		var err error
		if deeper, err = r.leadsDeeper(ctx, v, rd, follow); err != nil {
			return err
		}
	}
	var fates fates
	for _, pl := range links {
		l := r.child(v, pl.URL, pl.Anchor)
		l.Priority = reading.CategoryPriority
		at, leadsOn := leads[pl.URL]
		if leadsOn {
			l.Tie = -float64(at)
			if l.Priority = follow[at].Priority; l.Priority == reading.PagePriority {
				l.Depth = v.link.Depth
			}
		}
		if l.URL == v.link.URL || r.outdone(l, l.Order()) || r.forgotten(v, pl.URL) {
			continue
		}
		rule := ""
		switch {
		case pl.NoFollow:
			rule = DropNoFollow
		case !leadsOn && rd.Layer == structure.ListLayer && reading.Narrows(list, pl.URL):
			rule = DropFacet
		case structure.IsAction(pl.URL.String()), !leadsOn && (!open && (!deeper || rd.Inside[pl.URL]) || short && !rd.Short && alike(v.url, pl.URL)):
			rule = DropLayer
		case !leadsOn && days[pl.URL]:
			rule = urlnorm.TrapCalendar
		default:
			rule = r.refuse(pl.URL, l)
		}
		fates.add(v, l, rule, false)
	}
	return r.carryOut(ctx, v, &fates)
}

// leadsDeeper reports whether a list may lead to others: a department that shows its best
// records beside the links to its sections. A section leads deeper only if it has records that
// were not read; else it may be a list that was read, filtered.
func (r *run) leadsDeeper(ctx context.Context, v *visit, rd *reading.Result, follow []reading.Lead) (bool, error) {
	switch {
	case rd.Layer != structure.ListLayer, v.link.Priority != reading.CategoryPriority, v.link.Depth >= maxSections:
		return false, nil
	case v.link.Depth == 1:
		return true, nil
	}
	var records []string
	for _, l := range follow {
		if l.Priority == reading.RecordPriority {
			records = append(records, l.URL.String())
		}
	}
	states, err := r.states(ctx, records)
	if err != nil {
		return false, fmt.Errorf("look up records of %s: %w", v.link.URL, err)
	}
	return slices.ContainsFunc(states, func(s ledger.State) bool { return s == ledger.Absent || s == ledger.Queued }), nil
}
