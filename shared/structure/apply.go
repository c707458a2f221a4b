package structure

import (
	"fmt"
	"strings"

	"github.com/antchfx/htmlquery"
	"github.com/antchfx/xpath"
	"golang.org/x/net/html"
)

// Path is an XPath that was read. It is safe for concurrent use.
type Path struct {
	text string
	expr *xpath.Expr
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
	return &Path{text: text, expr: expr}, nil
}

// String returns the path as it was written.
func (p *Path) String() string { return p.text }

// Select returns the elements of a page at the path, in document order, each
// once. A path that selects something else selects none.
func (p *Path) Select(root *html.Node) (nodes []*html.Node) {
	defer func() {
		if recover() != nil {
			nodes = nil
		}
	}()
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
