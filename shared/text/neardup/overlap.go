package neardup

// insertion is from how many characters on, that one text has more than the
// other at a place, they count as put in: a paragraph, an advertisement, a
// caption. What is put in, however long, costs as much as insertionCost changed
// characters.
const (
	insertion     = 32
	insertionCost = 8
)

// overlap is what two texts have in common: the stretch of their alignment in
// which most is the same. All counts are of characters, but that of changes.
type overlap struct {
	a, b               []rune
	pieces             []piece // begin and end with characters that are the same
	lenA, lenB         int     // of the texts
	same               int
	changes            int
	moves              int     // neighbours that changed places
	changed            int     // of the longer side of each change
	insA, insB         int     // that only one text has, put in
	coveredA, coveredB float64 // share of either text in the stretch
	numbers            numbers
	endsDiffer         bool // of a short text
}

// overlapOf returns the overlap of an alignment: the pieces with the largest
// surplus of characters that are the same over those that are not.
func overlapOf(a, b *text, pieces []piece) overlap {
	o := overlap{lenA: len(a.runes), lenB: len(b.runes), a: a.runes, b: b.runes}
	best, sum, from := 0, 0, 0
	for i, p := range pieces {
		if !p.same {
			sum -= p.cost()
			continue
		}
		if sum <= 0 {
			sum, from = 0, i
		}
		if sum += p.a1 - p.a0; sum > best {
			best, o.pieces = sum, pieces[from:i+1]
		}
	}
	if best == 0 {
		return o
	}
	o.count(a.runes, b.runes)
	first, last := o.pieces[0], o.pieces[len(o.pieces)-1]
	if o.same < shortText {
		// The first and the last fact of a form are often at its ends.
		o.addEnd(first.a0, first.b0)
		o.addEnd(o.lenA-last.a1, o.lenB-last.b1)
	}
	o.coveredA = float64(last.a1-first.a0-o.insA) / float64(o.lenA)
	o.coveredB = float64(last.b1-first.b0-o.insB) / float64(o.lenB)
	o.numbers = compareNumbers(a.runes, b.runes, o.pieces)
	return o
}

// addEnd adds what the texts have before the overlap, or behind it, to the
// changes, unless both have a paragraph there.
func (o *overlap) addEnd(a, b int) {
	n := max(a, b)
	if n >= insertion {
		n = min(a, b) // the rest is put in
	}
	if min(a, b) > 0 && n < insertion {
		o.changed += n
		o.changes++
		o.endsDiffer = true
	}
}

// count counts the pieces. Neighbours that changed places do not count.
func (o *overlap) count(a, b []rune) {
	for i := 0; i < len(o.pieces); i++ {
		if n := moved(a, b, o.pieces[i:]); n > 0 {
			o.moves++
			o.same += o.pieces[i+n-1].a1 - o.pieces[i].a0
			i += n - 1
			continue
		}
		o.add(o.pieces[i])
	}
}

func (o *overlap) add(p piece) {
	a, b := p.a1-p.a0, p.b1-p.b0
	switch {
	case p.same:
		o.same += a
		return
	case a-b >= insertion:
		o.insA += a - b
		a = b
	case b-a >= insertion:
		o.insB += b - a
		b = a
	}
	if n := max(a, b); n > 0 {
		o.changed += n
		o.changes++
	}
}

// cost is what a change weighs against characters that are the same.
func (p piece) cost() int {
	a, b := p.a1-p.a0, p.b1-p.b0
	if max(a-b, b-a) >= insertion {
		return min(a, b) + insertionCost
	}
	return max(a, b)
}

// changedShare returns the share of the changed characters in the stretch.
func (o *overlap) changedShare() float64 {
	return float64(o.changed) / float64(o.same+o.changed)
}
