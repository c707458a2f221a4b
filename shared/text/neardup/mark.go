package neardup

import (
	"slices"
	"strings"
)

// Mark returns a sign of a normalised text, the smallest hash of its shingles without
// digits (MinHash, Broder 1997): two texts have the same with a probability that is
// the share of their shingles that both have, and texts that differ in numbers alone
// always do. So the number of different marks says how much different text there is.
func Mark(normal string) uint64 {
	text := compared(strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, normal))
	least := hash(text)
	if hashes := shingles(text, shingleWeight); len(hashes) > 0 {
		least = mix(slices.Min(hashes))
	}
	return least
}
