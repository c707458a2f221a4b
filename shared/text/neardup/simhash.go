package neardup

import (
	"math/bits"
	"slices"
)

// simWeight is the weight of the shingles of SimHash: three Chinese
// characters, six letters.
const simWeight = 6

// SimHash returns the 64-bit fingerprint of a normalised text (Charikar 2002)
// over its different shingles of three Chinese characters, or six letters.
// Texts that share most of them differ in few bits, unrelated ones in 32 ± 12.
// It is 0 for a text without shingles. It is a hint for readers of the records;
// it does not decide which documents repeat others.
func SimHash(normal string) uint64 {
	hashes := shingles(compared(normal), simWeight)
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	var set [64]int // hashes that have the bit
	for _, h := range hashes {
		for ; h != 0; h &= h - 1 {
			set[bits.TrailingZeros64(h)]++
		}
	}
	var sim uint64
	for bit, n := range set {
		if 2*n > len(hashes) {
			sim |= 1 << bit
		}
	}
	return sim
}
