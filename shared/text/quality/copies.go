package quality

import "math/bits"

// mix adds x to a hash; fold shortens one.
func mix(hash, x uint64) uint64 { return (bits.RotateLeft64(hash, 5) ^ x) * 0x9E3779B97F4A7C15 }

func fold(hash uint64) uint32 { return uint32(hash ^ hash>>32) }

// block is a stretch of text.
type block struct {
	size int    // characters
	hash uint64 // of them
}

func (b *block) add(hash uint64, size int) {
	b.hash = mix(b.hash, hash)
	b.size += size
}

const maxBlocks = 1 << 15 // that are remembered

// copies finds blocks that occurred before. It remembers the first 32768
// different ones; later ones pass for new.
type copies struct {
	again int // characters in copies, the first of each not counted
	known map[uint64]struct{}
}

// count counts a block.
func (c *copies) count(b block) {
	if b.size == 0 {
		return
	}
	if _, known := c.known[b.hash]; known {
		c.again += b.size
		return
	}
	if c.known == nil {
		c.known = make(map[uint64]struct{})
	}
	if len(c.known) < maxBlocks {
		c.known[b.hash] = struct{}{}
	}
}
