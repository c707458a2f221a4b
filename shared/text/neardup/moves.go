package neardup

import "slices"

// Bounds of neighbours that changed places.
const (
	maxMoved   = 12 // characters, with those that they moved over
	maxCrossed = 4  // characters that they moved over
)

// moved returns how many pieces, from the first on, differ only because
// neighbours changed places, characters or words, and 0 if there is another
// difference: one piece in which both texts have the same characters, or three,
// where the characters that one text has before a few others are behind them in
// the other. A fact does not change places with its neighbour; a numeral may be
// one.
func moved(a, b []rune, pieces []piece) int {
	p := pieces[0]
	switch {
	case p.same:
		return 0
	case sameBag(a[p.a0:p.a1], b[p.b0:p.b1]):
		return 1
	case len(pieces) < 3 || p.a0 < p.a1 && p.b0 < p.b1 || pieces[1].a1-pieces[1].a0 > maxCrossed:
		return 0
	case sameBag(a[p.a0:pieces[2].a1], b[p.b0:pieces[2].b1]):
		return 3
	}
	return 0
}

// sameBag reports whether x and y are the same characters in another order: few,
// and no numerals.
func sameBag(x, y []rune) bool {
	if len(x) != len(y) || len(x) > maxMoved {
		return false
	}
	var buf [maxMoved]rune
	left := append(buf[:0], y...)
	for _, r := range x {
		at := slices.Index(left, r)
		if at < 0 || numeral(r) {
			return false
		}
		left[at] = left[len(left)-1]
		left = left[:len(left)-1]
	}
	return true
}
