// Package runes decodes UTF-8 that is mostly Chinese, faster than package utf8 does.
package runes

import "unicode/utf8"

// Decode returns the character at text[i:] and its length, as utf8.DecodeRuneInString.
func Decode(text string, i int) (r rune, size int) {
	if r := Long(text, i); r >= 0 {
		return r, 3
	}
	return utf8.DecodeRuneInString(text[i:])
}

// Long returns the character at text[i:] if it takes three bytes, all from U+1000
// on but for U+D000 to U+DFFF; else a negative number. The compiler inlines it.
func Long(text string, i int) rune {
	if i+2 < len(text) {
		a, b, c := text[i], text[i+1]^0x80, text[i+2]^0x80
		if a > 0xE0 && a < 0xF0 && a != 0xED && b|c < 0x40 {
			return rune(a&0x0F)<<12 | rune(b)<<6 | rune(c)
		}
	}
	return -1
}
