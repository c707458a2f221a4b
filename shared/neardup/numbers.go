package neardup

import (
	"slices"
	"strings"
)

// numbers counts the numbers of an overlap: runs of digits, and of two and more
// Chinese ones. Those count that have the same character before them in both
// texts, and the same behind.
type numbers struct {
	kept   int // the other text has the same number there
	turned int // it has another number there
}

// others reports whether the numbers are those of another text: so many of them
// were turned into others, and so many of the changes do that. Changes at random
// places seldom make a number of a number.
func (n numbers) others(changes int) bool {
	turned := float64(n.turned)
	return n.turned >= minTurned && turned >= turnedShare*float64(n.kept+n.turned) && turned >= turnedChanges*float64(changes)
}

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
		before, behind := place[at-1-first.a0], -1
		if end < last.a1 {
			behind = place[end-first.a0]
		}
		if before >= 0 && behind > before {
			n.add(a[at:end], b[before+1:behind])
		}
		at = end
	}
	return n
}

func (n *numbers) add(a, b []rune) {
	switch {
	case slices.Equal(a, b):
		n.kept++
	case isNumber(b) && !slices.ContainsFunc(b, func(r rune) bool { return !numeral(r) }):
		n.turned++
	}
}

// placesIn returns where in b each character of a stands, from the first of the
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
