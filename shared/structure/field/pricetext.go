package field

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
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
	if len(text) > maxBare || !strings.ContainsAny(text, digits) || !bare.MatchString(text) {
		return text
	}
	if before := besideOf(n, previous); before != nil && (text[0] == ',' || isDigit(text[0])) {
		piece := textOf(before)
		switch {
		case signOnly.MatchString(piece):
			text = piece + text
		case isDigit(piece[len(piece)-1]) && (isCents(n) || isCents(n.Parent)):
			return "" // no price of its own
		}
	}
	for behind := besideOf(n, next); behind != nil; behind = besideOf(behind, next) {
		piece := textOf(behind)
		if isCents(behind) {
			piece = "." + piece
		}
		if !isDigit(text[len(text)-1]) && !isDigit(piece[0]) || !begun.MatchString(text+piece) {
			break
		}
		text += piece
	}
	return text
}

// apart is the text of a node, with a space between the digits of two elements: they are
// two numbers, unless the second are the cents of the first.
func apart(n *html.Node) string {
	if n.Type == html.TextNode {
		return fold(n.Data)
	}
	var b pieces
	b.write(n)
	return fold(string(b.text))
}

// maxBare is how long an amount with a sign is, in bytes; longer texts need no look.
const maxBare = 32

// pieces joins the texts of a price.
type pieces struct {
	text   []byte
	number bool // it ends in a digit
}

func (b *pieces) write(n *html.Node) {
	switch {
	case n.Type == html.TextNode && n.Data != "":
		if b.number && isDigit(n.Data[0]) {
			b.text = append(b.text, ' ')
		}
		b.text = append(b.text, n.Data...)
		b.number = isDigit(n.Data[len(n.Data)-1])
	case n.Type != html.ElementNode || unread[n.Data]:
	case b.inNumber() && isCents(n) && units.Match(b.text):
		b.text = append(append(bytes.TrimRight(b.text, " \t\r\n"), '.'), textOf(n)...)
		b.number = false
	default:
		if block[n.Data] {
			b.apart()
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			b.write(c)
		}
		if block[n.Data] {
			b.apart()
		}
	}
}

// inNumber reports whether the text so far ends in a digit, but for white space.
func (b *pieces) inNumber() bool {
	text := bytes.TrimRight(b.text, " \t\r\n")
	return len(text) > 0 && isDigit(text[len(text)-1])
}

func (b *pieces) apart() { b.text, b.number = append(b.text, ' '), false }

// isCents reports whether an element is called the cents of the price in front of it, and
// has two digits.
func isCents(n *html.Node) bool {
	if n.Type != html.ElementNode || n.Data != "sup" && n.Data != "sub" && n.Data != "small" && !centsName.MatchString(structure.Attr(n, "class")) {
		return false
	}
	return twoDigits.MatchString(textOf(n))
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// replaced is the text of a price without the one that it replaces: of <ins>, or else what
// is not struck. It is "" where nothing is struck, or nothing else has a digit.
func replaced(n *html.Node) string {
	if n.Type != html.ElementNode || isStruck(n) {
		return ""
	}
	var rest, inserted pieces
	struck := false
	var write func(n *html.Node)
	write = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type != html.ElementNode, isCents(c):
				rest.write(c)
			case isStruck(c):
				struck = true
			case c.Data == "ins":
				inserted.write(c)
			case !unread[c.Data]:
				rest.apart()
				write(c)
				rest.apart()
			}
		}
	}
	write(n)
	switch {
	case !struck:
	case bytes.ContainsAny(inserted.text, digits):
		return fold(string(inserted.text))
	case bytes.ContainsAny(rest.text, digits):
		return fold(string(rest.text))
	}
	return ""
}

const digits = "0123456789"

// isStruck reports whether an element has a line through its text, or is called an old price.
func isStruck(n *html.Node) bool {
	return n.Data == "del" || n.Data == "s" || n.Data == "strike" || strings.Contains(strings.ToLower(structure.Attr(n, "style")), "line-through") || oldName.MatchString(structure.Attr(n, "class"))
}

var (
	bare      = regexp.MustCompile(`(?i)^(?:` + before + `)? ?,?\d[\d,]*(\.\d*)?$`)
	begun     = regexp.MustCompile(`(?i)^(?:` + before + `)? ?\d[\d,]*(?:[.,]\d{0,2})? ?(?:` + behind + `)?$`) // the text of a price so far
	units     = regexp.MustCompile(`(?:^|[^\d.,])\d+(?:,\d{3})*\s*$`)                                          // a price without cents at the end
	twoDigits = regexp.MustCompile(`(?i)^\d\d ?(?:` + behind + `)?$`)
	oldName   = regexp.MustCompile(`(?i)(?:^|[-_ ])(?:old|was)(?:[-_ ]|price|$)`)
	centsName = regexp.MustCompile(`(?i)(?:^|[-_ ])(?:cents?|fraction|decimals?|dec|minor|superscript|sup|fen|xiaoshu)(?:[-_ ]|$)`)
)

func next(n *html.Node) *html.Node     { return n.NextSibling }
func previous(n *html.Node) *html.Node { return n.PrevSibling }

// besideOf is the first node with text in a direction from another, within the element
// around it or the one around that; nil for none.
func besideOf(n *html.Node, to func(*html.Node) *html.Node) *html.Node {
	for range 2 {
		for at := to(n); at != nil; at = to(at) {
			if textOf(at) != "" {
				return at
			}
		}
		if n = n.Parent; n == nil || block[n.Data] {
			return nil
		}
	}
	return nil
}
