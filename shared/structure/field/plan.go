package field

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// plan is an XPath of the forms that path.go writes, taken apart: an anchor that
// is found while the page is walked once for all paths, and steps from it. It
// gives the nodes that the XPath gives, at a fraction of the time.
type plan struct {
	anchor anchor
	steps  []step
	attr   string // "": the text of the node
}

// anchor is where a path begins.
type anchor struct {
	kind   anchorKind
	tag    string // "*" for any element, "text()" for a text
	key    string // attribute
	value  string // of the attribute, class or text
	within bool   // relative to a record
}

type anchorKind int

const (
	atRoot anchorKind = iota
	byTag
	byAttribute
	byClass
	byText
	byPrefix
	byPart
)

// step leads from a node to another.
type step struct {
	axis axis
	test string // name of an element, or "text()"
	nth  int
}

type axis int

const (
	child axis = iota
	descendant
	ancestor
	following
	preceding
)

var (
	anchorForms = []struct {
		kind anchorKind
		*regexp.Regexp
	}{
		{byAttribute, regexp.MustCompile(`^//(\*|[a-z][a-z0-9]*)\[@([a-z][a-z-]*)='([^']*)'\]`)},
		{byClass, regexp.MustCompile(`^//([a-z][a-z0-9]*)\[contains\(concat\(' ',normalize-space\(@(class)\),' '\),' ([^' ]+) '\)\]`)},
		{byText, regexp.MustCompile(`^//(text\(\)|[a-z][a-z0-9]*)\[(normalize-space)\(\.\)='([^']*)'\]`)},
		{byPrefix, regexp.MustCompile(`^//(text\(\))\[starts-with\((normalize-space)\(\.\),'([^']*)'\)\]`)},
		{byPart, regexp.MustCompile(`^//(text\(\))\[contains\((\.),'([^']*)'\)\]`)},
		{byTag, regexp.MustCompile(`^//([a-z][a-z0-9]*)(?:$|/)`)},
	}
	stepForm = regexp.MustCompile(`^(/|//|/ancestor::|/following-sibling::|/preceding-sibling::)(text\(\)|[a-z][a-z0-9]*)\[(\d{1,5})\]`)
	attrForm = regexp.MustCompile(`^/@([a-z][a-z-]*)$`)
	axes     = map[string]axis{"/": child, "//": descendant, "/ancestor::": ancestor, "/following-sibling::": following, "/preceding-sibling::": preceding}
)

// newPlan takes an XPath apart. It reports false for one of another form.
func newPlan(xpath string) (*plan, bool) {
	p := &plan{}
	xpath, p.anchor.within = strings.CutPrefix(xpath, ".")
	for _, form := range anchorForms {
		m := form.FindStringSubmatch(xpath)
		if m == nil {
			continue
		}
		p.anchor.kind, p.anchor.tag = form.kind, m[1]
		if form.kind == byTag {
			xpath = xpath[len("//")+len(m[1]):]
			break
		}
		p.anchor.key, p.anchor.value = m[2], m[3]
		xpath = xpath[len(m[0]):]
		break
	}
	for xpath != "" {
		if m := attrForm.FindStringSubmatch(xpath); m != nil {
			p.attr = m[1]
			return p, true
		}
		m := stepForm.FindStringSubmatch(xpath)
		if m == nil {
			return nil, false
		}
		nth, _ := strconv.Atoi(m[3]) // digits
		p.steps = append(p.steps, step{axes[m[1]], m[2], nth})
		xpath = xpath[len(m[0]):]
	}
	return p, p.anchor.kind != atRoot || len(p.steps) > 0
}

// follow returns the first node that the steps lead to, nil for none.
func follow(n *html.Node, steps []step) *html.Node {
	for i, s := range steps {
		if s.axis == descendant {
			for d := range n.Descendants() {
				if s.is(d) && placeOf(d) == s.nth {
					if end := follow(d, steps[i+1:]); end != nil {
						return end
					}
				}
			}
			return nil
		}
		if n = s.from(n); n == nil {
			return nil
		}
	}
	return n
}

func (s step) is(n *html.Node) bool {
	if s.test == "text()" {
		return n.Type == html.TextNode
	}
	return n.Type == html.ElementNode && n.Data == s.test
}

// from takes one step of the other axes.
func (s step) from(n *html.Node) *html.Node {
	next := func(n *html.Node) *html.Node { return n.NextSibling }
	at := n.NextSibling
	switch s.axis {
	case child:
		at = n.FirstChild
	case preceding:
		at, next = n.PrevSibling, func(n *html.Node) *html.Node { return n.PrevSibling }
	case ancestor:
		at, next = n.Parent, func(n *html.Node) *html.Node { return n.Parent }
	}
	for nth := s.nth; at != nil; at = next(at) {
		if s.is(at) {
			if nth--; nth == 0 {
				return at
			}
		}
	}
	return nil
}
