package field

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// BaseOf returns what the addresses of a page are relative to: its <base>, the
// address that it was fetched from, or the one that it calls its own; nil if it
// has none of them.
func BaseOf(root *html.Node, fetched *url.URL) *url.URL {
	base, own := "", ""
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch {
		case n.Data == "base" && base == "":
			base = structure.Attr(n, "href")
		case n.Data == "link" && own == "" && strings.EqualFold(structure.Attr(n, "rel"), "canonical"):
			own = structure.Attr(n, "href")
		}
	}
	u, err := url.Parse(base)
	switch {
	case base == "" || err != nil:
		u = fetched
	case fetched != nil:
		u = fetched.ResolveReference(u)
	}
	if u != nil {
		return u
	}
	if u, err = url.Parse(own); own != "" && err == nil && u.IsAbs() {
		return u
	}
	return nil
}
