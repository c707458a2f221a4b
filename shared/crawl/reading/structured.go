package reading

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/text/body"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// RuleCategory refuses a page of a structured crawl that only leads to lists (METHOD
// C1). Its links are followed.
const RuleCategory = "category"

// Priorities of the links of a structured crawl: it reads the records of a list before it
// turns to its next page, so that a budget buys whole lists. Documents keep them.
const (
	RecordPriority   = 3
	PagePriority     = 2   // another page of a list
	CategoryPriority = 1   // any other link
	PersonPriority   = 0.5 // somebody whom a list names, a member of a board
)

// Lead is a link by which a list goes on.
type Lead struct {
	URL      urlnorm.URL
	Priority float64 // RecordPriority, PagePriority or PersonPriority
}

// structured tells the layer of a page, and where its list leads (METHOD C1, C3). It
// reads nothing of the records: what tells their fields apart is known later, from
// many pages.
func (d *Draft) structured() {
	rd, a := &d.result, d.arrival
	rd.Relevant = true
	found, posts := &structure.Page{}, false
	var pages *structure.Pagination
	var base *url.URL
	at, err := url.Parse(a.Link.URL)
	if tree := a.Tree(); tree != nil && err == nil {
		base = field.BaseOf(tree, at)
		pages = structure.FindPagination(tree, at, base)
		found = structure.Analyze(tree, pages)
		rd.Leads = leads(found, pages, base, ListOf(&a.Link))
		posts = a.Link.Priority == RecordPriority && len(found.Lists) > 0 && found.Lists[0].Posts(base)
	}
	b, err := a.body() // changes the tree
	text := err == nil && !b.MediaOnly
	if !text {
		b = &body.Body{}
	}
	if rd.Layer = found.Layer(at, text, pages != nil); posts && rd.Layer == structure.ListLayer {
		rd.Layer = structure.DetailLayer // a thread, an article with comments
	}
	switch {
	case a.Link.Priority == PagePriority && rd.Layer == structure.DetailLayer, rd.Layer == structure.ListLayer && len(found.Lists) == 0:
		rd.Layer, rd.Short = structure.ListLayer, true
	case rd.Layer == structure.ListLayer:
		rd.Records = found.Lists[0].RecordXPath
		if a.Link.Priority == CategoryPriority {
			rd.Inside = inside(found, base)
		}
	}
	if rule, detail := a.optedOut(); rule != "" { // its links may be followed all the same
		rd.refuse(ledger.Rejected, rule, detail)
		return
	}
	switch rd.Layer {
	case structure.CategoryLayer:
		rd.List = true
		rd.refuse(ledger.Passed, RuleCategory, strconv.Itoa(len(found.Lists))+" lists")
		return
	case structure.ListLayer:
		rd.List, b.Text = true, ""
	}
	d.body = b
	rd.Digest = digestOf(d.title(), strconv.FormatUint(a.Page.Digest, 16))
}

// Tree is that of the page, nil if it has none.
func (a *Arrival) Tree() *html.Node {
	if a.Page.Tree == nil {
		a.Page.Tree, _ = page.Tree(a.Text)
	}
	return a.Page.Tree
}

// leads are the links by which the lists of a page go on, each once: those of records
// in their order, then the other pages. Filters are lists, too, beside the main one.
func leads(p *structure.Page, pages *structure.Pagination, base *url.URL, list urlnorm.URL) []Lead {
	var all []Lead
	seen := map[urlnorm.URL]bool{}
	add := func(of []Lead) {
		for _, l := range of {
			if !seen[l.URL] {
				seen[l.URL] = true
				all = append(all, l)
			}
		}
	}
	if pages != nil { // first: a number is no record
		add(parsed(append([]string{pages.Next}, pages.Pages...), PagePriority))
	}
	others := len(all)
	for i := range p.Lists {
		records := recordLeads(p.Lists[i].Records, base, i == 0)
		if i > 0 {
			records = slices.DeleteFunc(records, func(l Lead) bool { return Narrows(list, l.URL) })
		}
		add(records)
	}
	return append(all[others:len(all):len(all)], all[:others]...)
}

// inside are the links in the records of a page.
func inside(p *structure.Page, base *url.URL) map[urlnorm.URL]bool {
	all := map[urlnorm.URL]bool{}
	for i := range p.Lists {
		for _, l := range parsed(structure.LinksIn(p.Lists[i].Records, base), 0) {
			all[l.URL] = true
		}
	}
	return all
}

// RecordLeads are where the records of the main list of a page lead.
func RecordLeads(records []structure.Record, base *url.URL) []Lead {
	return recordLeads(records, base, true)
}

// recordLeads are where the records of a list lead. People whom they lead to are who wrote
// the records, or who is online, unless the main list of a page is one of people.
func recordLeads(records []structure.Record, base *url.URL, main bool) []Lead {
	all := parsed(structure.RecordLinks(records, base), RecordPriority)
	people := 0
	for i := range all {
		if structure.IsPerson(all[i].URL.String()) {
			people++
		}
	}
	for i := range all {
		if structure.IsPerson(all[i].URL.String()) && (!main || 2*people < len(all)) {
			all[i].Priority = PersonPriority
		}
	}
	return all
}

// ListOf is the URL of the list that a link leads to: of its other pages without the parameters
// that the page in front of them has not, or has other values of.
func ListOf(l *frontier.Link) urlnorm.URL {
	u, _ := urlnorm.Parse(l.URL)
	before, err := urlnorm.Parse(l.Parent)
	if l.Priority != PagePriority || err != nil || u.Query() == "" {
		return u
	}
	path, _, _ := strings.Cut(l.URL, "?")
	had := strings.Split(before.Query(), "&")
	kept := slices.DeleteFunc(strings.Split(u.Query(), "&"), func(param string) bool { return !slices.Contains(had, param) })
	list, err := urlnorm.Parse(strings.TrimSuffix(path+"?"+strings.Join(kept, "&"), "?"))
	if err != nil {
		return u
	}
	return list
}

// Narrows reports whether a URL is that of a list with parameters added: the list,
// sorted or filtered. Those of a home page without any name other pages.
func Narrows(list, u urlnorm.URL) bool {
	if u.Authority() != list.Authority() || u.Path() != list.Path() || u.Query() == list.Query() {
		return false
	}
	if list.Query() == "" && structure.IsHomePath(list.Path()) {
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

func parsed(links []string, priority float64) (leads []Lead) {
	for _, to := range links {
		if u, err := urlnorm.Parse(to); to != "" && err == nil {
			leads = append(leads, Lead{u, priority})
		}
	}
	return leads
}
