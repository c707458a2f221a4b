package step

import (
	"context"
	"slices"
	"strings"

	"sluice/shared/crawl/reading"
	"sluice/shared/structure"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Rules by which a structured crawl drops links.
const (
	DropLayer = "layer" // a list leads to its records and its other pages, a page of details nowhere, none to an action
	DropFacet = "facet" // the same list, sorted or filtered
)

// walk follows the links of a page from category to list to detail (METHOD C1). A seed
// may be any of them: all of its links are followed.
func (r *run) walk(ctx context.Context, v *visit, a *reading.Arrival, rd *reading.Result) error {
	if a.Signals().NoFollow() {
		v.drop(DropNoFollow, len(a.Page.Links))
		return nil
	}
	v.drop(DropBeyond, a.Page.Beyond)
	follow, open := rd.Leads, v.link.IsSeed || rd.Layer == structure.CategoryLayer
	short := !open && (rd.Short || rd.Layer == structure.DetailLayer && v.link.Priority == reading.CategoryPriority)
	switch {
	case short:
		if follow = r.fewLeads(v, a, rd); follow == nil && (rd.Short || v.link.Depth == 1) {
			follow, open = rd.Leads, true
		}
	case rd.Layer == structure.ListLayer:
		if r.repeats(v, rd) {
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
		case structure.IsAction(pl.URL.String()), !leadsOn && (!open || short && !rd.Short && alike(v.url, pl.URL)):
			rule = DropLayer
		case !leadsOn && days[pl.URL]:
			rule = urlnorm.TrapCalendar
		case !leadsOn && rd.Layer == structure.ListLayer && narrows(v.url, pl.URL):
			rule = DropFacet
		default:
			rule = r.refuse(pl.URL, l)
		}
		fates.add(v, l, rule, false)
	}
	return r.carryOut(ctx, v, &fates)
}

// narrows reports whether a URL is that of a list with parameters added: the list,
// sorted or filtered.
func narrows(list, u urlnorm.URL) bool {
	if u.Authority() != list.Authority() || u.Path() != list.Path() || u.Query() == list.Query() {
		return false
	}
	has := strings.Split(u.Query(), "&")
	for param := range strings.SplitSeq(list.Query(), "&") {
		if param != "" && !slices.Contains(has, param) {
			return false
		}
	}
	return true
}
