package field

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// path is an XPath to a value, and how well it will do on other pages: 1 is best.
type path struct {
	xpath string
	trust float64
}

// Trust in the ways to reach a value. An id or a label says what it leads to, a
// class nearly so; a position says nothing.
const (
	trustNamed    = 1.0
	trustLabel    = 1.0
	trustStem     = 0.98
	trustClass    = 0.95
	trustTag      = 0.93
	trustPosition = 0.75
	perStep       = 0.985 // for each step below such an element
	perPlace      = 0.97  // for each that only its number tells from its siblings
	perFirst      = 0.8   // for the first of several elements or labels of a name: it may be another's on another page
)

// Names of elements in sheet.first.
func nameOfClass(tag, class string) string    { return tag + "." + class }
func nameOfProperty(key, value string) string { return "@" + key + "=" + value }
func nameOfPrefix(text string) string         { return "text()^=" + text }
func nameOfPart(text string) string           { return "contains=" + text }
func nameOfText(n *html.Node, text string) string {
	if n == nil {
		return "text()=" + text
	}
	return n.Data + "=" + text
}

// maxUp is how far above a value an element may be that its path begins with.
const maxUp = 6

// paths are the XPaths to a node, by the elements above it that have a name.
func (s *sheet) paths(n *html.Node) []path {
	var found []path
	steps, trust := "", 1.0
	for at, up := n, 0; at != nil && at.Type != html.DocumentNode && up < maxUp; at, up = at.Parent, up+1 {
		if s.isTop(at) {
			break
		}
		if at.Type == html.ElementNode && len(s.Rest) == 0 {
			for _, anchor := range s.anchorsOf(at, up) {
				found = append(found, path{s.here(anchor.xpath) + steps, anchor.trust * trust})
			}
		}
		to := s.stepTo(at)
		steps, trust = to.step+steps, trust*to.trust
	}
	if whole := s.whole(n); whole != "" {
		found = append(found, path{whole, trustPosition})
	}
	return found
}

// here makes a path relative where the page is a record.
func (s *sheet) here(xpath string) string {
	if s.isRecord {
		return "." + xpath
	}
	return xpath
}

// anchorsOf are the paths to an element by what it is called; up is how far it
// is above the value.
func (s *sheet) anchorsOf(n *html.Node, up int) []path {
	var found []path
	if !structure.PlainName(n.Data) {
		return nil
	}
	if id := structure.Attr(n, "id"); id != "" && s.ids[id] == 1 && quotable(id) && !volatile(id) {
		found = append(found, path{"//*[@id='" + id + "']", trustNamed})
	}
	if property := structure.Attr(n, "itemprop"); property != "" && quotable(property) && s.first[nameOfProperty("itemprop", property)] == n {
		found = append(found, path{"//*[@itemprop='" + property + "']", trustNamed})
	}
	classes := 0
	for class := range strings.FieldsSeq(structure.Attr(n, "class")) {
		if classes++; classes > 4 {
			break
		}
		if s.first[nameOfClass(n.Data, class)] == n && quotable(class) && !volatile(class) {
			found = append(found, path{"//" + n.Data + "[contains(concat(' ',normalize-space(@class),' '),' " + class + " ')]", trustClass * s.only(nameOfClass(n.Data, class))})
		}
	}
	if up == 0 && s.first[n.Data] == n && (n.Data == "h1" || n.Data == "h2" || s.isRecord) {
		found = append(found, path{"//" + n.Data, trustTag})
	}
	return found
}

// only is what is left of the trust in a name for being the only one of the page.
func (s *sheet) only(name string) float64 {
	if s.times[name] > 1 {
		return perFirst
	}
	return 1
}

// volatile reports whether a name is likely to be of one page only: it has a
// number of three digits or more.
func volatile(name string) bool {
	digits := 0
	for _, r := range name {
		if r < '0' || r > '9' {
			digits = 0
		} else if digits++; digits == 3 {
			return true
		}
	}
	return false
}

func quotable(text string) bool { return !strings.ContainsAny(text, "'\"") }

// toNode is the step from the parent to a node, and the trust in it.
type toNode struct {
	step  string
	trust float64
}

// stepTo is the step from the parent to a node. <tbody> is none: only some
// parsers add it.
func (s *sheet) stepTo(n *html.Node) toNode {
	if n.Type == html.ElementNode && n.Data == "tbody" {
		return toNode{"", 1}
	}
	if known, ok := s.steps[n]; ok {
		return known
	}
	if n.Parent == nil {
		return toNode{"/" + testOf(n) + "[1]", perStep}
	}
	// All siblings at once: a list has thousands.
	likes := map[string]int{}
	for c := range n.Parent.ChildNodes() {
		likes[testOf(c)]++
	}
	slash, places := "/", map[string]int{}
	if n.Parent.Data == "tbody" {
		slash = "//"
	}
	for c := range n.Parent.ChildNodes() {
		test := testOf(c)
		if c.Type == html.ElementNode && test != anyElement {
			places[anyElement]++
		}
		places[test]++
		to := toNode{slash + test + "[" + strconv.Itoa(places[test]) + "]", perStep}
		if likes[test] > 1 {
			to.trust *= perPlace
		}
		s.steps[c] = to
	}
	return s.steps[n]
}

// anyElement is the node test of elements that XPath cannot name.
const anyElement = "*"

// testOf is the node test of a node.
func testOf(n *html.Node) string {
	switch n.Type {
	case html.ElementNode:
		if !structure.PlainName(n.Data) {
			return anyElement
		}
		return n.Data
	case html.TextNode:
		return "text()"
	}
	return "comment()"
}

// placeOf is the number of a node among its siblings of the same kind.
func placeOf(n *html.Node) int {
	place := 1
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if alike(c, n) {
			place++
		}
	}
	return place
}

func alike(a, b *html.Node) bool {
	return a.Type == b.Type && (a.Type == html.TextNode || a.Data == b.Data)
}

// maxWhole is how many steps a path from the root has.
const maxWhole = 64

// whole is the path from the root, "" for one that is too long.
func (s *sheet) whole(n *html.Node) string {
	steps := make([]string, 0, maxWhole)
	begin := ""
	for at := n; at != nil && at.Type != html.DocumentNode; at = at.Parent {
		if at == s.Root && s.isRecord {
			begin = "."
			break
		}
		if s.isTop(at) {
			begin = "." + acrossTo(s.Root, at)
			break
		}
		if len(steps) == maxWhole {
			return ""
		}
		steps = append(steps, s.stepTo(at).step)
	}
	slices.Reverse(steps)
	return begin + strings.Join(steps, "")
}

// maxClimb is how far a label and its value may be below what they share.
const maxClimb = 6

// labelled are the XPaths from a label's text to a value: the label is found by
// its words, wherever it is.
func (s *sheet) labelled(label *cell, n *html.Node) []path {
	if len(s.Rest) > 0 || label.display != label.text || !quotable(label.display) || testOf(label.node.Parent) == anyElement {
		return nil
	}
	var found []path
	if parent := label.node.Parent; s.spans[parent].len() == 1 && s.first[nameOfText(parent, label.display)] == parent && normalize(raw(parent)) == label.display {
		found = s.from(parent, path{"//" + parent.Data + "[normalize-space(.)='" + label.display + "']", trustLabel * s.only(nameOfText(parent, label.display))}, n)
	} else if s.first[nameOfText(nil, label.display)] == label.node {
		found = s.from(label.node, path{"//text()[normalize-space(.)='" + label.display + "']", trustLabel * s.only(nameOfText(nil, label.display))}, n)
	}
	// Director: on one page is Directors: on another.
	if stem := strings.TrimRight(label.display, ":：s() "); len(stem) >= minStem && s.firstPrefix(stem) == label {
		found = append(found, s.from(label.node, path{"//text()[starts-with(normalize-space(.),'" + stem + "')]", trustStem * s.only(nameOfPrefix(stem))}, n)...)
	}
	return found
}

// from is the path from a label to a value beside it.
func (s *sheet) from(label *html.Node, begin path, n *html.Node) []path {
	steps, trust := "", begin.trust
	top := n // what is below the shared element, on the side of the value
	for climb := 0; climb < maxClimb && top.Parent != nil; climb++ {
		if beside := childAbove(top.Parent, label); beside != nil {
			if testOf(beside) == anyElement || testOf(top) == anyElement {
				return nil
			}
			if beside == n { // the label is in the value
				return []path{{s.here(begin.xpath) + upTo(label, n), trust}}
			}
			across := cmp.Or(acrossTo(beside, top), backTo(beside, top))
			if across == "" {
				return nil
			}
			return []path{{s.here(begin.xpath) + upTo(label, beside) + across + steps, trust}}
		}
		if s.isTop(top.Parent) {
			return nil
		}
		to := s.stepTo(top)
		steps, trust = to.step+steps, trust*to.trust
		top = top.Parent
	}
	return nil
}

// minStem is how long a label without its ending is, in bytes.
const minStem = 4

// firstPrefix is the first text that begins with another.
func (s *sheet) firstPrefix(prefix string) *cell {
	return s.firstOf(nameOfPrefix(prefix), func(c *cell) bool { return strings.HasPrefix(c.display, prefix) })
}

// firstWith is the first text that has another in it.
func (s *sheet) firstWith(part string) *cell {
	return s.firstOf(nameOfPart(part), func(c *cell) bool { return strings.Contains(c.node.Data, part) })
}

func (s *sheet) firstOf(name string, is func(*cell) bool) *cell {
	first, known := s.found[name]
	if !known {
		for i := range s.cells {
			if is(&s.cells[i]) {
				s.once(name, s.cells[i].node)
				if first == nil {
					first = &s.cells[i]
				}
			}
		}
		s.found[name] = first
	}
	return first
}

// inside are the XPaths to a node that a label is in: the first words of cell i, or
// behind others.
func (s *sheet) inside(n *html.Node, i int, label string) []path {
	c := &s.cells[i]
	if len(s.Rest) > 0 || testOf(n) == anyElement || !quotable(label) || label != normalize(label) {
		return nil
	}
	if !strings.HasPrefix(c.display, label) {
		if s.firstWith(label) != c {
			return nil
		}
		return []path{{s.here("//text()[contains(.,'"+label+"')]") + upTo(c.node, n), trustStem * s.only(nameOfPart(label))}}
	}
	if s.firstPrefix(label) != c {
		return nil
	}
	begin := s.here("//text()[starts-with(normalize-space(.),'" + label + "')]")
	return []path{{begin + upTo(c.node, n), trustLabel * s.only(nameOfPrefix(label))}}
}

// raw is all text below an element.
func raw(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	text := ""
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		text += raw(c)
	}
	return text
}

// childAbove returns the child of an element that is a node or above it.
func childAbove(parent, n *html.Node) *html.Node {
	for climb := 0; n != nil && climb <= maxClimb; n, climb = n.Parent, climb+1 {
		if n.Parent == parent {
			return n
		}
	}
	return nil
}

// upTo is the way from a node up to one above it.
func upTo(n, above *html.Node) string {
	if n == above {
		return ""
	}
	nth := 0
	for at := n.Parent; ; at = at.Parent {
		if at.Data == above.Data {
			nth++
		}
		if at == above {
			return "/ancestor::" + above.Data + "[" + strconv.Itoa(nth) + "]"
		}
	}
}

// acrossTo is the step from a node to a sibling behind it, "" if it is not
// behind.
func acrossTo(n, sibling *html.Node) string {
	nth := 0
	for at := n.NextSibling; at != nil; at = at.NextSibling {
		if alike(at, sibling) {
			nth++
		}
		if at == sibling {
			test := "text()"
			if sibling.Type == html.ElementNode {
				if test = sibling.Data; test == "tbody" {
					return ""
				}
			}
			return "/following-sibling::" + test + "[" + strconv.Itoa(nth) + "]"
		}
	}
	return ""
}

// backTo is the step from a node to an element in front of it, "" if it is not there.
func backTo(n, sibling *html.Node) string {
	nth := 0
	for at := n.PrevSibling; at != nil; at = at.PrevSibling {
		if alike(at, sibling) {
			nth++
		}
		if at == sibling && at.Type == html.ElementNode {
			return "/preceding-sibling::" + at.Data + "[" + strconv.Itoa(nth) + "]"
		}
	}
	return ""
}
