package site

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// Renderings of a page: whether its scripts build what readers see (METHOD C2).
const (
	Static  = "static"
	Dynamic = "dynamic"
)

// maxRecords are the records of a list that its fields are found by.
const maxRecords = 50

// maxOnPage are the records of a list that the fields of its page are found by.
const maxOnPage = 10

// List is a list of a page.
type List struct {
	structure.List
	Fields []field.Found // of its records, with paths from a record; nil without a template

	to []string // see links
}

// links are where the records lead, see structure.RecordLinks. The base is always that of
// the page.
func (l *List) links(base *url.URL) []string {
	if l.to == nil {
		l.to = structure.RecordLinks(l.Records, base)
	}
	return l.to
}

// Lists returns the lists of a page with the fields of their records, if there is a
// template. Those behind the main one are in the order of the template's precedence.
func Lists(t *template.Template, found []structure.List, base *url.URL) []List {
	lists := make([]List, len(found))
	for i := range found {
		lists[i].List = found[i]
	}
	if t == nil {
		return lists
	}
	if len(lists) > 2 {
		slices.SortStableFunc(lists[1:], func(a, b List) int { return cmp.Compare(t.Precedence(a.form()), t.Precedence(b.form())) })
	}
	for i := range lists {
		lists[i].Fields = lists[i].fields(t, base)
	}
	return lists
}

// fields finds the fields of the records.
func (l *List) fields(t *template.Template, base *url.URL) []field.Found {
	var records []field.Page
	to := l.links(base)
	for i, r := range l.Records[:min(len(l.Records), maxRecords)] {
		records = append(records, field.Page{Root: r[0], Rest: r[1:], Base: base, Link: to[i]})
	}
	return field.Analyze(t, records)
}

// form is the path of elements to the records of a list: "body/div/ul/li".
func (l *List) form() string {
	path := l.Records[0][0].Data
	for n := l.Records[0][0].Parent; n != nil && n.Type == html.ElementNode; n = n.Parent {
		if n.Data != "tbody" {
			path = n.Data + "/" + path
		}
	}
	return path
}

// Sample is a page of a site that was analysed.
type Sample struct {
	Page       field.Page
	Layer      string
	Rendering  string // Static, Dynamic or unknown
	Pagination *structure.Pagination
	Lists      []List // the main one first
}

// Learn joins what was found on pages of a host, layer by layer. The template has the
// given name; without one nothing is learned of fields. all are the fields of all
// pages, nil if they were not analysed.
func Learn(host string, t *template.Template, name string, pages []Sample, all []field.Found) *Site {
	s := &Site{Host: host, Layers: map[string]*Layer{}}
	for _, layer := range []string{structure.CategoryLayer, structure.ListLayer, structure.DetailLayer} {
		of := slices.DeleteFunc(slices.Clone(pages), func(p Sample) bool { return p.Layer != layer })
		if len(of) == 0 {
			continue
		}
		l := layerOfPages(t, of)
		if l.Region == "" && layer == structure.ListLayer {
			continue // its records were not found
		}
		l.Template = name
		if l.Region == "" && t != nil {
			found := all
			if found == nil || len(of) < len(pages) {
				found = Fields(t, of)
			}
			l.Fields = pathsOf(found)
		}
		s.Layers[layer] = l
	}
	return s
}

// Fields are the fields of a template on pages that share their paths.
func Fields(t *template.Template, pages []Sample) []field.Found {
	all := make([]field.Page, len(pages))
	for i := range pages {
		all[i] = pages[i].Page
		all[i].Repeats = repeats(pages[i].Lists)
	}
	return field.Analyze(t, all)
}

// repeats are the elements of records behind the first of each list.
func repeats(lists []List) map[*html.Node]bool {
	behind := map[*html.Node]bool{}
	for i := range lists {
		for _, r := range lists[i].Records[min(len(lists[i].Records), maxOnPage):] {
			for _, n := range r {
				behind[n] = true
			}
		}
	}
	return behind
}

// layerOfPages joins what was found on the pages of a layer, but for the fields of
// pages.
func layerOfPages(t *template.Template, pages []Sample) *Layer {
	l := &Layer{}
	renderings := map[string]int{}
	for _, p := range pages {
		renderings[p.Rendering]++
		if g := p.Pagination; g != nil && g.Step == 1 && g.Offset == 0 && l.Pages == "" {
			l.Pages = g.Pattern
		}
	}
	main, found := mainList(t, pages)
	switch {
	case renderings[Dynamic] > renderings[Static]:
		l.Rendering = Dynamic
	case renderings[Static] > 0:
		l.Rendering = Static
	}
	if main != nil {
		l.Region, l.Record, l.Fields = main.XPath, main.RecordXPath, pathsOf(found)
		if main.Siblings > 1 {
			l.Siblings = main.Siblings
		}
	}
	return l
}

// ofPages are the main lists of pages with records at one path.
type ofPages struct {
	*List          // the longest
	base  *url.URL // of its page
	pages int      // that have it, twice those that are one of several of a list
	order int
}

// maxMain is how many lists the main one is chosen from by the fields of their records.
const maxMain = 3

// mainList is the list that most pages of a layer have, the longest of several. A list with
// more fields outweighs one of as many more pages: that is rather a digest of it, on the
// home page of a portal. It is nil for none.
func mainList(t *template.Template, pages []Sample) (*List, []field.Found) {
	pages = slices.DeleteFunc(slices.Clone(pages), func(p Sample) bool { return p.Layer == structure.DetailLayer || len(p.Lists) == 0 })
	byPath := map[string]*ofPages{}
	same := repeated(pages)
	for _, p := range pages {
		one := &p.Lists[0]
		if i := slices.IndexFunc(p.Lists, func(l List) bool { return !same[l.linked(p.Page.Base)] }); i >= 0 {
			one = &p.Lists[i]
		}
		l := byPath[one.RecordXPath]
		if l == nil {
			l = &ofPages{order: len(byPath)}
			byPath[one.RecordXPath] = l
		}
		if l.pages++; p.Pagination != nil {
			l.pages++
		}
		if l.List == nil || len(one.Records) > len(l.Records) {
			l.List, l.base = one, p.Page.Base
		}
	}
	all := slices.SortedFunc(maps.Values(byPath), func(a, b *ofPages) int {
		return cmp.Or(cmp.Compare(b.pages, a.pages), cmp.Compare(len(b.Records), len(a.Records)), cmp.Compare(a.order, b.order))
	})
	var main *List
	var fields []field.Found
	most := -1
	for _, l := range all[:min(len(all), maxMain)] {
		found := l.Fields
		if found == nil && t != nil {
			found = l.fields(t, l.base)
		}
		if n := l.pages * len(found); n > most {
			main, fields, most = l.List, found, n
		}
	}
	return main, fields
}

// repeated are where the lists lead that most of several pages have with the same links: what
// is read most, say. No list of a site is that.
func repeated(pages []Sample) map[string]bool {
	on := map[string]int{} // pages
	for _, p := range pages {
		here := map[string]bool{}
		for i := range p.Lists {
			if to := p.Lists[i].linked(p.Page.Base); to != "" && !here[to] {
				here[to] = true
				on[to]++
			}
		}
	}
	same := map[string]bool{}
	for to, n := range on {
		same[to] = n >= minRepeated && 2*n > len(pages)
	}
	return same
}

const minRepeated = 3 // pages

// linked is where the records lead, in one text; "" for nowhere.
func (l *List) linked(base *url.URL) string {
	return strings.TrimSpace(strings.Join(l.links(base), "\n"))
}

// pathsOf are the paths to fields; nil where none were looked for.
func pathsOf(found []field.Found) map[string]Field {
	if found == nil {
		return nil
	}
	paths := map[string]Field{}
	for _, f := range found {
		paths[f.Name] = Field{XPath: f.XPath, Data: f.Data}
	}
	return paths
}
