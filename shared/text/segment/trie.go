package segment

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// The main block of Chinese characters. What is looked up for every character
// of every text is found there by its place.
const (
	hanStart = 0x4E00
	hanEnd   = 0xA000
)

// trie holds words by their characters. The children of a node lie side by
// side, sorted, so building is one pass. What a search of the children reads is
// apart from the rest: a cut waits for memory more than for anything else.
type trie struct {
	nodes []node                    // the first is the root
	chars []rune                    // of each node, after those above it
	share []float32                 // of the word that ends at each node among all words
	roots [hanEnd - hanStart]uint16 // nodes of first characters in the main block; 0: none
	pairs []pair                    // the children of the first characters, by hash: most searches end there
	shift int                       // of a hash, to an index of pairs
	maybe []uint64                  // a bit for each pair, by hash, in few enough bytes for the processor's cache
}

// pair is a node of the second level. The zero value is none.
type pair struct {
	key  uint32 // of its parent and its character
	node int32
}

// node takes 16 bytes.
type node struct {
	below uint32  // bit c&31 is set where a child has the character c
	first int32   // index of the first child
	cost  float32 // of the word that ends here, in bits; 0: none does
	count uint16  // of children
	kind  kind    // of the word that ends here
}

// entry is a word of a trie.
type entry struct {
	word        string
	cost, share float32 // cost is above 0
	kind        kind
}

// family is a node to be and the entries below it, which share depth bytes.
type family struct{ parent, from, to, depth int }

// newTrie builds a trie of words that are sorted and distinct.
func newTrie(entries []entry) *trie {
	size := 2*len(entries) + 1
	t := &trie{nodes: make([]node, 1, size), chars: make([]rune, 1, size), share: make([]float32, 1, size)}
	queue := make([]family, 1, len(entries)+1)
	queue[0].to = len(entries)
	for next := 0; next < len(queue); next++ {
		f := queue[next]
		t.nodes[f.parent].first = int32(len(t.nodes))
		for f.from < f.to {
			child, below := t.grow(entries, f)
			if below.from < below.to {
				queue = append(queue, below)
			}
			if f.parent == 0 && hanStart <= child && child < hanEnd {
				t.roots[child-hanStart] = uint16(below.parent)
			}
			f.from = below.to
		}
	}
	t.addPairs()
	return t
}

// addPairs fills the table of pairs, to five eighths at most, and their bits.
func (t *trie) addPairs() {
	firsts := int32(t.nodes[0].count)
	seconds := 0
	for _, first := range t.nodes[1 : 1+firsts] {
		seconds += int(first.count)
	}
	size := bits.Len(uint(seconds + seconds*3/5))
	t.pairs, t.shift = make([]pair, 1<<size), 32-size
	t.maybe = make([]uint64, 1+len(t.pairs)/8)
	for parent := int32(1); parent <= firsts; parent++ {
		first := t.nodes[parent].first
		for child := first; child < first+int32(t.nodes[parent].count); child++ {
			if key, ok := t.key(parent, t.chars[child]); ok {
				*t.pair(key) = pair{key, child}
				word, bit := t.bit(key)
				*word |= bit
			}
		}
	}
}

// key returns the key of a pair; there is none for a parent that is no first
// character, and for rare characters.
func (t *trie) key(parent int32, char rune) (key uint32, ok bool) {
	return uint32(parent)<<16 | uint32(char), uint32(parent-1) < uint32(t.nodes[0].count) && char <= 0xFFFF
}

// bit returns where maybe has a pair: a word of it, and a bit of that. There are
// eight bits for a place of pairs.
func (t *trie) bit(key uint32) (word *uint64, bit uint64) {
	at := key * 0x9E3779B1 >> (t.shift - 3)
	return &t.maybe[at/64], 1 << (at % 64)
}

// pair returns the place of a pair, or the free one where it would be.
func (t *trie) pair(key uint32) *pair {
	at := key * 0x9E3779B1 >> t.shift
	for {
		p := &t.pairs[at]
		if p.key == key || p.node == 0 {
			return p
		}
		at = (at + 1) & uint32(len(t.pairs)-1)
	}
}

// grow adds the first child of a family, with the word that ends there, and
// returns its character and its own family.
func (t *trie) grow(entries []entry, f family) (rune, family) {
	char, size := utf8.DecodeRuneInString(entries[f.from].word[f.depth:])
	below := family{parent: len(t.nodes), from: f.from, to: f.from + 1, depth: f.depth + size}
	prefix := entries[f.from].word[f.depth:below.depth]
	for below.to < f.to && strings.HasPrefix(entries[below.to].word[f.depth:], prefix) {
		below.to++
	}
	child, share := node{}, float32(0)
	if e := entries[f.from]; len(e.word) == below.depth {
		child.cost, child.kind, share = e.cost, e.kind, e.share
		below.from++
	}
	t.nodes, t.chars, t.share = append(t.nodes, child), append(t.chars, char), append(t.share, share)
	parent := &t.nodes[f.parent]
	parent.count++
	parent.below |= 1 << (char & 31)
	return char, below
}

// root returns the node of a first character, or 0.
func (t *trie) root(char rune) int32 {
	if hanStart <= char && char < hanEnd {
		return int32(t.roots[char-hanStart])
	}
	return t.child(0, char)
}

// child returns the node of the character after those of a node, or 0.
func (t *trie) child(parent int32, char rune) int32 {
	if key, ok := t.key(parent, char); ok {
		if word, bit := t.bit(key); *word&bit == 0 {
			return 0 // as in most searches
		}
		return t.pair(key).node
	}
	p := &t.nodes[parent]
	if p.below&(1<<(char&31)) == 0 {
		return 0
	}
	low, high := p.first, p.first+int32(p.count)
	for low < high {
		middle := (low + high) >> 1
		switch found := t.chars[middle]; {
		case found < char:
			low = middle + 1
		case found > char:
			high = middle
		default:
			return middle
		}
	}
	return 0
}

// descend returns the node of a word's characters after those of a node, or 0.
func (t *trie) descend(at int32, word string) int32 {
	for _, char := range word {
		if at = t.child(at, char); at == 0 {
			break
		}
	}
	return at
}
