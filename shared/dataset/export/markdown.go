package export

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// maxCell bounds what a cell shows, in characters.
const maxCell = 120

// cell makes a text fit for a cell of a table in Markdown: on one line, with
// the characters escaped that Markdown or HTML would interpret.
func cell(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ") {
		if n++; n > maxCell {
			b.WriteRune('…')
			break
		}
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_{}[]()#+!|~$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case hidden(r):
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	if n == 0 {
		return "–"
	}
	return b.String()
}

// number groups the digits of a whole number.
func number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1e6:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// hidden reports whether a character is invisible, or changes the direction of
// others.
func hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
