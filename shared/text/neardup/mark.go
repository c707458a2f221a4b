package neardup

import "slices"

// Mark returns a sign of a normalised text, the smallest hash of its shingles without
// digits (MinHash, Broder 1997): two texts have the same with a probability that is
// the share of their shingles that both have, and texts that differ in numbers alone
// always do. So the number of different marks says how much different text there is.
func Mark(normal string) uint64 {
	text := slices.DeleteFunc(compared(normal), func(r rune) bool { return '0' <= r && r <= '9' })
	hashes := shingles(text, shingleWeight)
	if len(hashes) == 0 {
		return hash(text)
	}
	return mix(slices.Min(hashes))
}
