package neardup

import (
	"math/bits"
	"math/rand/v2"
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
	s, _ := spare.Get().(*scratch)
	defer spare.Put(s)
	s.runes = appendCompared(s.runes[:0], normal)
	s.hashes = appendShingles(s.hashes[:0], s.runes, simWeight)
	hashes := s.distinct()
	var set columns
	set.count(hashes)
	return set.above(len(hashes) / 2)
}

// distinct returns the hashes without repetitions, in place.
func (s *scratch) distinct() []uint64 {
	n := 1 << bits.Len(uint(2*len(s.hashes)))
	slots := slices.Grow(s.slots[:0], n)[:n] // places + 1 in once; 0 for none
	clear(slots)
	s.slots = slots
	mask := uint64(n - 1)
	odd := rand.Uint64() | 1 // a text must not choose where its hashes collide
	once := s.hashes[:0]
next:
	for _, h := range s.hashes {
		at := h * odd >> 32 & mask
		for ; slots[at] != 0; at = (at + 1) & mask {
			if once[slots[at]-1] == h {
				continue next
			}
		}
		once = append(once, h)
		slots[at] = uint32(len(once)) //nolint:gosec // maxCompared has 17 bits
	}
	return once
}

// columns counts how many numbers have each of 64 bits: bit b of columns[i] is
// bit i of the count of bit b, so that all are counted at once.
type columns [17]uint64 // maxCompared has 17 bits

// count counts numbers.
func (c *columns) count(numbers []uint64) {
	for len(numbers) >= 4 {
		n := numbers[:4]
		a, twoA := sum(c[0], n[0], n[1])
		b, twoB := sum(a, n[2], n[3])
		c[0] = b
		var four uint64
		c[1], four = sum(c[1], twoA, twoB)
		c.add(2, four)
		numbers = numbers[4:]
	}
	for _, n := range numbers {
		c.add(0, n)
	}
}

// add counts a number 1<<i times.
func (c *columns) add(i int, n uint64) {
	for ; n != 0; i++ {
		c[i], n = c[i]^n, c[i]&n
	}
}

// sum adds the bits of three numbers.
func sum(x, y, z uint64) (one, two uint64) {
	return x ^ y ^ z, x&y | (x^y)&z
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
