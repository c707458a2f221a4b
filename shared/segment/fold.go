package segment

import (
	"strings"

	"golang.org/x/text/width"
)

// Fold brings text into the one form in which words are compared: valid UTF-8,
// full-width letters and digits narrow (ＧＤＰ → GDP), simplified, lower case.
// Text in that form already is returned as it is, without allocation; folding
// twice changes nothing.
func Fold(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if hasWidthForms(text) {
		text = width.Fold.String(text)
	}
	return strings.ToLower(Simplify(text))
}

// hasWidthForms reports whether text has a character of the block of full- and
// half-width forms (U+FF00 to U+FFEF) or an ideographic space.
func hasWidthForms(text string) bool {
	for i := 0; i+2 < len(text); i++ {
		switch text[i] {
		case 0xEF:
			if text[i+1] >= 0xBC {
				return true
			}
		case 0xE3:
			if text[i+1] == 0x80 && text[i+2] == 0x80 {
				return true
			}
		}
	}
	return false
}
