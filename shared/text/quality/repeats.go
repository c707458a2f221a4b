package quality

import (
	"math/bits"
	"slices"
	"sync"
)

// The n-grams that are looked at, as in Gopher: of the short ones the most
// frequent, of the long ones all that come again.
const (
	shortest, shorter = 2, 4
	long, longest     = 5, 10

	// window is how many words are compared with each other. It bounds the
	// memory, and keeps it in the processor's cache.
	window = 1 << 14
)

// repeats finds the n-grams that a text repeats.
type repeats struct {
	characters int // of the windows before
	top        [shorter - shortest + 1]int
	again      [longest - long + 1]int

	tables
}

// tables are the memory that one window needs.
type tables struct {
	units []uint32 // the words of this window
	ends  []uint32 // characters up to the end of each
	grams []gram
	table []place
}

// spare keeps tables for the next text.
var spare = sync.Pool{New: func() any { return new(tables) }}

// gram is an n-gram: 0 is none.
type gram struct {
	key     uint32
	end     uint32 // of the last that was counted
	covered uint32 // characters of those, which do not overlap
}

// place is where an n-gram ended last: 0 is nowhere.
type place struct{ key, end uint32 }

// add adds a word of size characters.
func (r *repeats) add(unit uint32, size int) {
	if len(r.units) == window {
		r.flush()
	}
	before := uint32(0)
	if n := len(r.ends); n > 0 {
		before = r.ends[n-1]
	}
	r.units = append(r.units, unit)
	r.ends = append(r.ends, before+uint32(size))
}

// flush counts the n-grams of the window, and begins the next.
func (r *repeats) flush() {
	if len(r.units) == 0 {
		return
	}
	if r.characters == 0 { // the first window, and the largest
		slots := 1 << bits.Len(uint(2*len(r.units)-1))
		r.grams, r.table = slices.Grow(r.grams[:0], slots)[:slots], slices.Grow(r.table[:0], slots)[:slots]
	}
	r.characters += int(r.ends[len(r.ends)-1])
	for n := shortest; n <= shorter; n++ {
		r.top[n-shortest] += r.most(n)
	}
	r.comeAgain()
	r.units, r.ends = r.units[:0], r.ends[:0]
}

// between returns the characters from one word to another.
func (r *repeats) between(from, to int) uint32 {
	if from == 0 {
		return r.ends[to-1]
	}
	return r.ends[to-1] - r.ends[from-1]
}

// hashOf returns a hash of the n words before end.
func (r *repeats) hashOf(n, end int) uint64 {
	h := uint64(0)
	for _, unit := range r.units[end-n : end] {
		h = mix(h, uint64(unit))
	}
	return h
}

// most returns how many characters the n-gram covers that covers most, and 0
// where none stands twice.
func (r *repeats) most(n int) int {
	clear(r.grams)
	best := uint32(0)
	for end := n; end <= len(r.units); end++ {
		g, known := r.find(r.hashOf(n, end))
		switch {
		case g == nil, known && end-n < int(g.end):
			continue
		case known:
			g.covered += r.between(end-n, end)
			best = max(best, g.covered)
		default:
			g.covered = r.between(end-n, end)
		}
		g.end = uint32(end)
	}
	return int(best)
}

// find returns the slot of an n-gram, and whether it was there before; nil
// where there is no room.
func (r *repeats) find(hash uint64) (_ *gram, known bool) {
	at, key, mask := int(hash>>40), fold(hash)|1, len(r.grams)-1
	for range maxProbes {
		g := &r.grams[at&mask]
		switch g.key {
		case key:
			return g, true
		case 0:
			g.key = key
			return g, false
		}
		at++
	}
	return nil, false
}

// comeAgain counts the characters in long n-grams that stood before. It follows
// a repetition from word to word as compressors do, one look into the table at
// its beginning, rather than to keep a table for every length.
func (r *repeats) comeAgain() {
	clear(r.table)
	var covered [longest - long + 1]int // up to which word
	source, length := 0, 0              // what the words before end repeat
	for end := long; end <= len(r.units); end++ {
		last := r.swap(r.hashOf(long, end), end)
		switch {
		case length > 0 && r.units[source] == r.units[end-1]:
			source, length = source+1, length+1
		case last > 0 && slices.Equal(r.units[last-long:last], r.units[end-long:end]):
			source, length = last, long+r.common(last-long, end-long)
		default:
			length = 0
		}
		for n := long; n <= min(length, longest); n++ {
			from := max(covered[n-long], end-n)
			r.again[n-long] += int(r.between(from, end))
			covered[n-long] = end
		}
	}
}

// common returns how many words before a and b are the same, as far as it
// matters.
func (r *repeats) common(a, b int) int {
	n := 0
	for n < longest-long && a > n && r.units[a-n-1] == r.units[b-n-1] {
		n++
	}
	return n
}

// swap records where an n-gram ends, and returns where it ended last, or 0.
func (r *repeats) swap(hash uint64, end int) (last int) {
	at, key, mask := int(hash>>40), fold(hash)|1, len(r.table)-1
	for range maxProbes {
		p := &r.table[at&mask]
		if p.key == key || p.key == 0 {
			last = int(p.end)
			*p = place{key, uint32(end)}
			return last
		}
		at++
	}
	return 0
}

func (r *repeats) report(s *Signals) {
	for i, field := range []*Real{&s.Top2, &s.Top3, &s.Top4} {
		*field = share(r.top[i], r.characters)
	}
	for i, field := range []*Real{&s.Repeated5, &s.Repeated6, &s.Repeated7, &s.Repeated8, &s.Repeated9, &s.Repeated10} {
		*field = share(r.again[i], r.characters)
	}
}
