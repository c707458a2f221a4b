package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

const (
	minHeadline = 6  // runes of an anchor that may be the headline of a page
	maxBeside   = 60 // runes of a text that may be a date, perhaps in a line of labels
	maxDates    = 4  // such texts in a row
)

// row is what a part of a page has for a list: its headlines and a date.
type row struct {
	href      string // of its headline
	headlines int    // links to different pages; 2: or more
	dates     []string
}

// rows finds the texts beside links that may be dates: those of the smallest element
// with a headline and such a text that has no other headline. It adds what n has to the
// row around it.
func (s *linkSet) rows(n *html.Node, around *row) {
	if n.Type == html.TextNode {
		if len(around.dates) < maxDates {
			if text := strings.TrimSpace(n.Data); mayBeDate(text) {
				around.dates = append(around.dates, text)
			}
		}
		return
	}
	r := row{dates: around.dates[len(around.dates):]} // the same memory: most are added to around
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.rows(c, &r)
	}
	if n.Type == html.ElementNode && n.Data == "a" {
		s.headline(n, &r)
	}
	if r.headlines == 1 && len(r.dates) > 0 {
		s.refs[s.index[r.href]].beside = strings.Join(r.dates, "\n")
		r.headlines = 2 // what stands around it is not its row
	}
	around.add(&r)
}

// headline makes a row of a link, whose own text is no date.
func (s *linkSet) headline(n *html.Node, r *row) {
	r.headlines = 0
	href := hrefOf(n)
	ref, ok := s.index[href]
	if !ok {
		return
	}
	anchor := s.refs[ref].anchor
	if len(anchor) < minHeadline*utf8.UTFMax && utf8.RuneCountInString(anchor) < minHeadline {
		return
	}
	r.href, r.headlines = href, 1
	if len(r.dates) == 1 && n.FirstChild == n.LastChild {
		r.dates = nil
	}
}

// add takes in what a child has.
func (r *row) add(child *row) {
	if len(r.dates) < maxDates {
		r.dates = append(r.dates, child.dates...)
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

// mayBeDate reports whether a text is short and has a digit.
func mayBeDate(text string) bool {
	return len(text) <= maxBeside*utf8.UTFMax && hasDigit(text) && utf8.RuneCountInString(text) <= maxBeside
}

// hasDigit reports whether valid text has a digit of any script.
func hasDigit(text string) bool {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case '0' <= c && c <= '9':
			return true
		case c < utf8.RuneSelf:
			i++
		case 0xE3 <= c && c <= 0xE9: // U+3000 to U+9FFF: nearly all of Chinese, no digits
			i += 3
		default:
			r, n := utf8.DecodeRuneInString(text[i:])
			if unicode.IsDigit(r) {
				return true
			}
			i += n
		}
	}
	return false
}
