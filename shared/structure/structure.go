// Package structure finds the lists of a page: regions whose records are similar
// subtrees (METHOD C3). It needs no rules for a site.
package structure

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Page is what the mark-up of a page tells of its structure.
type Page struct {
	Lists []List // the main list first; none if the page is no list

	share float64 // of the text that the records of the main list have
	quiet bool    // no running text is outside of the records
	later bool    // it is a later page of something
}

// List is a region of a page with its records.
//
// The paths are XPath 1.0, and select the same elements in a browser, with lxml
// and with htmlquery.
type List struct {
	XPath       string // of the region
	RecordXPath string // of the first element of each record
	Region      *html.Node
	Records     []Record
	Siblings    int // elements of a record, at most; usually 1
}

// Record is a record of a list: siblings, usually one.
type Record []*html.Node

// Text returns the visible text of a record, white space folded.
func (r Record) Text() string {
	var b strings.Builder
	for _, n := range r {
		writeText(&b, n)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func writeText(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	if n.Type == html.ElementNode && dropped[n.Data] {
		b.WriteByte(' ')
		return
	}
	separate := n.Type == html.ElementNode && !inline[n.Data]
	if separate {
		b.WriteByte(' ')
	}
	for c := range n.ChildNodes() {
		writeText(b, c)
	}
	if separate {
		b.WriteByte(' ')
	}
}

// Analyze finds the lists of a parsed page. What pages it is one of, nil if unknown, tells
// that it may have few records: a later page of a list. It does not change the page.
func Analyze(root *html.Node, of *Pagination) *Page {
	t := newTree(root)
	if len(t.nodes) == 0 {
		return &Page{}
	}
	p, paths := &Page{later: of != nil && of.Current > 1}, newPaths(root)
	lists, share, quiet := t.lists(p.later)
	p.share, p.quiet = share, quiet
	for _, c := range lists {
		l := t.listOf(c)
		l.locate(root, paths)
		p.Lists = append(p.Lists, l)
	}
	return p
}

// locate fills in the paths. Where no path of reasonable length selects exactly
// the records, the records are those that it selects.
func (l *List) locate(root *html.Node, paths *paths) {
	records := make(map[*html.Node]Record, len(l.Records))
	heads := make([]*html.Node, len(l.Records))
	for i, r := range l.Records {
		heads[i] = r[0]
		records[r[0]] = r
	}
	l.XPath, l.RecordXPath = paths.of(l.Region), paths.records(l.Region, heads)
	path, err := ParsePath(l.RecordXPath)
	if err != nil {
		return
	}
	selected := path.Select(root)
	if slices.Equal(selected, heads) || len(selected) == 0 {
		return
	}
	l.Records = nil
	for _, n := range selected {
		r := records[n]
		if r == nil {
			r = Record{n}
		}
		l.Records = append(l.Records, r)
	}
}

func (t *tree) listOf(c *candidate) List {
	l := List{Region: t.nodes[t.region(c)].html}
	for _, r := range c.records {
		var rec Record
		for i := r.first; ; i = t.nodes[i].end {
			rec = append(rec, t.nodes[i].html)
			if i == r.last {
				break
			}
		}
		l.Records = append(l.Records, rec)
	}
	for _, r := range l.Records {
		l.Siblings = max(l.Siblings, len(r))
	}
	return l
}

// region is the lowest node above all records.
func (t *tree) region(c *candidate) int32 {
	last := c.records[len(c.records)-1].last
	at := t.nodes[c.records[0].first].parent
	for t.nodes[at].end <= last {
		at = t.nodes[at].parent
	}
	return at
}
