package field

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sluice/shared/structure/template"
)

// Value is what a field has on a page.
type Value struct {
	Text string `json:"value"` // as the page has it, without label and noise

	Amount   *float64 `json:"amount,omitempty"`   // of a price, or a number
	Most     *float64 `json:"most,omitempty"`     // the other end of a range
	Currency string   `json:"currency,omitempty"` // ISO 4217
	Date     string   `json:"date,omitempty"`     // ISO 8601: as much of it as the page says
}

// maxText is the length of a value that is a text, in bytes.
const maxText = 4 << 10

// Clean makes a value of a text of a page. It reports false for a text that no
// such field has.
func Clean(f *template.Field, text string, base *url.URL) (Value, bool) {
	if f.Type == template.Image || f.Type == template.Link {
		return resolve(text, base)
	}
	if f.Many && strings.Contains(text, "\n") {
		return cleanLines(f, text)
	}
	text = unlabel(f, fold(text))
	if text == "" || len(text) > maxText || !speaks(text) {
		return Value{}, false
	}
	if f.Pattern != nil && !f.Pattern.MatchString(text) {
		return Value{}, false
	}
	switch f.Type {
	case template.Price:
		return readPrice(currentIn(f, text))
	case template.Date:
		return readDate(text)
	case template.Number:
		return readNumber(countOf(f, text))
	}
	if !f.Heading {
		text = firstPart(dateless(text))
	}
	return Value{Text: text}, true
}

// textFor is the text of a node that a field is read from.
func textFor(f *template.Field, n *html.Node) string {
	switch {
	case f.Type == template.Price:
		return priceText(n)
	case f.Type == template.Date:
		return dateText(n)
	case f.Many:
		return strings.Join(lines(n), "\n")
	}
	return textOf(n)
}

// marks are what separates a value from its label, and values from each other.
const marks = ":：|｜-–—,，;；·•»>/、=*# \u00a0"

// nextLabel is another label behind the value: "来源：本站 作者：张三".
var nextLabel = regexp.MustCompile(`[ \x{3000}【\[（(](?:\p{Han}{2,6} ?[:：]|\p{Lu}\p{Ll}+: )`)

// brackets are those that values stand in, with or without their labels.
const brackets, closing = "[【（(", "]】）)"

// gap is the end of a value in a line with labels, in Chinese: "来源：本站 参与互动".
var gap = regexp.MustCompile(`\p{Han} \p{Han}`)

// labelIn returns where a label of a field stands in a text, and the colon behind it:
// at the beginning or, as a whole, behind a space or a bracket; the prices of a line are
// told apart by their first labels. Without one, colon is -1.
func labelIn(f *template.Field, text string, share func(label string) float64) (start, colon int) {
	for from := 0; ; {
		at := labelEnd(text[from:])
		if at < 0 || from+at >= len(text)-len("：") {
			return 0, -1
		}
		colon = from + at
		if text[colon] == ' ' {
			if start = lastPart(text[:colon]); share(text[start:colon]) == 1 {
				return start, colon
			}
			from = colon + 1
			continue
		}
		if colon > 0 && from == 0 && share(text[:colon]) > 0 {
			return 0, colon
		}
		if start = strings.LastIndexAny(text[:colon], " |｜"+brackets); start >= 0 && f.Type != template.Price {
			_, size := utf8.DecodeRuneInString(text[start:])
			if start += size; start < colon && share(text[start:colon]) == 1 {
				return start, colon
			}
		}
		from = colon + 1
	}
}

// labelled reports whether a text has a label of a field.
func labelled(f *template.Field, text string) bool {
	_, colon := labelIn(f, text, f.Label)
	return colon >= 0
}

// belowZero is a number below zero, without its sign.
var belowZero = regexp.MustCompile(`^\d+(?:[.,]\d+)*(?:$|[^\d\-./])`)

// trimLeft cuts marks in front of a text, but for the sign of a number and that of a formula.
func trimLeft(text string) string {
	rest := strings.TrimLeft(text, marks)
	cut := text[:len(text)-len(rest)]
	for _, sign := range [...]string{"-", "="} {
		if before, ok := strings.CutSuffix(cut, sign); ok && !strings.HasSuffix(before, sign) && (sign == "=" && rest != "" || belowZero.MatchString(rest)) {
			return sign + rest
		}
	}
	return rest
}

// unlabel cuts the field's label from a text, and marks on both sides.
func unlabel(f *template.Field, text string) string {
	text = trimLeft(text)
	if start, colon := labelIn(f, text, f.Label); colon >= 0 {
		open, _ := utf8.DecodeRuneInString(text[max(0, strings.LastIndexAny(text[:colon], brackets)):])
		if text[colon] == ' ' {
			if next := afterName.FindStringIndex(text[colon:]); next != nil {
				text = text[:colon+next[0]]
			}
			if date, ok := stamp(text[colon:]); ok {
				text = text[:colon+strings.Index(text[colon:], date)]
			}
		}
		text = text[colon:]
		if next := nextLabel.FindStringIndex(text); next != nil {
			text = text[:next[0]]
		}
		if end := gap.FindStringIndex(text); start > 0 && end != nil {
			text = text[:end[0]+strings.IndexByte(text[end[0]:], ' ')]
		}
		if at := strings.IndexRune(brackets, open); at >= 0 {
			text, _, _ = strings.Cut(text, closing[at:at+utf8.RuneLen(open)])
		}
	}
	text = strings.TrimRight(trimLeft(text), ":：|｜-–—,，;；·•»>/、= \u00a0")
	for at, open := range brackets {
		end := closing[at : at+utf8.RuneLen(open)]
		if rest, ok := strings.CutPrefix(text, string(open)); ok {
			if inner, ok := strings.CutSuffix(rest, end); ok && !strings.ContainsRune(inner, open) {
				text = strings.TrimSpace(inner)
			}
		}
	}
	return text
}

// resolve returns the address of an image or a page.
func resolve(ref string, base *url.URL) (Value, bool) {
	ref = strings.TrimSpace(ref)
	if ref == "" || len(ref) > maxText || strings.HasPrefix(ref, "#") {
		return Value{}, false
	}
	u, err := url.Parse(ref)
	if err != nil {
		return Value{}, false
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	switch u.Scheme {
	case "http", "https", "":
		text := u.String()
		return Value{Text: text}, text != "" // of //
	}
	return Value{}, false
}
