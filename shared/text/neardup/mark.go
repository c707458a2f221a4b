package neardup

import "slices"

// Mark returns a sign of a normalised text, the smallest hash of its shingles without
// digits (MinHash, Broder 1997): two texts have the same with a probability that is
// the share of their shingles that both have, and texts that differ in numbers alone
// always do. So the number of different marks says how much different text there is.
func Mark(normal string) uint64 {
	s, _ := spare.Get().(*scratch)
	defer spare.Put(s)
	s.runes = appendCompared(s.runes[:0], normal)
	text := slices.DeleteFunc(s.runes, digit)
	s.hashes = appendShingles(s.hashes[:0], text, shingleWeight)
	if len(s.hashes) == 0 {
		return hash(text)
	}
	return mix(slices.Min(s.hashes))
}
