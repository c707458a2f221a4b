package quality

import (
	"math/bits"
	"slices"
	"sync"
)

const (
	// long and longest are the words of the n-grams that are counted. Gopher also
	// counts those between them, which say the same.
	long, longest = 5, 10

	// window is how many words are compared with each other. It bounds the
	// memory, and keeps it in the processor's cache.
	window = 1 << 14

	maxProbes = 16 // so that no text makes the table slow
)

// repeats finds the n-grams that a text repeats.
type repeats struct {
	characters int    // of the windows before
	again      [2]int // in n-grams of long and longest

	*tables
}

// tables are the memory that a text needs, for its n-grams of one window.
type tables struct {
	sentences map[uint64]struct{} // see copies

	n     int                // words of this window
	units [window]uint32     // these words
	ends  [window + 1]uint32 // characters before each, and all
	table []place
}

// spare keeps tables for the next text.
var spare = sync.Pool{New: func() any { return new(tables) }}

// keptSentences is how many sentences the next text may find room for.
const keptSentences = 1 << 10

// keep empties the map of the sentences, and keeps it unless it is large.
func (t *tables) keep(sentences map[uint64]struct{}) {
	t.sentences = nil
	if len(sentences) <= keptSentences {
		clear(sentences)
		t.sentences = sentences
	}
}

// place is where an n-gram ended last: 0 is nowhere.
type place struct{ key, end uint32 }

// add adds a word of size characters.
func (r *repeats) add(unit uint32, size int) {
	if r.n == window {
		r.flush()
	}
	r.units[r.n] = unit
	r.ends[r.n+1] = r.ends[r.n] + uint32(size)
	r.n++
}

// flush counts the n-grams of the window, and begins the next.
func (r *repeats) flush() {
	if r.n == 0 {
		return
	}
	if r.characters == 0 { // the first window, and the largest
		slots := 1 << bits.Len(uint(2*r.n-1))
		r.table = slices.Grow(r.table[:0], slots)[:slots]
	}
	r.characters += int(r.ends[r.n])
	r.count()
	r.n = 0
}

// hashOf returns a hash of the long words before end.
func (r *repeats) hashOf(end int) uint64 {
	u := (*[long]uint32)(r.units[end-long:])
	return mix(mix(mix(mix(mix(0, uint64(u[0])), uint64(u[1])), uint64(u[2])), uint64(u[3])), uint64(u[4]))
}

// count counts the characters in n-grams that occurred before. It follows
// a repetition from word to word as compressors do, one look into the table at
// its beginning, rather than keep a table for every length.
func (r *repeats) count() {
	clear(r.table)
	var covered [2]int     // up to which word
	source, length := 0, 0 // what the words before end repeat
	for end := long; end <= r.n; end++ {
		last := r.swap(r.hashOf(end), end)
		switch {
		case length > 0 && r.units[source] == r.units[end-1]:
			source, length = source+1, length+1
		case last > 0 && slices.Equal(r.units[last-long:last], r.units[end-long:end]):
			source, length = last, long+r.common(last-long, end-long)
		default:
			length = 0
		}
		if length == 0 {
			continue
		}
		for i, n := range [2]int{long, longest} {
			if length >= n {
				r.again[i] += int(r.ends[end] - r.ends[max(covered[i], end-n)])
				covered[i] = end
			}
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
	s.Repeated5, s.Repeated10 = share(r.again[0], r.characters), share(r.again[1], r.characters)
}
