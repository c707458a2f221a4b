package topic

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// maxShares is how many topic words are remembered for a row.
const maxShares = 3

// Bytes per row in the columns of a table.
const (
	numberSize = 8             // a float64
	shareSize  = 4 + 4         // number of the topic word from 1, 0 for none; Sim as float32
	sharesSize = 3 * shareSize // greatest share first
)

// table holds the vocabulary and the data of each word, in columns of
// little-endian numbers: the same bytes in memory and in an artifact. Rows with
// a similar topic word come first; the others are only words. Both parts are
// sorted by word.
type table struct {
	words   wordList
	slots   []byte // see find
	rowBits int

	// Columns of the leading rows.
	values  []byte // c(d)
	weights []byte // w_d
	shares  []byte
}

// find returns the row of a word.
//
// The slots, uint32 each, are a hash table with linear probing, a third of them
// empty. The low rowBits of a slot are the row's number from 1, 0 in an empty
// slot; the rest are the low bits of the word's hash, so that other words are
// hardly ever compared.
func (t *table) find(word string) (row int, ok bool) {
	hash := xxh3.HashString(word)
	tag := uint32(hash) << t.rowBits
	slots := uint64(len(t.slots)) / 4
	for i, _ := bits.Mul64(hash, slots); ; i++ {
		if i == slots {
			i = 0
		}
		slot := binary.LittleEndian.Uint32(t.slots[4*i:])
		if slot == 0 {
			return 0, false
		}
		if number := slot ^ tag; number>>t.rowBits == 0 && t.words.at(int(number)-1) == word {
			return int(number) - 1, true
		}
	}
}

// slotCount is the number of slots for a number of words.
func slotCount(words int) int { return words + words/2 + 1 }

// rowBitsFor returns how many bits number that many rows from 1.
func rowBitsFor(rows int) int { return bits.Len(uint(rows)) }

// fillSlots makes the slots of words that are distinct.
func (t *table) fillSlots() {
	n := slotCount(t.words.len())
	t.rowBits = rowBitsFor(t.words.len())
	t.slots = make([]byte, 4*n)
	for row := range t.words.len() {
		hash := xxh3.HashString(t.words.at(row))
		i, _ := bits.Mul64(hash, uint64(n))
		for binary.LittleEndian.Uint32(t.slots[4*i:]) != 0 {
			i = (i + 1) % uint64(n)
		}
		binary.LittleEndian.PutUint32(t.slots[4*i:], uint32(hash)<<t.rowBits|uint32(row+1))
	}
}

// similar returns how many rows have c(d) above 0. They come first.
func (t *table) similar() int { return len(t.values) / numberSize }

// value returns c(d) of a row.
func (t *table) value(row int) float64 {
	if row >= t.similar() {
		return 0
	}
	return number(t.values, row)
}

// share returns the i-th greatest share of a row with c(d) above 0: the number
// of the topic word from 0, and Sim. The number is -1 if there are fewer.
func (t *table) share(row, i int) (term int, sim float64) {
	at := t.shares[row*sharesSize+i*shareSize:]
	return int(binary.LittleEndian.Uint32(at)) - 1, float64(math.Float32frombits(binary.LittleEndian.Uint32(at[4:])))
}

// appendRow adds a row to the columns.
func (t *table) appendRow(value, weight float64, top *[maxShares]share) {
	t.values = appendNumber(t.values, value)
	t.weights = appendNumber(t.weights, weight)
	for _, s := range top {
		term := uint32(0)
		if s.value > 0 {
			term = uint32(s.term + 1)
		}
		t.shares = binary.LittleEndian.AppendUint32(t.shares, term)
		t.shares = binary.LittleEndian.AppendUint32(t.shares, math.Float32bits(float32(s.sim)))
	}
}

// number reads the i-th number of a column.
func number(column []byte, i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(column[numberSize*i:]))
}

func appendNumber(column []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(column, math.Float64bits(x))
}
