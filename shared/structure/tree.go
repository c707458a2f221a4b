package structure

import (
	"slices"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"
	"golang.org/x/net/html"
)

// node is an element of a cleaned body. The nodes of a tree are in document
// order, so the descendants of node i are those from i+1 up to its end.
type node struct {
	html   *html.Node
	parent int32
	end    int32
	tag    string
	label  uint64 // tag and attributes: nodes of one label look alike in themselves
	weight float64
	shape  uint64 // label and shapes of the children; repeated children count once

	width     int32 // visible text below it, in columns: a Han character takes two
	linked    int32 // of it inside links
	words     int32 // of that inside links of a word or two
	own       int32 // of it outside of child nodes
	links     int32 // links with a target
	pictures  int32
	furniture bool // in a menu, a foot or the like
	head      bool // the head of a page or of a part of it
	beside    bool // in what the site calls a side matter, such as related pages
	cells     int8 // of a row
	heads     int8 // of them <th>
}

// tree is the cleaned body of a page: no scripts, forms' contents, comments or
// mark-up of single words, and texts as widths.
type tree struct {
	nodes []node
}

// maxNodes bounds the elements of a page that are looked at; maxLevels how
// deep they may be nested.
const (
	maxNodes  = 200_000
	maxLevels = 512
)

// newTree cleans the body of a page.
func newTree(root *html.Node) *tree {
	t := &tree{}
	if body := find(root, "body"); body != nil {
		t.add(body, -1, 0)
		t.markFurniture()
	}
	return t
}

// find returns the first element of a name in document order.
func find(n *html.Node, name string) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			return d
		}
	}
	return nil
}

// dropped are elements without visible content of their own.
var dropped = map[string]bool{
	"script": true, "style": true, "noscript": true, "template": true, "head": true, "link": true, "meta": true,
	"br": true, "wbr": true, "hr": true, "iframe": true, "object": true, "embed": true, "select": true, "datalist": true,
	"textarea": true, "map": true, "param": true, "source": true, "title": true, "noframes": true, "canvas": true,
}

// inline are elements that mark words within a text. Their content belongs to
// the element around them, as do the rows of a <tbody>.
var inline = map[string]bool{
	"b": true, "strong": true, "em": true, "i": true, "u": true, "s": true, "font": true, "mark": true, "small": true,
	"big": true, "sub": true, "sup": true, "code": true, "kbd": true, "abbr": true, "wbr": true, "nobr": true, "bdi": true,
}

func (t *tree) add(n *html.Node, parent int32, level int) int32 {
	at := int32(len(t.nodes))
	attrs := attributesOf(n)
	t.nodes = append(t.nodes, node{
		html: n, parent: parent, tag: n.Data, label: attrs.label(n.Data), weight: attrs.weight(),
		furniture: isFurniture(n.Data, attrs), beside: isBeside(n.Data, attrs), head: isHead(n.Data, attrs),
	})
	sum := node{}
	if level < maxLevels && n.Data != "svg" && n.Data != "math" {
		t.children(n, at, level, &sum)
	}
	switch n.Data {
	case "a":
		if target(n) {
			sum.links++
			sum.linked, sum.words = sum.width, 0
			if sum.width < wordWidth {
				sum.words = sum.width
			}
		}
	case "img", "picture", "video":
		sum.pictures++
	}
	this := &t.nodes[at]
	this.end = int32(len(t.nodes))
	this.width, this.linked, this.own, this.links, this.pictures = sum.width, sum.linked, sum.own, sum.links, sum.pictures
	this.words, this.cells, this.heads = sum.words, sum.cells, sum.heads
	this.shape = t.shapeOf(at)
	return at
}

// children adds the children of an element, those of inline elements among them.
func (t *tree) children(n *html.Node, at int32, level int, sum *node) {
	for c := n.FirstChild; c != nil && len(t.nodes) < maxNodes; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			w := width(c.Data)
			sum.width += w
			sum.own += w
		case c.Type != html.ElementNode || dropped[c.Data] || c.Data == "input" && Attr(c, "type") == "hidden":
		case (inline[c.Data] || c.Data == "tbody") && level < maxLevels:
			t.children(c, at, level+1, sum)
		default:
			i := t.add(c, at, level+1)
			child := &t.nodes[i]
			sum.width += child.width
			sum.linked += child.linked
			sum.words += child.words
			sum.links += child.links
			sum.pictures += child.pictures
			if c.Data == "td" || c.Data == "th" {
				sum.cells = min(sum.cells+1, 100)
			}
			if c.Data == "th" {
				sum.heads = min(sum.heads+1, 100)
			}
		}
	}
}

// shapeOf hashes the structure of a node whose children are complete.
func (t *tree) shapeOf(at int32) uint64 {
	n := &t.nodes[at]
	h := mix(n.label, 1)
	if n.own > 0 {
		h = mix(h, 2)
	}
	last := uint64(0)
	for c := range t.childrenOf(at) {
		if s := t.nodes[c].shape; s != last {
			h = mix(h, s)
			last = s
		}
	}
	return h
}

func mix(h, v uint64) uint64 {
	h ^= v + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h *= 0xff51afd7ed558ccd
	return h ^ h>>32
}

// childrenOf iterates over the children of a node.
func (t *tree) childrenOf(at int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := at + 1; c < t.nodes[at].end; c = t.nodes[c].end {
			if !yield(c) {
				return
			}
		}
	}
}

// attributes are those that count for the structure.
type attributes struct {
	id, name, kind, role string
	class                []string
}

func attributesOf(n *html.Node) attributes {
	var a attributes
	for _, x := range n.Attr {
		switch x.Key {
		case "id":
			a.id = x.Val
		case "class":
			a.class = strings.Fields(x.Val)
		case "name":
			a.name = x.Val
		case "type":
			a.kind = x.Val
		case "role":
			a.role = x.Val
		}
	}
	return a
}

// label hashes tag, class and type. Digits in a class count as one: they number
// elements.
func (a *attributes) label(tag string) uint64 {
	names := make([]string, 0, len(a.class))
	for _, c := range a.class {
		names = append(names, withoutDigits(c))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return xxh3.HashString(tag + " " + strings.Join(names, " ") + "\x00" + a.kind)
}

// weight is the weight of a node before those of its level are normed: class,
// name and type weigh more (METHOD C3).
func (a *attributes) weight() float64 {
	w := 1.0
	for _, given := range []bool{len(a.class) > 0, a.name != "", a.kind != ""} {
		if given {
			w++
		}
	}
	return w
}

func withoutDigits(s string) string {
	if strings.IndexFunc(s, isDigit) < 0 {
		return s
	}
	var b strings.Builder
	digit := false
	for _, r := range s {
		if isDigit(r) {
			if !digit {
				b.WriteByte('0')
			}
			digit = true
			continue
		}
		digit = false
		b.WriteRune(r)
	}
	return b.String()
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// Attr returns an attribute of an element, "" for none.
func Attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HasAttr reports whether an element has an attribute.
func HasAttr(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// target reports whether a link leads elsewhere than to a place of its page.
func target(n *html.Node) bool {
	href := strings.TrimSpace(Attr(n, "href"))
	return len(href) > 1 && href[0] != '#' || href == "#" || href == "/"
}

// width is how many columns the visible characters of a text take.
func width(s string) (w int32) {
	for _, r := range s {
		switch {
		case r >= 0x2e80:
			if !unicode.IsSpace(r) {
				w += 2
			}
		case r > ' ' && r != 0xa0 && r != 0x200b && r != 0xfeff:
			w++
		}
	}
	return w
}
