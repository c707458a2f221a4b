package field

import (
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// A page of a product shows other products, too: related ones, those that sell best. The
// price of the page is not one of theirs.

const (
	maxCard      = 400 // bytes of the text of another product
	maxCardNodes = 80
	maxBeside    = 3 // siblings that are looked at, to each side
)

// ofOther reports whether a node belongs to another product than that of the page: it is
// in one of several elements alike, with a price and a link of its own, or in an entry of a
// list that has an image, too.
func ofOther(n *html.Node) bool {
	for range maxUp {
		if n = n.Parent; n == nil || n.Data == "body" {
			return false
		}
		c, ok := cardOf(n)
		switch {
		case c.large:
			return false
		case ok && (c.image && n.Data == "li" || hasTwin(n, c, next) || hasTwin(n, c, previous)):
			return true
		}
	}
	return false
}

// hasTwin reports whether there is another such element beside one.
func hasTwin(n *html.Node, c card, to func(*html.Node) *html.Node) bool {
	looked := 0
	for s := to(n); s != nil && looked < maxBeside; s = to(s) {
		if s.Type != html.ElementNode {
			continue
		}
		looked++
		if s.Data != n.Data || !shareClass(structure.Attr(s, "class"), structure.Attr(n, "class")) {
			continue
		}
		if other, ok := cardOf(s); ok && other.link != c.link {
			return true
		}
	}
	return false
}

// shareClass reports whether two elements have a class in common, or both none.
func shareClass(a, b string) bool {
	if a == b {
		return true
	}
	for class := range strings.FieldsSeq(a) {
		if hasClass(b, class) {
			return true
		}
	}
	return false
}

// card is what an element has of a product in a list.
type card struct {
	link  string // the first
	image bool
	large bool // it is more than that
}

// cardOf reads an element, and reports whether it shows a product that it leads to.
func cardOf(n *html.Node) (card, bool) {
	var c card
	nodes, text := 0, 0
	priced := false
	for d := range n.Descendants() {
		if nodes++; nodes > maxCardNodes {
			c.large = true
			return c, false
		}
		switch {
		case d.Type == html.TextNode:
			text += len(strings.TrimSpace(d.Data))
			priced = priced || strings.ContainsAny(d.Data, digits)
		case d.Type != html.ElementNode:
		case d.Data == "img":
			c.image = true
		case d.Data == "a" && c.link == "":
			c.link = leadsTo(d)
		}
	}
	if n.Data == "a" {
		c.link = leadsTo(n)
	}
	c.large = text > maxCard
	return c, !c.large && c.link != "" && priced && mayPrice(textOf(n))
}

// leadsTo is the address of another page that a link leads to, "" for none.
func leadsTo(a *html.Node) string {
	ref := structure.Attr(a, "href")
	if strings.HasPrefix(ref, "#") || strings.HasPrefix(ref, "javascript:") {
		return ""
	}
	return ref
}
