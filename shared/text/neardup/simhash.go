package neardup

import (
	"math/bits"
	"math/rand/v2"
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
	hashes := distinct(shingles(compared(normal), simWeight))
	var set columns
	for _, h := range hashes {
		set.add(h)
	}
	return set.above(len(hashes) / 2)
}

// distinct returns the hashes without repetitions, in place.
func distinct(hashes []uint64) []uint64 {
	slots := make([]uint64, 1<<bits.Len(uint(2*len(hashes))))
	mask := uint64(len(slots) - 1)
	odd := rand.Uint64() | 1 // a text must not choose where its hashes collide
	once, zero := hashes[:0], false
next:
	for _, h := range hashes {
		if h == 0 { // marks a free slot
			if !zero {
				once, zero = append(once, h), true
			}
			continue
		}
		at := h * odd >> 32 & mask
		for ; slots[at] != 0; at = (at + 1) & mask {
			if slots[at] == h {
				continue next
			}
		}
		slots[at] = h
		once = append(once, h)
	}
	return once
}

// columns counts how many numbers have each of 64 bits: bit b of columns[i] is
// bit i of the count of bit b, so that all are counted at once.
type columns [17]uint64 // maxCompared has 17 bits

func (c *columns) add(n uint64) {
	for i := 0; n != 0; i++ {
		c[i], n = c[i]^n, c[i]&n
	}
}

// above returns the bits that were counted more than limit times.
func (c *columns) above(limit int) (set uint64) {
	same := ^uint64(0) // counts that agree with limit in the bits before
	for i := len(c) - 1; i >= 0; i-- {
		if limit>>i&1 == 0 {
			set |= same & c[i]
			same &^= c[i]
		} else {
			same &= c[i]
		}
	}
	return set
}
