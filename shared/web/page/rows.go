package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

const (
	minHeadline = 6  // runes of an anchor that may be the headline of a page
	maxBeside   = 40 // runes of a text that may be little more than a date
)

// row is what a part of a page has for a list: its headlines and a date.
type row struct {
	href      string // of its headline
	headlines int    // links to different pages; 2: or more
	date      string // the first text that may be a date
}

// rows finds the texts beside links that may be dates: those of the smallest element
// with a headline and such a text that has no other headline.
func (s *linkSet) rows(n *html.Node) row {
	if n.Type == html.TextNode {
		return row{date: mayBeDate(n.Data)}
	}
	var r row
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.add(s.rows(c))
	}
	if n.Type == html.ElementNode && n.Data == "a" {
		r.headlines = 0
		if ref, ok := s.index[hrefOf(n)]; ok && utf8.RuneCountInString(s.refs[ref].anchor) >= minHeadline {
			r.href, r.headlines = hrefOf(n), 1
		}
	}
	if r.headlines == 1 && r.date != "" {
		s.refs[s.index[r.href]].beside = r.date
		r.headlines = 2 // what stands around it is not its row
	}
	return r
}

// add takes in what a child has.
func (r *row) add(child row) {
	if r.date == "" {
		r.date = child.date
	}
	switch {
	case child.headlines == 0:
	case r.headlines == 0:
		r.href, r.headlines = child.href, child.headlines
	case child.headlines > 1 || child.href != r.href:
		r.headlines = 2
	}
}

func hrefOf(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "href" {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// mayBeDate returns a text that is short and has two digits, else "".
func mayBeDate(text string) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > maxBeside || strings.IndexFunc(text, unicode.IsDigit) == strings.LastIndexFunc(text, unicode.IsDigit) {
		return ""
	}
	return text
}
