package field

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// A page of a product shows other products, too: related ones, those that sell best. The
// price of the page is not one of theirs.

const (
	maxCard      = 400 // bytes of the text of another product
	maxCardNodes = 80
	maxCardUp    = 7  // elements from a price to the card around it, with itself
	maxEntryUp   = 10 // the same to an entry of a list
	maxBeside    = 3  // siblings that are looked at, to each side

	doubted  = 0.5  // what is left of the score of a price that is perhaps of another product,
	doubtful = 0.75 // and of the least at any rate: it may be the only one
)

// ofOther is how far a node belongs to another product than that of the page: surely in, or
// as, one of several elements alike, with a price and a link of its own, or an entry of a list
// that has an image, too; perhaps beside a link with a name and an image, which may be those
// of a brand.
func ofOther(n *html.Node, base *url.URL) kinship {
	is := own
	for up := range maxEntryUp {
		if n == nil || n.Data == "body" {
			break
		}
		c, ok := cardOf(n)
		switch {
		case c.large:
			return is
		case ok && c.image && n.Data == "li":
			return others
		case !ok || up >= maxCardUp:
		case hasTwin(n, c, next) || hasTwin(n, c, previous):
			return others
		case c.image && presents(n, c.link, base):
			is = perhaps
		}
		n = n.Parent
	}
	return is
}

// kinship is whose product something is of.
type kinship int

const (
	own kinship = iota
	perhaps
	others
)

// presents reports whether an element shows a product that it leads to by image and name. The
// page's own product is left out: it has a headline, or a link to the page itself.
func presents(n *html.Node, link string, base *url.URL) bool {
	if base != nil && (link == base.String() || link == base.RequestURI()) {
		return false
	}
	var image, name bool
	for d := range n.Descendants() {
		if d.Data == "h1" {
			return false
		}
		if a := above(d, "a", maxWrap); a == nil || structure.Attr(a, "href") != link {
			continue
		}
		image = image || d.Data == "img"
		name = name || d.Type == html.TextNode && strings.IndexFunc(d.Data, unicode.IsLetter) >= 0
	}
	return image && name
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
