package field

import (
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// scanner finds the anchors of all paths in one walk over a page.
type scanner struct {
	tags    map[string][]int // anchors by the tag they ask for
	any     []int            // anchors of any tag
	texts   []int            // anchors that are texts
	anchors []anchor
}

func newScanner(plans []*plan) *scanner {
	s := &scanner{tags: map[string][]int{}}
	for i, p := range plans {
		s.anchors = append(s.anchors, anchor{})
		if p == nil || p.anchor.kind == atRoot {
			continue
		}
		s.anchors[i] = p.anchor
		switch p.anchor.tag {
		case "*":
			s.any = append(s.any, i)
		case "text()":
			s.texts = append(s.texts, i)
		default:
			s.tags[p.anchor.tag] = append(s.tags[p.anchor.tag], i)
		}
	}
	return s
}

// scan returns the nodes of each anchor, in the order of the page.
func (s *scanner) scan(root *html.Node) [][]*html.Node {
	found := make([][]*html.Node, len(s.anchors))
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			for _, i := range s.texts {
				if s.anchors[i].holds(n) {
					found[i] = append(found[i], n)
				}
			}
			continue
		}
		if n.Type != html.ElementNode {
			continue
		}
		for _, i := range s.tags[n.Data] {
			if s.anchors[i].holds(n) {
				found[i] = append(found[i], n)
			}
		}
		if len(n.Attr) > 0 {
			for _, i := range s.any {
				if s.anchors[i].holds(n) {
					found[i] = append(found[i], n)
				}
			}
		}
	}
	return found
}

// holds reports whether a node of the right tag is the anchor.
func (a *anchor) holds(n *html.Node) bool {
	switch a.kind {
	case byTag:
		return true
	case byAttribute:
		return structure.Attr(n, a.key) == a.value
	case byClass:
		class := structure.Attr(n, "class")
		return strings.Contains(class, a.value) && hasClass(class, a.value)
	case byPart:
		return strings.Contains(n.Data, a.value)
	case byText, byPrefix:
		c := comparison{rest: a.value, whole: a.kind == byText, start: true}
		return c.node(n) && c.rest == ""
	}
	return false
}

func hasClass(classes, class string) bool {
	for c := range strings.FieldsFuncSeq(classes, isSpace) {
		if c == class {
			return true
		}
	}
	return false
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' }

// comparison compares the string value of a node, as normalize-space has it, with
// a text, and stops at the first difference.
type comparison struct {
	rest  string // of the text: not found yet
	whole bool   // nothing may follow it
	start bool   // nothing but white space so far
	space bool   // white space since the last letter
}

// node compares the texts of a node, and reports false at a difference.
func (c *comparison) node(n *html.Node) bool {
	if n.Type == html.TextNode {
		return c.text(n.Data)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if (k.Type == html.TextNode || k.Type == html.ElementNode) && !c.node(k) {
			return false
		}
	}
	return true
}

func (c *comparison) text(data string) bool {
	for i := 0; i < len(data); i++ {
		b := data[i]
		if isSpace(rune(b)) {
			c.space = !c.start
			continue
		}
		if c.rest == "" {
			return !c.whole
		}
		if c.space {
			if c.rest[0] != ' ' {
				return false
			}
			c.rest, c.space = c.rest[1:], false
			if c.rest == "" {
				return !c.whole
			}
		}
		if c.rest[0] != b {
			return false
		}
		c.rest, c.start = c.rest[1:], false
	}
	return true
}
