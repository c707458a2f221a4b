package sitecmd

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sluice/shared/structure"
)

// marked is the attribute of what was found on a page that is viewed.
const marked = "data-sluice"

const viewStyle = `
[data-sluice^="list"] { outline: 3px dashed #1565c0 !important; outline-offset: 2px }
[data-sluice^="record"] { outline: 2px solid #2e7d32 !important; outline-offset: -1px }
[data-sluice^="field"] { outline: 2px solid #c62828 !important; background-color: #ffebee !important; color: #000 !important }
#sluice-legend { position: fixed; right: 8px; top: 8px; z-index: 2147483647; max-width: 40%; max-height: 90%; overflow: auto; padding: 8px;
 background: #fffde7; color: #000; border: 1px solid #777; font: 12px/1.5 sans-serif; text-align: left }
#sluice-legend td { padding: 0 6px 0 0; vertical-align: top; overflow-wrap: anywhere }
`

// writeView writes a page with what was found on it marked, for a person to see
// whether it is right. Scripts are left out: they would change it.
func writeView(w io.Writer, tree *html.Node, p *pageResult) error {
	rows := [][2]string{{"layer", p.Layer}, {"rendering", p.Rendering}}
	for i, l := range p.Lists {
		rows = append(rows, [2]string{fmt.Sprintf("list %d", i+1), fmt.Sprintf("%d records: %s", l.Count, l.RecordXPath)})
		mark(tree, l.XPath, fmt.Sprintf("list %d", i+1))
		for n, r := range mark(tree, l.RecordXPath, "record") {
			setAttr(r, marked, fmt.Sprintf("record %d of list %d", n+1, i+1))
			rows = append(rows, markFields(r, l.Fields, n == 0)...)
		}
	}
	rows = append(rows, markFields(tree, p.Fields, true)...)
	if p.Pagination != nil {
		rows = append(rows, [2]string{"next page", p.Pagination.Next})
	}
	removeScripts(tree)
	if p.at != nil {
		addTo(tree, "head", element("base", html.Attribute{Key: "href", Val: p.at.String()}))
	}
	addTo(tree, "head", element("style"), viewStyle)
	addTo(tree, "body", legend(rows))
	return html.Render(w, tree)
}

// markFields marks the fields of a page or record, and describes them if wanted.
func markFields(n *html.Node, f *fields, describe bool) (rows [][2]string) {
	if f == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(*f)) {
		found := (*f)[name]
		mark(n, found.XPath, "field "+name)
		if describe {
			rows = append(rows, [2]string{name, found.Text + "  (" + found.XPath + ")"})
		}
	}
	return rows
}

// noElement is the end of a path that leads to a text or an attribute.
var noElement = regexp.MustCompile(`/(?:@[\w:-]+|text\(\)(?:\[[^\]]*\])?)$`)

// mark marks the elements at a path below n.
func mark(n *html.Node, path, as string) []*html.Node {
	p, err := structure.ParsePath(noElement.ReplaceAllString(path, ""))
	if err != nil {
		return nil
	}
	found := p.Select(n)
	for _, e := range found {
		setAttr(e, marked, as)
	}
	return found
}

func setAttr(n *html.Node, key, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
	n.Attr = append(n.Attr, html.Attribute{Key: "title", Val: value})
}

func removeScripts(tree *html.Node) {
	var gone []*html.Node
	for n := range tree.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.DataAtom == atom.Script || n.DataAtom == atom.Iframe || n.DataAtom == atom.Object || n.DataAtom == atom.Embed || n.DataAtom == atom.Meta && structure.Attr(n, "http-equiv") != "" || n.DataAtom == atom.Base {
			gone = append(gone, n)
		}
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
			return strings.HasPrefix(a.Key, "on") || isScript(a.Val)
		})
	}
	for _, n := range gone {
		n.Parent.RemoveChild(n)
	}
}

// isScript reports whether a value may be a script in place of a URL. Browsers pass over
// control characters and white space in it.
func isScript(value string) bool {
	plain := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, value)
	return strings.Contains(strings.ToLower(plain), "javascript:")
}

func element(name string, attrs ...html.Attribute) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name)), Attr: attrs}
}

// addTo adds an element at the end of another, with a text.
func addTo(tree *html.Node, parent string, e *html.Node, text ...string) {
	for _, t := range text {
		e.AppendChild(&html.Node{Type: html.TextNode, Data: t})
	}
	for n := range tree.Descendants() {
		if n.Type == html.ElementNode && n.Data == parent {
			n.AppendChild(e)
			return
		}
	}
}

func legend(rows [][2]string) *html.Node {
	table := element("table")
	for _, r := range rows {
		tr := element("tr")
		for _, text := range r {
			td := element("td")
			td.AppendChild(&html.Node{Type: html.TextNode, Data: text})
			tr.AppendChild(td)
		}
		table.AppendChild(tr)
	}
	box := element("div", html.Attribute{Key: "id", Val: "sluice-legend"})
	box.AppendChild(table)
	return box
}
