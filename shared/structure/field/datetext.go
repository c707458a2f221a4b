package field

import (
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// dateText is the text of a node that a date is read from: its own, if that is a whole date
// or nothing says more. Else its parts, apart ("12" over "Sep" over "2024"), or what <time>
// says in its attribute.
func dateText(n *html.Node) string {
	text := textOf(n)
	if len(text) > maxLead || wholeDate(text) {
		return text
	}
	if n.Type == html.ElementNode {
		var parts []string
		for d := range n.Descendants() {
			if d.Type == html.TextNode && !unread[d.Parent.Data] {
				parts = append(parts, d.Data)
			}
		}
		if apart := fold(strings.Join(parts, " ")); wholeDate(apart) {
			return apart
		}
	}
	if said := datetime(n); wholeDate(said) {
		return said
	}
	return text
}

func wholeDate(text string) bool {
	v, ok := readDate(text)
	return ok && len(v.Date) >= len("2024-05-01")
}

// datetime is that of the <time> that a node is, is in or has alone; "" if there is none.
func datetime(n *html.Node) string {
	for up := n; up != nil && (up == n || up == n.Parent); up = up.Parent {
		if up.Data == "time" {
			return structure.Attr(up, "datetime")
		}
	}
	said, times := "", 0
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == "time" {
			said = structure.Attr(d, "datetime")
			times++
		}
	}
	if times == 1 {
		return said
	}
	return ""
}
