package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Fold brings text into the one form in which words are compared: valid UTF-8,
// full-width letters and digits narrow (ＧＤＰ → GDP), lower case, accents
// composed (NFC), the apostrophe straight, radicals as characters, without what
// only guides hyphenation and ligatures (soft hyphen, joiners, byte order mark),
// simplified.
// Text in that form already is returned as it is, without allocation; folding
// twice changes nothing.
func Fold(text string) string {
	text, compose := foldRunes(text)
	if compose {
		text = norm.NFC.String(text)
	}
	return Simplify(text)
}

// foldRunes makes text valid and folds each character by itself. It says whether
// some may be composed. What stays as it is, is copied in one piece.
func foldRunes(text string) (folded string, compose bool) {
	var out strings.Builder
	copied := 0 // text[:copied] is in out
	for i, n := 0, 0; i < len(text); i += n {
		if mainHan(text, i) != 0 {
			n = 3
			continue
		}
		var r rune
		if r, n = utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && n == 1 {
			return foldRunes(strings.ToValidUTF8(text, "\uFFFD"))
		}
		compose = compose || r >= 0x300 && mayCompose(r)
		to := foldRune(r)
		if to == r {
			continue
		}
		if out.Len() == 0 {
			out.Grow(len(text))
		}
		out.WriteString(text[copied:i])
		if to >= 0 {
			out.WriteRune(to)
		}
		copied = i + n
	}
	if copied == 0 {
		return text, compose
	}
	out.WriteString(text[copied:])
	return out.String(), compose
}

// mainHan returns the character of text at i if it is of the main block, else 0.
func mainHan(text string, i int) rune {
	if i+2 < len(text) {
		first, second, third := rune(text[i]^0xE0), rune(text[i+1]^0x80), rune(text[i+2]^0x80)
		if r := first<<12 | second<<6 | third; second|third < 0x40 && hanStart <= r && r < hanEnd {
			return r
		}
	}
	return 0
}

// mayCompose reports whether a text with r may not be composed; it knows
// the characters of ordinary text, from U+300 on, that are always composed.
func mayCompose(r rune) bool {
	switch {
	case 0x400 <= r && r <= 0x482, // Cyrillic
		0x2010 <= r && r <= 0x2027,                             // dashes, quotation marks
		0x2190 <= r && r <= 0x2328, 0x232B <= r && r <= 0x2ADB, // arrows, circled numbers, shapes
		0x3001 <= r && r < 0x3099, 0x309B <= r && r < hanEnd, // but for the sound marks of kana
		0xAC00 <= r && r < 0xD7A4,  // Hangul
		0xFF00 <= r && r <= 0xFF65: // full-width forms
		return false
	}
	return true
}

// foldRune returns the folded form of a character by itself; -1 is none.
func foldRune(r rune) rune {
	switch {
	case r <= unicode.MaxASCII:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case 0x3001 <= r && r <= 0xD7FF: // Chinese, Japanese, Korean: neither case nor width
		if r < 0xA000 || 0xAC00 <= r {
			return r
		}
	case r == '’':
		return '\''
	case 0x2F00 <= r && r <= 0x2FD5: // radicals, which PDF files have for characters
		r, _ = utf8.DecodeRuneInString(norm.NFKC.String(string(r)))
		return r
	case r == 0xAD, r == 0x200C, r == 0x200D, r == 0x2060, r == 0xFEFF:
		return -1
	case 0xFF01 <= r && r <= 0xFF5E: // ASCII, wide
		return foldRune(r - 0xFEE0)
	case r == 0x3000, 0xFF00 <= r && r <= 0xFFEF:
		if narrow := width.LookupRune(r).Folded(); narrow != 0 {
			r = narrow
		}
	}
	return unicode.ToLower(r)
}
