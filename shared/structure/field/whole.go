package field

import (
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

// Lists shorten names: "Huawei Mate 60 …". The whole name is in the title of the link, or in
// the text of the image.

const maxWholeNodes = 200

// wholeName returns the name that the text of a node is the beginning of, where it ends in
// an ellipsis, from an attribute in the record; the text itself if there is none. On a page
// of details what it shows is its name.
func wholeName(n *html.Node, text string, p Page) string {
	begin := Shortened(text)
	if begin == "" || p.Root.Type != html.ElementNode {
		return text
	}
	for ; n != nil; n = n.Parent {
		if whole := beginning(n, begin); whole != "" {
			return whole
		}
		if n == p.Root {
			break
		}
	}
	return text
}

// Shortened is a text without the ellipsis at its end, as Fold has it; "" without one.
func Shortened(text string) string {
	begin := strings.TrimRight(text, ".…⋯ ")
	if end := text[len(begin):]; !strings.ContainsAny(end, "…⋯") && !strings.Contains(end, "..") {
		return ""
	}
	return template.Fold(begin)
}

// beginning is the title or the text of an image, of an element or below it, that begins
// with a text and goes on; "" for none.
func beginning(n *html.Node, begin string) string {
	is := func(text string) bool {
		folded := template.Fold(text)
		return len(folded) > len(begin) && strings.HasPrefix(folded, begin) && Shortened(text) == ""
	}
	if title := structure.Attr(n, "title"); is(title) {
		return title
	}
	nodes := 0
	for d := range n.Descendants() {
		if nodes++; nodes > maxWholeNodes {
			break
		}
		for _, key := range [...]string{"title", "alt"} {
			if text := structure.Attr(d, key); is(text) {
				return text
			}
		}
	}
	return ""
}
