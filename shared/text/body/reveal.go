package body

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// reveal says whether a hidden element holds the text all the same, and shows it:
// some sites hide the page, or the text, until their script has run. That is the
// body, or an element with visibility: hidden and most of the words outside links.
// What is hidden by display: none may be longer than short news: the terms of use.
func (w *walker) reveal(n *html.Node) bool {
	switch {
	case n.DataAtom == atom.Body:
	case w.revealed || !strings.Contains(strings.ToLower(attr(n, "style")), "visibility"):
		return false
	default:
		if w.unlinked == 0 { // not counted yet
			w.unlinked = max(1, unlinkedRunes(w.root))
		}
		if w.revealed = unlinkedRunes(n)*2 > w.unlinked; !w.revealed {
			return false
		}
	}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "style" || a.Key == "hidden" })
	return !hidden(n)
}

// unlinkedRunes counts the runes of the text under n, links and scripts left out.
func unlinkedRunes(n *html.Node) (runes int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.A, atom.Head, atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Textarea, atom.Select:
			continue
		}
		if c.Type == html.TextNode {
			runes += utf8.RuneCountInString(strings.TrimSpace(c.Data))
		}
		runes += unlinkedRunes(c)
	}
	return runes
}
