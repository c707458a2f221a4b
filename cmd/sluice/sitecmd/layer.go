package sitecmd

import (
	"slices"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/text/body"
	"sluice/shared/web/page"
)

// paginationResult is a structure.Pagination.
type paginationResult struct {
	Next     string   `json:"next,omitempty"`    // URL
	Pages    []string `json:"pages,omitempty"`   // URLs of the numbered pages that are linked
	Current  int      `json:"current,omitempty"` // number of the page
	Pattern  string   `json:"pattern,omitempty"` // URL with {page} for offset + step × number
	Offset   int      `json:"offset,omitempty"`
	Step     int      `json:"step,omitempty"`
	Scripted bool     `json:"scripted,omitempty"` // only scripts lead on
}

// setLayer fills in the layer of a page and its pagination.
func (p *pageResult) setLayer(found *structure.Page, g *structure.Pagination, root *html.Node) {
	if g != nil {
		p.Pagination = &paginationResult{g.Next, g.Pages, g.Current, g.Pattern, g.Offset, g.Step, g.Scripted}
	}
	p.Layer = found.Layer(p.at, hasText(root, p.Page), g != nil)
}

// hasText reports whether a page has a main text that is no list of links.
func hasText(root *html.Node, name string) bool {
	b, err := body.Extract(nil, name, &page.Page{Tree: clone(root)}, body.Options{})
	return err == nil && !b.MediaOnly
}

// clone is a copy of a tree: extracting text changes it. It is recursive: the parser
// bounds the depth.
func clone(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.AppendChild(clone(k))
	}
	return c
}
