package structure

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// paths writes XPaths of elements of a page. They prefer IDs and classes, which
// last, to positions. They select the same elements in the tree of a browser and
// in one without the <tbody> that browsers add: no step names a part of a table.
type paths struct {
	ids     map[string]int // how many elements have it
	classes map[string]int // by tag and class
}

func newPaths(root *html.Node) *paths {
	p := &paths{ids: make(map[string]int), classes: make(map[string]int)}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				p.ids[a.Val]++
			case "class":
				for _, c := range distinctFields(a.Val) {
					p.classes[n.Data+" "+c]++
				}
			}
		}
	}
	return p
}

func distinctFields(s string) []string {
	f := strings.Fields(s)
	slices.Sort(f)
	return slices.Compact(f)
}

// of returns the path of an element.
func (p *paths) of(n *html.Node) string {
	var steps []string
	for ; n != nil && n.Type == html.ElementNode; n = rowsParent(n) {
		if n.Data == "html" || n.Data == "body" {
			steps = append(steps, "/"+n.Data)
			continue
		}
		if id := Attr(n, "id"); p.ids[id] == 1 && lasting(id) && PlainName(n.Data) {
			return join("//"+n.Data+"[@id='"+id+"']", steps)
		}
		for _, c := range distinctFields(Attr(n, "class")) {
			if p.classes[n.Data+" "+c] == 1 && lasting(c) && PlainName(n.Data) {
				return join("//"+n.Data+"["+hasClass(c)+"]", steps)
			}
		}
		steps = append(steps, p.step(n))
	}
	return join("", steps)
}

// join puts steps, the last one first, behind the start of a path.
func join(start string, steps []string) string {
	for _, s := range slices.Backward(steps) {
		start += s
	}
	return start
}

// step leads from the parent of an element to it.
func (p *paths) step(n *html.Node) string {
	parent := rowsParent(n)
	if parent == nil || parent.Type != html.ElementNode {
		return "/" + n.Data
	}
	step, same := siblings(parent, n.Data)
	if len(same) == 1 {
		return step
	}
	for _, c := range distinctFields(Attr(n, "class")) {
		if lasting(c) && !slices.ContainsFunc(same, func(o *html.Node) bool { return o != n && withClass(o, c) }) {
			return step + "[" + hasClass(c) + "]"
		}
	}
	return fmt.Sprintf("%s[%d]", step, slices.Index(same, n)+1)
}

// rowsParent returns the parent of an element; for a row that is the table.
func rowsParent(n *html.Node) *html.Node {
	parent := n.Parent
	if n.Data == "tr" {
		for parent != nil && (parent.Data == "tbody" || parent.Data == "thead" || parent.Data == "tfoot") {
			parent = parent.Parent
		}
	}
	return parent
}

// siblings returns the children of an element with a tag, and the step to them.
func siblings(parent *html.Node, tag string) (step string, same []*html.Node) {
	if tag == "tr" && parent.Data == "table" {
		return rows(parent)
	}
	plain := PlainName(tag)
	for c := range parent.ChildNodes() {
		if c.Type == html.ElementNode && (c.Data == tag || !plain) {
			same = append(same, c)
		}
	}
	if !plain {
		tag = "*"
	}
	return "/" + tag, same
}

// rows returns the rows of a table, whatever part they are in, and the step to
// them.
func rows(table *html.Node) (step string, same []*html.Node) {
	step = "/descendant::tr"
	nested := false
	for n := range table.Descendants() {
		if n.Type == html.ElementNode && n.Data == "tr" {
			if rowsParent(n) == table {
				same = append(same, n)
			} else {
				nested = true
			}
		}
	}
	if !nested {
		return step, same
	}
	depth := 0
	for n := table; n != nil; n = n.Parent {
		if n.Data == "table" {
			depth++
		}
	}
	return fmt.Sprintf("%s[count(ancestor::table)=%d]", step, depth), same
}

// PlainName reports whether a tag or an attribute is a name in XPath without a namespace:
// <li'> is one in HTML only.
func PlainName(tag string) bool {
	for i, r := range tag {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z' || r == '_'
		if !letter && (i == 0 || !isDigit(r) && r != '-' && r != '.') {
			return false
		}
	}
	return tag != ""
}

// lasting reports whether an ID or class looks as if other pages of the site had
// it too: it is a name rather than a number.
func lasting(name string) bool {
	if name == "" || len(name) > 60 || strings.ContainsAny(name, "'\"") || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' }) {
		return false
	}
	digits := 0
	for _, r := range name {
		if isDigit(r) {
			digits++
		}
	}
	return digits < 3 && 2*digits < len(name)
}

func hasClass(c string) string {
	return "contains(concat(' ',normalize-space(@class),' '),' " + c + " ')"
}

func withClass(n *html.Node, c string) bool {
	return slices.Contains(strings.Fields(Attr(n, "class")), c)
}
