package neardup

import "math/bits"

// text is a text made ready for comparison with others.
type text struct {
	runes  []rune
	hashes []uint64 // of the shingle at each place
	slots  []int32  // places + 1 by hash: the first of each shingle; 0 for none
	again  []bool   // by place: another shingle like this first one follows
}

func newText(normal string) *text {
	t := &text{runes: compared(normal)}
	t.hashes = shingles(t.runes)
	t.slots = make([]int32, 1<<bits.Len(uint(2*len(t.hashes)+1)))
	t.again = make([]bool, len(t.hashes))
	for at, h := range t.hashes {
		slot := t.slot(h)
		if first := t.slots[slot]; first > 0 {
			t.again[first-1] = true
			continue
		}
		t.slots[slot] = int32(at + 1)
	}
	return t
}

// slot returns the slot of a shingle in the table, or the one to put it in.
func (t *text) slot(h uint64) int {
	mask := len(t.slots) - 1
	slot := int(h) & mask
	for t.slots[slot] != 0 && t.hashes[t.slots[slot]-1] != h {
		slot = (slot + 1) & mask
	}
	return slot
}

// first returns the first place of a shingle, -1 if there is none.
func (t *text) first(h uint64) int { return int(t.slots[t.slot(h)]) - 1 }

// bytes returns about how much memory the text takes.
func (t *text) bytes() int { return 4*len(t.runes) + 9*len(t.hashes) + 4*len(t.slots) }
