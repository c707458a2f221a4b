package neardup

import (
	"slices"
	"strings"
)

// numbers counts the numbers of an overlap: runs of digits, and of two and more
// Chinese ones. Those count that have the same character before them in both
// texts, and the same behind.
type numbers struct {
	kept      int      // the other text has the same number there
	turned    int      // it has another number there
	damaged   int      // it has what the loss of digits, or a swap, leaves of the number
	different [][]rune // of those kept, up to manyNumbers
}

// others reports whether the numbers are those of another text: enough of them
// became other numbers, and enough of the changes do that. Changes at random
// places seldom turn a number into another, except by the loss of a digit; that
// counts if half of the changes are of numbers.
func (n *numbers) others(changes int) bool {
	turned := n.turned
	if 2*(turned+n.damaged) >= changes {
		turned += n.damaged
	}
	return turned >= minTurned && n.mostly(turned) && float64(turned) >= turnedChanges*float64(changes)
}

// only reports whether all that changed is one number, of few.
func (n *numbers) only(changes int) bool { return n.turned == 1 && changes == 1 && n.mostly(1) }

func (n *numbers) mostly(turned int) bool {
	return float64(turned) >= turnedShare*float64(n.kept+turned)
}

// same reports whether no number became another, and enough different ones are
// unchanged.
func (n *numbers) same(different int) bool { return n.turned == 0 && len(n.different) >= different }

// chineseNumerals are digits and units.
const chineseNumerals = "〇零一二三四五六七八九十百千万亿两"

func numeral(r rune) bool {
	if r < firstDense {
		return '0' <= r && r <= '9'
	}
	return strings.ContainsRune(chineseNumerals, r)
}

// isNumber reports whether a run of numerals is a number: single Chinese ones
// are parts of words.
func isNumber(run []rune) bool {
	return len(run) > 1 || len(run) == 1 && run[0] < firstDense
}

// compareNumbers compares the numbers of a with what b has in their place.
func compareNumbers(a, b []rune, pieces []piece) numbers {
	first, last := pieces[0], pieces[len(pieces)-1]
	place := placesIn(pieces)
	var n numbers
	for at := first.a0 + 1; at < last.a1; at++ {
		end := at
		for end < last.a1 && numeral(a[end]) {
			end++
		}
		if !isNumber(a[at:end]) {
			continue
		}
		if end == last.a1 {
			break // nothing is behind it
		}
		before, behind := place[at-1-first.a0], place[end-first.a0]
		if before >= 0 && behind > before {
			n.add(a[at:end], b[before+1:behind])
		}
		at = end
	}
	return n
}

// add adds a number of one text and what the other has in its place.
func (n *numbers) add(a, b []rune) {
	switch {
	case slices.Equal(a, b):
		n.kept++
		known := func(k []rune) bool { return slices.Equal(k, a) }
		if len(n.different) < manyNumbers && !slices.ContainsFunc(n.different, known) {
			n.different = append(n.different, a)
		}
	case slices.ContainsFunc(b, func(r rune) bool { return !numeral(r) }):
	case left(a, b), left(b, a):
		n.damaged++
	case isNumber(b):
		n.turned++
	}
}

// left reports whether a number is what is left of another after digits were
// left out, at least half of them, or has the same digits in another order.
func left(digits, of []rune) bool {
	if len(digits) == len(of) {
		return slices.Equal(slices.Sorted(slices.Values(digits)), slices.Sorted(slices.Values(of)))
	}
	rest := digits
	for _, r := range of {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0 && 2*len(digits) >= len(of)
}

// placesIn returns the place in b of each character of a, from the first of the
// pieces on, and -1 for those that are not in it.
func placesIn(pieces []piece) []int {
	var place []int
	for _, p := range pieces {
		for i := range p.a1 - p.a0 {
			if p.same {
				place = append(place, p.b0+i)
			} else {
				place = append(place, -1)
			}
		}
	}
	return place
}
