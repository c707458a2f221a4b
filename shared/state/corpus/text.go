package corpus

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/runes"
)

// CleanText returns a text in the form of records: valid UTF-8 whose only
// control character is the line feed. All line ends become line feeds, a tab
// becomes a space, and each run of broken bytes becomes one U+FFFD.
func CleanText(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, r := range s {
		switch {
		case r == '\n', r == '\r', r == '\u0085', r == '\u2028', r == '\u2029':
			b.WriteByte('\n')
		case r == '\t', r == '\v', r == '\f':
			b.WriteByte(' ')
		case !unicode.IsControl(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cleanLine is CleanText for fields of one line: runs of white space become one
// space, without any at either end.
func cleanLine(s string) string {
	s = CleanText(s)
	if strings.IndexFunc(s, unicode.IsSpace) < 0 {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func isClean(s string) bool {
	for i := 0; i < len(s); {
		if r := runes.Long(s, i); r >= 0x3000 { // nearly all of Chinese text
			i += 3
			continue
		}
		r, n := runes.Decode(s, i)
		if r < 0xA0 && r != '\n' && unicode.IsControl(r) || r|1 == 0x2029 || r == utf8.RuneError && n == 1 {
			return false
		}
		i += n
	}
	return true
}

// escapeURI percent-encodes every byte that a URI cannot contain: controls (so
// that no URL adds a header to a WARC record), space and non-ASCII bytes. It
// returns a canonical URL, and its own result, unchanged.
func escapeURI(s string) string {
	const hexDigits = "0123456789ABCDEF"
	if strings.IndexFunc(s, notURI) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; notURI(rune(c)) {
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func notURI(r rune) bool { return r <= ' ' || r >= 0x7f }
