package quality

import "math/bits"

// block is a stretch of text: a line, a paragraph, a sentence.
type block struct {
	size int    // characters
	hash uint64 // of them
}

func (b *block) add(hash uint64, size int) {
	b.hash = mix(b.hash, hash)
	b.size += size
}

// mix adds x to a hash; fold is for what the hash is looked up by.
func mix(hash, x uint64) uint64 { return (bits.RotateLeft64(hash, 5) ^ x) * 0x9E3779B97F4A7C15 }

func fold(hash uint64) uint32 { return uint32(hash ^ hash>>32) }

const (
	maxBlocks = 1 << 15 // of a kind that are remembered
	maxProbes = 16      // so that no text makes a table slow
)

// copies tells blocks that were there before. It remembers the first 32768
// different ones; those that come later pass for new.
type copies struct {
	again  int // characters in copies, the first of each not counted
	slots  []uint64
	filled int
}

// count counts a block.
func (c *copies) count(b block) {
	if b.size == 0 {
		return
	}
	if c.filled*2 >= len(c.slots) && len(c.slots) < 2*maxBlocks {
		c.grow()
	}
	if !c.insert(max(b.hash, 1)) {
		c.again += b.size
	}
}

// insert reports whether the block is new.
func (c *copies) insert(hash uint64) bool {
	mask := uint32(len(c.slots) - 1)
	at := fold(hash)
	for range maxProbes {
		switch slot := &c.slots[at&mask]; *slot {
		case hash:
			return false
		case 0:
			if c.filled < maxBlocks {
				*slot = hash
				c.filled++
			}
			return true
		}
		at++
	}
	return true
}

func (c *copies) grow() {
	old := c.slots
	c.slots, c.filled = make([]uint64, max(32, 2*len(old))), 0
	for _, hash := range old {
		if hash != 0 {
			c.insert(hash)
		}
	}
}
