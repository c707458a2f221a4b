package topic

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// checkRows checks the words and the columns.
func (t *table) checkRows(terms int) error {
	n := t.similar()
	if n > t.words.len() || len(t.shares) != n*sharesSize {
		return fmt.Errorf("%d values and %d bytes of shares for %d words", n, len(t.shares), t.words.len())
	}
	if err := errors.Join(
		sorted(t.words, 0, n), sorted(t.words, n, t.words.len()), measures(t.values, n), measures(t.weights, n),
	); err != nil {
		return err
	}
	for row := range n {
		for i := range maxShares {
			if term, sim := t.share(row, i); term >= terms || math.IsNaN(sim) || math.IsInf(sim, 0) {
				return fmt.Errorf("row %d has topic word %d of %d, similarity %v", row, term, terms, sim)
			}
		}
	}
	return nil
}

// longestRun bounds how many slots one look-up may try. The slots of 10 million
// words have no run half as long, unless the words were chosen to collide.
const longestRun = 512

// checkSlots checks that find ends, and finds every word.
func (t *table) checkSlots() error {
	n := len(t.slots) / 4
	if len(t.slots)%4 != 0 || n != slotCount(t.words.len()) {
		return fmt.Errorf("%d bytes of slots for %d words", len(t.slots), t.words.len())
	}
	mask := uint32(1)<<t.rowBits - 1
	full, run := 0, 0
	for i := range n + longestRun { // once around, and the run that crosses the end
		slot := binary.LittleEndian.Uint32(t.slots[4*(i%n):])
		if slot == 0 {
			run = 0
			continue
		}
		if run++; run > longestRun {
			return errors.New("too many slots in a row are full")
		}
		if number := slot & mask; number == 0 || int64(number) > int64(t.words.len()) {
			return fmt.Errorf("slot %d leads to row %d", i%n, number)
		}
		if i < n {
			full++
		}
	}
	if full != t.words.len() {
		return fmt.Errorf("%d slots for %d words", full, t.words.len())
	}
	for row := range t.words.len() {
		if found, ok := t.find(t.words.at(row)); !ok || found != row {
			return fmt.Errorf("word %d is not found", row)
		}
	}
	return nil
}

// sorted checks that the words from first to last-1 are sorted and distinct.
func sorted(words wordList, first, last int) error {
	if first >= last {
		return nil
	}
	before := words.at(first)
	for i := first + 1; i < last; i++ {
		word := words.at(i)
		if before >= word {
			return fmt.Errorf("word %d is out of order", i)
		}
		before = word
	}
	return nil
}

// maxMeasure bounds weights and relevances: a sum over any text, and the
// product of two, are finite. Compiled topics are far below it: their weights
// end at a million.
const maxMeasure = 1e100

// measures checks that a column is that many weights or relevances.
func measures(column []byte, n int) error {
	if len(column) != n*numberSize {
		return fmt.Errorf("%d bytes for %d numbers", len(column), n)
	}
	for i := range n {
		if x := number(column, i); !(0 <= x && x <= maxMeasure) { // NaN is not, either
			return fmt.Errorf("number %d is %v", i, x)
		}
	}
	return nil
}
