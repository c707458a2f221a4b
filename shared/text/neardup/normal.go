package neardup

import (
	"crypto/sha256"
	"strings"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/segment"
)

// Normalise returns the part of a text that is compared: its letters, digits
// and the marks that belong to letters, in lower case, narrow, simplified (see
// segment.Fold). Space, punctuation and symbols are removed, so that neither
// layout nor a conversion of the script makes two texts of one. The result is
// valid UTF-8 for any text.
func Normalise(text string) string {
	text = segment.Fold(text)
	var kept strings.Builder
	kept.Grow(len(text))
	from := 0 // text[from:] is not in kept yet
	for i, r := range text {
		if !counts(r) {
			kept.WriteString(text[from:i])
			from = i + utf8.RuneLen(r)
		}
	}
	kept.WriteString(text[from:])
	return kept.String()
}

// counts reports whether a character of folded text is compared.
func counts(r rune) bool {
	switch {
	case 0x4E00 <= r && r <= 0x9FFF, 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return true
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '〇'
}

// Digest is the identity of a normalised text.
type Digest [16]byte

// DigestOf returns the digest of a normalised text: the first 128 bits of its
// SHA-256, so that a text cannot be written to pass for a copy of another.
func DigestOf(normal string) Digest {
	sum := sha256.Sum256([]byte(normal))
	return Digest(sum[:16])
}
