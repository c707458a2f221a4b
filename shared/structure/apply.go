package structure

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/antchfx/htmlquery"
	"github.com/antchfx/xpath"
	"golang.org/x/net/html"
)

// Path is an XPath that was read. It is safe for concurrent use.
type Path struct {
	text   string
	expr   *xpath.Expr
	places bool // it counts elements, or joins sets of them
}

// ParsePath reads an XPath 1.0 that selects elements.
func ParsePath(text string) (p *Path, err error) {
	defer func() {
		if r := recover(); r != nil { // some errors of the library are panics
			p, err = nil, fmt.Errorf("XPath %q: %v", text, r)
		}
	}()
	expr, err := xpath.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("XPath %q: %w", text, err)
	}
	return &Path{text: text, expr: expr, places: counting.MatchString(text)}, nil
}

// counting matches paths that the library evaluates in the square of the number
// of siblings.
var counting = regexp.MustCompile(`\||position\(|last\(|count\(|-sibling|\[\s*\d`)

// maxCounted is how many siblings such a path may meet.
const maxCounted = 4000

// Select returns the elements of a page at the path, in document order, each
// once. A path that selects something else selects none, and so does one with
// positions or a union on a page with more than 4,000 siblings, where it would
// take too long.
func (p *Path) Select(root *html.Node) (nodes []*html.Node) {
	defer func() {
		if recover() != nil {
			nodes = nil
		}
	}()
	if p.places && crowded(root) {
		return nil
	}
	seen := make(map[*html.Node]bool)
	for _, n := range htmlquery.QuerySelectorAll(root, p.expr) {
		if n.Type == html.ElementNode && !seen[n] {
			seen[n] = true
			nodes = append(nodes, n)
		}
	}
	if len(nodes) < 2 || !strings.Contains(p.text, "|") {
		return nodes
	}
	nodes = nodes[:0] // the parts of a union come one after the other
	for n := range root.Descendants() {
		if seen[n] {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// Records returns the records of a list of which path and siblings were kept from
// another page of the site, even if this page has only one of them. A record is an
// element at the path with the elements that follow it, up to the next one and at
// most siblings in all.
func (p *Path) Records(root *html.Node, siblings int) []Record {
	heads := p.Select(root)
	isHead := make(map[*html.Node]bool, len(heads))
	for _, n := range heads {
		isHead[n] = true
	}
	records := make([]Record, len(heads))
	for i, n := range heads {
		r := Record{n}
		for s := n.NextSibling; s != nil && !isHead[s] && len(r) < siblings; s = s.NextSibling {
			if s.Type == html.ElementNode && !dropped[s.Data] && !inline[s.Data] {
				r = append(r, s)
			}
		}
		records[i] = r
	}
	return records
}

// crowded reports whether an element has more children than paths may count. The
// rows of a table count with it.
func crowded(root *html.Node) bool {
	rows := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "tr" {
			rows++
		}
		children := 0
		for c := n.FirstChild; c != nil && children <= maxCounted; c = c.NextSibling {
			children++
		}
		if children > maxCounted || rows > maxCounted {
			return true
		}
	}
	return false
}
