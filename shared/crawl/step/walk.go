package step

import (
	"context"
	"slices"
	"strings"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/frontier"
	"sluice/shared/structure"
	"sluice/shared/web/urlnorm"
)

// Priorities of a structured crawl: it reads the records of a list before it turns to
// its next page, so that a budget buys whole lists.
const (
	recordPriority   = 3
	pagePriority     = 2
	categoryPriority = 1
)

// Rules by which a structured crawl drops links.
const (
	DropLayer = "layer" // a list leads to its records and its other pages, a page of details nowhere
	DropFacet = "facet" // the same list, sorted or filtered
)

// walk follows the links of a page from category to list to detail (METHOD C1). A seed
// may be any of them: all of its links are followed.
func (r *run) walk(ctx context.Context, v *visit, a *reading.Arrival, rd *reading.Result) error {
	if a.Signals().NoFollow() {
		v.drop(DropNoFollow, len(a.Page.Links))
		return nil
	}
	leads := map[urlnorm.URL]int{}
	for i, l := range rd.Leads {
		leads[l.URL] = i
	}
	open := v.link.IsSeed || rd.Layer == structure.CategoryLayer || rd.Layer == structure.DetailLayer && mayBeShort(&v.link)
	var fates fates
	for _, pl := range a.Page.Links {
		l := r.child(v, pl.URL, pl.Anchor)
		l.Priority = categoryPriority
		at, leadsOn := leads[pl.URL]
		leadsOn = leadsOn && (open || rd.Layer == structure.ListLayer)
		if leadsOn {
			l.Tie = -float64(at)
			if l.Priority = recordPriority; !rd.Leads[at].Record {
				l.Priority, l.Depth = pagePriority, v.link.Depth
			}
		}
		if l.URL == v.link.URL || r.outdone(l, l.Order()) || r.forgotten(v, pl.URL) {
			continue
		}
		rule := ""
		switch {
		case pl.NoFollow:
			rule = DropNoFollow
		case !leadsOn && !open:
			rule = DropLayer
		case !leadsOn && rd.Layer == structure.ListLayer && narrows(v.url, pl.URL):
			rule = DropFacet
		default:
			rule = r.refuse(pl.URL, l)
		}
		fates.add(v, l, rule, false)
	}
	return r.carryOut(ctx, v, &fates)
}

// mayBeShort reports whether a link leads to what may be a list with so few records that
// it looks like details: another page of a list, the last one say, or a page that the
// page of a seed leads to otherwise than as a record.
func mayBeShort(l *frontier.Link) bool {
	return l.Priority == pagePriority || l.Priority == categoryPriority && l.Depth == 1
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
