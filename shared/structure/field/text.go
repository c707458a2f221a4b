package field

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// block are the elements that begin a new line: words on both sides of their
// bounds are apart.
var block = map[string]bool{
	"address": true, "article": true, "aside": true, "blockquote": true, "br": true, "center": true, "dd": true, "div": true,
	"dl": true, "dt": true, "fieldset": true, "figure": true, "footer": true, "form": true, "h1": true, "h2": true, "h3": true,
	"h4": true, "h5": true, "h6": true, "header": true, "hr": true, "li": true, "main": true, "nav": true, "ol": true, "p": true,
	"pre": true, "section": true, "table": true, "tbody": true, "td": true, "tfoot": true, "th": true, "thead": true, "tr": true, "ul": true,
}

// unread are the elements whose content a reader does not see.
var unread = map[string]bool{
	"script": true, "style": true, "template": true, "noscript": true, "textarea": true, "select": true, "svg": true,
	"iframe": true, "object": true, "head": true, "title": true, "noframes": true,
}

// textOf is the visible text of a node, white space folded.
func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return fold(n.Data)
	}
	var b strings.Builder
	writeText(&b, n)
	return fold(b.String())
}

func writeText(b *strings.Builder, n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		b.WriteString(n.Data)
	case n.Type == html.ElementNode && unread[n.Data], n.Type == html.CommentNode:
	default:
		if block[n.Data] {
			b.WriteByte(' ')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			writeText(b, c)
		}
		if block[n.Data] {
			b.WriteByte(' ')
		}
	}
}

// fold trims a text and makes all its white space single spaces.
func fold(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff'
	}), " ")
}

// speaks reports whether a text has a letter or a digit.
func speaks(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}
