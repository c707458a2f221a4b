package neardup

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"sluice/shared/text/runes"
)

// maxCompared is how many characters of a normalised text are compared; what
// comes behind them counts only for the digest. It bounds the memory and the
// time that one document can cost.
const maxCompared = 1 << 16

// scratch keeps the memory that the hashes of one text need for the next.
type scratch struct {
	runes  []rune
	hashes []uint64
	slots  []uint32
}

var spare = sync.Pool{New: func() any { return new(scratch) }}

// compared returns the characters of a normalised text that are compared.
func compared(normal string) []rune {
	return appendCompared(make([]rune, 0, min(len(normal)/2, maxCompared)), normal) // nearly all take three bytes, or all one
}

func appendCompared(text []rune, normal string) []rune {
	for i := 0; i < len(normal) && len(text) < maxCompared; {
		r, n := runes.Long(normal, i), 3
		if r < 0 {
			r, n = utf8.DecodeRuneInString(normal[i:])
		}
		text = append(text, r)
		i += n
	}
	return text
}

// A shingle is a stretch of text that weighs shingleWeight: five characters of
// a script that writes a word in one or two, ten of one with letters, or digits.
const shingleWeight = 10

// firstDense is where the scripts of China, Japan and Korea begin.
const firstDense = 0x2E80

func weight(r rune) int {
	if r >= firstDense {
		return 2
	}
	return 1
}

// shingles returns the hash of the shingle at each place of a text where one begins.
func shingles(text []rune) []uint64 {
	return appendShingles(make([]uint64, 0, len(text)), text, shingleWeight)
}

// appendShingles appends the hashes of the shingles of the given weight.
func appendShingles(hashes []uint64, text []rune, heavy int) []uint64 {
	end, carried := 0, 0 // text[start:end] weighs this much
	for start := range text {
		for carried < heavy && end < len(text) {
			carried += weight(text[end])
			end++
		}
		if carried < heavy {
			break
		}
		hashes = append(hashes, hash(text[start:end]))
		carried -= weight(text[start])
	}
	return hashes
}

func hash(shingle []rune) uint64 {
	h := uint64(len(shingle))
	for _, r := range shingle {
		h = (h ^ uint64(r)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return mix(h)
}

// mix spreads the bits of a hash, by the finaliser of MurmurHash3.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xFF51AFD7ED558CCD
	h = (h ^ h>>33) * 0xC4CEB9FE1A85EC53
	return h ^ h>>33
}

// A sketch of a text is the smallest hashes of its shingles (MinHash by bottom
// k): all that are in the lowest 1/sketchRate of their range, but at least
// minSketch, if there are as many, and at most maxSketch. A fixed number alone
// would not show a short text within a long one, a fixed share nothing at all
// of short texts.
const (
	minSketch  = 48
	maxSketch  = 512
	sketchRate = 32
)

// sketchOf returns the sketch of a text, in ascending order.
func sketchOf(hashes []uint64) []uint64 {
	const lowest = math.MaxUint64 / sketchRate
	limit := uint64(math.MaxUint64)
	if n := uint64(len(hashes)); n > 2*minSketch {
		limit = max(lowest, math.MaxUint64/n*(2*minSketch)) // more than enough, where shingles differ
	}
	sketch := smallest(hashes, limit)
	if len(sketch) < minSketch && limit < math.MaxUint64 {
		sketch = smallest(hashes, math.MaxUint64)
	}
	n, _ := slices.BinarySearch(sketch, lowest)
	return sketch[:min(max(n, minSketch), maxSketch, len(sketch))]
}

// smallest returns the different hashes up to a limit, in ascending order.
func smallest(hashes []uint64, limit uint64) []uint64 {
	found := make([]uint64, 0, 4*minSketch)
	for _, h := range hashes {
		if h <= limit {
			found = append(found, h)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
