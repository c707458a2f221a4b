package pii

import (
	"unicode"
	"unicode/utf8"
)

// The kinds of glyphs that are not ASCII characters, not even wide ones.
const (
	none   byte = 0x80 + iota // does not show
	letter                    // of any script but those of han
	han                       // of a script that writes without spaces
	ellipsis
	other
)

// A glyph is a character as it is read: ASCII for full-width forms, all sorts
// of hyphens and of spaces, else one of the constants above; 0 beyond the ends
// of the text and for line feeds, over which nothing reaches.

// glyphAt returns the glyph at text[i:] and how many bytes it has.
func glyphAt(text string, i int) (glyph byte, size int) {
	if i >= len(text) {
		return 0, 0
	}
	if c := text[i]; c < utf8.RuneSelf {
		return narrow(c), 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return fold(r), size
}

// glyphBefore returns the glyph that ends at i and how many bytes it has.
func glyphBefore(text string, i int) (glyph byte, size int) {
	if i <= 0 {
		return 0, 0
	}
	if c := text[i-1]; c < utf8.RuneSelf {
		return narrow(c), 1
	}
	r, size := utf8.DecodeLastRuneInString(text[:i])
	return fold(r), size
}

// maxHidden limits how many characters that do not show are skipped in one
// place, which keeps look-ahead short.
const maxHidden = 3

// showing is glyphAt for the first glyph that shows; end is where it ends.
func showing(text string, i int) (glyph byte, end int) {
	for range maxHidden {
		g, size := glyphAt(text, i)
		if g != none {
			return g, i + size
		}
		i += size
	}
	g, size := glyphAt(text, i)
	return g, i + size
}

// showingBefore is glyphBefore for the first glyph that shows; start is where
// it starts.
func showingBefore(text string, i int) (glyph byte, start int) {
	for range maxHidden {
		g, size := glyphBefore(text, i)
		if g != none {
			return g, i - size
		}
		i -= size
	}
	g, size := glyphBefore(text, i)
	return g, i - size
}

func narrow(c byte) byte {
	switch {
	case c == '\n', c == '\r':
		return 0
	case c == '\t', c == '\v', c == '\f':
		return ' '
	case c < ' ', c == 0x7F:
		return none
	}
	return c
}

func fold(r rune) byte {
	switch {
	case 0x4E00 <= r && r < 0xA000: // the most
		return han
	case 0xFF01 <= r && r <= 0xFF5E:
		return byte(r - 0xFF01 + '!')
	case 0x2010 <= r && r <= 0x2015, r == 0x2212, r == 0xFE63, r == 0xFE58:
		return '-'
	case r == '…', r == '⋯':
		return ellipsis
	case r == 0x3000, unicode.Is(unicode.Zs, r):
		return ' '
	case r == 0x85, r == 0x2028, r == 0x2029:
		return 0
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), 0xFE00 <= r && r <= 0xFE0F:
		return none
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
		return han
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	}
	return other
}

func isDigit(g byte) bool { return '0' <= g && g <= '9' }

// isLetter is for letters that make words with Latin ones.
func isLetter(g byte) bool { return isLatin(g) || g == letter }

func isLatin(g byte) bool { return 'a' <= g|0x20 && g|0x20 <= 'z' && g < none }

func isWordly(g byte) bool { return isDigit(g) || isLetter(g) }

func isHex(g byte) bool { return isDigit(g) || 'a' <= g|0x20 && g|0x20 <= 'f' && g < none }
