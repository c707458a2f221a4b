package field

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

var signOnly = regexp.MustCompile(`(?i)^(?:` + before + `)$`)

// priceText is the text of a node with what stands beside it if that completes a
// price: the sign of the currency before it, cents or the unit behind it. Of a price that
// replaces another, struck one, it is the text of the new.
func priceText(n *html.Node) string {
	text := apart(n)
	if now := replaced(n); now != "" {
		text = now
	}
	if text == "" || text[0] != ',' && (text[0] < '0' || text[0] > '9') || !bare.MatchString(text) {
		return text
	}
	if before := besideOf(n, func(n *html.Node) *html.Node { return n.PrevSibling }); signOnly.MatchString(before) {
		text = before + text
	}
	if behind := besideOf(n, func(n *html.Node) *html.Node { return n.NextSibling }); completes.MatchString(behind) {
		text += behind
	}
	return text
}

// apart is the text of a node, with a space between the digits of two elements: they are
// two numbers.
func apart(n *html.Node) string {
	if n.Type == html.TextNode {
		return fold(n.Data)
	}
	var b strings.Builder
	number := false // the text so far ends in a digit
	var write func(n *html.Node)
	write = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode && n.Data != "":
			if number && isDigit(n.Data[0]) {
				b.WriteByte(' ')
			}
			b.WriteString(n.Data)
			number = isDigit(n.Data[len(n.Data)-1])
		case n.Type == html.ElementNode && !unread[n.Data]:
			if block[n.Data] {
				b.WriteByte(' ')
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				write(c)
			}
			if block[n.Data] {
				b.WriteByte(' ')
			}
		}
	}
	write(n)
	return fold(b.String())
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// replaced is the text of a price without the one that it replaces: of <ins>, or else what
// is not struck. It is "" where nothing is struck, or nothing else has a digit.
func replaced(n *html.Node) string {
	if n.Type != html.ElementNode || isStruck(n) {
		return ""
	}
	var rest, inserted strings.Builder
	struck := false
	var write func(n *html.Node)
	write = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type != html.ElementNode:
				writeText(&rest, c)
			case isStruck(c):
				struck = true
			case c.Data == "ins":
				writeText(&inserted, c)
			case !unread[c.Data]:
				rest.WriteByte(' ')
				write(c)
				rest.WriteByte(' ')
			}
		}
	}
	write(n)
	switch {
	case !struck:
	case strings.ContainsAny(inserted.String(), digits):
		return fold(inserted.String())
	case strings.ContainsAny(rest.String(), digits):
		return fold(rest.String())
	}
	return ""
}

const digits = "0123456789"

func isStruck(n *html.Node) bool { return n.Data == "del" || n.Data == "s" || n.Data == "strike" }

var (
	bare      = regexp.MustCompile(`^[\d,]+(\.\d*)?$`)
	completes = regexp.MustCompile(`(?i)^(?:\.\d{1,2})?(?:` + behind + `)?$`)
)

// besideOf is the first text in a direction from a node, within the element
// around it or the one around that.
func besideOf(n *html.Node, next func(*html.Node) *html.Node) string {
	for range 2 {
		for at := next(n); at != nil; at = next(at) {
			if text := textOf(at); text != "" {
				return text
			}
		}
		if n = n.Parent; n == nil || block[n.Data] {
			return ""
		}
	}
	return ""
}
