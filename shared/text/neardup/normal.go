package neardup

import (
	"crypto/sha256"
	"strings"
	"unicode"

	"sluice/shared/text/runes"
	"sluice/shared/text/segment"
)

// Normalise returns the part of a text that is compared: its letters, digits
// and the marks that belong to letters, in lower case, narrow, simplified (see
// segment.Fold). Space, punctuation and symbols are removed, so that neither
// layout nor a conversion of the script makes two texts of one. The result is
// valid UTF-8 for any text.
func Normalise(text string) string { return NormaliseFolded(segment.Fold(text)) }

// NormaliseFolded is Normalise for text that segment.Fold returned.
func NormaliseFolded(text string) string {
	var kept strings.Builder
	kept.Grow(len(text))
	from := 0 // text[from:] is not in kept yet
	for i := 0; i < len(text); {
		if r := runes.Long(text, i); 0x4E00 <= r && r <= 0x9FFF { // nearly all of Chinese text
			i += 3
			continue
		}
		r, n := runes.Decode(text, i)
		if !counts(r) {
			kept.WriteString(text[from:i])
			from = i + n
		}
		i += n
	}
	kept.WriteString(text[from:])
	return kept.String()
}

// counts reports whether a character of folded text is compared.
func counts(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return true
	case r < '0', 0x2010 <= r && r < 0x2070, 0x3001 <= r && r <= 0x3004: // punctuation, the most
		return false
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
