package neardup

import "slices"

// Bounds of the alignment between two shingles that both texts have.
const (
	maxGap  = 200 // characters: a longer gap is aligned in steps
	maxEdge = 48  // characters before the first shingle; a step
)

// piece is a stretch of two texts, a[a0:a1] and b[b0:b1]: the same in both, or
// entirely different.
type piece struct {
	same           bool
	a0, a1, b0, b1 int
}

// aligner aligns texts. It keeps its buffers; one goroutine at a time uses it.
type aligner struct {
	pieces []piece
	a, b   []rune
	i, j   int      // a[:i] and b[:j] are done
	cost   []uint16 // table of edit distances
}

// align returns how b differs from a: pieces without gaps between them,
// alternately same and different. It follows the longest chain of shingles that
// are in both texts (the first occurrence of each), and edit distance in
// between, in time that is nearly linear. The text before the first shingle and
// after the last is aligned for a few characters, and left out beyond. The
// result is valid until the next call.
func (l *aligner) align(a, b *text) []piece {
	l.pieces, l.a, l.b, l.i, l.j = l.pieces[:0], a.runes, b.runes, 0, 0
	chain := withoutDetours(longestChain(anchors(a, b)))
	if len(chain) == 0 {
		return nil
	}
	l.i, l.j = max(0, chain[0].a-maxEdge), max(0, chain[0].b-maxEdge)
	for _, at := range chain {
		if at.a >= l.i && at.b >= l.j {
			l.fill(at.a, at.b)
			l.run()
		}
	}
	l.walk(len(l.a), len(l.b))
	return l.pieces
}

type anchor struct{ a, b int }

// anchors returns the shingles of both texts by their places in b.
func anchors(a, b *text) []anchor {
	var found []anchor
	for at, h := range b.hashes {
		if in := a.first(h); in >= 0 && b.first(h) == at && !(a.again[in] && b.again[at]) {
			found = append(found, anchor{in, at})
		}
	}
	return found
}

// longestChain returns the longest part of the anchors that ascends in a, too.
func longestChain(all []anchor) []anchor {
	var tails []int // of the best chain of each length, by place in all
	before := make([]int, len(all))
	for i, x := range all {
		n, _ := slices.BinarySearchFunc(tails, x.a, func(tail, a int) int { return all[tail].a - a })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	chain := make([]anchor, len(tails))
	for n, i := len(tails)-1, tails[len(tails)-1]; i >= 0; n, i = n-1, before[i] {
		chain[n] = all[i]
	}
	return chain
}

// drift is by how many characters the texts may shift from one shingle to the
// next without leaving the stretch that they go through together.
const drift = 4

// withoutDetours removes stretches of a chain for which the texts are shifted,
// there and back, by more than the length of the stretch: a phrase that occurs
// twice in a text leads from one place to the other.
func withoutDetours(chain []anchor) []anchor {
	shift := func(i int) int { return chain[i].b - chain[i].a }
	far := func(x int) int { return min(max(x, -x), insertion) }
	kept := chain[:0:0]
	before := 0 // shift of the last that was kept
	for from, to := 0, 0; from < len(chain); from = to {
		for to = from + 1; to < len(chain) && far(shift(to)-shift(to-1)) <= drift; {
			to++
		}
		if from > 0 && to < len(chain) {
			there, back, direct := far(shift(from)-before), far(shift(to)-shift(to-1)), far(shift(to)-before)
			if there+back-direct > chain[to-1].a-chain[from].a+shingleWeight/2 {
				continue
			}
		}
		kept = append(kept, chain[from:to]...)
		before = shift(to - 1)
	}
	return kept
}

// run extends a piece while the texts are the same.
func (l *aligner) run() {
	n := 0
	for l.i+n < len(l.a) && l.j+n < len(l.b) && l.a[l.i+n] == l.b[l.j+n] {
		n++
	}
	l.add(true, n, n)
}

// fill aligns up to a[:i] and b[:j].
func (l *aligner) fill(i, j int) {
	if max(i-l.i, j-l.j) > maxGap {
		l.walk(i, j)
	}
	tail := 0
	for i > l.i && j > l.j && l.a[i-1] == l.b[j-1] {
		i, j, tail = i-1, j-1, tail+1
	}
	if max(i-l.i, j-l.j) > maxGap {
		l.add(false, i-l.i, j-l.j)
	} else {
		l.edit(l.a[l.i:i], l.b[l.j:j])
	}
	l.add(true, tail, tail)
}

// walk aligns step by step, while most of a step is the same: the text here has
// no shingles that occur here first. It goes up to a[:i] and b[:j].
func (l *aligner) walk(i, j int) {
	for l.i < i && l.j < j {
		a, b := l.a[l.i:min(i, l.i+maxEdge)], l.b[l.j:min(j, l.j+maxEdge)]
		if 2*l.edit(a, b) < max(len(a), len(b)) {
			return
		}
	}
}

// edit aligns a and b by edit distance, and returns how much is the same.
func (l *aligner) edit(a, b []rune) (same int) {
	width := len(b) + 1
	l.cost = slices.Grow(l.cost[:0], (len(a)+1)*width)[:(len(a)+1)*width]
	cost := l.cost // from a[i:] to b[j:] at i*width+j
	for i := len(a); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			at := i*width + j
			switch {
			case i == len(a):
				cost[at] = uint16(len(b) - j)
			case j == len(b):
				cost[at] = uint16(len(a) - i)
			case a[i] == b[j]:
				cost[at] = cost[at+width+1]
			default:
				cost[at] = 1 + min(cost[at+width+1], cost[at+width], cost[at+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		at := i*width + j
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			l.add(true, 1, 1)
			i, j, same = i+1, j+1, same+1
		case i < len(a) && j < len(b) && cost[at] == 1+cost[at+width+1]:
			l.add(false, 1, 1)
			i, j = i+1, j+1
		case i < len(a) && cost[at] == 1+cost[at+width]:
			l.add(false, 1, 0)
			i++
		default:
			l.add(false, 0, 1)
			j++
		}
	}
	return same
}

// add adds the next characters, and takes neighbours of a kind together.
func (l *aligner) add(same bool, a, b int) {
	if a == 0 && b == 0 {
		return
	}
	l.i, l.j = l.i+a, l.j+b
	if n := len(l.pieces); n > 0 && l.pieces[n-1].same == same {
		l.pieces[n-1].a1, l.pieces[n-1].b1 = l.i, l.j
		return
	}
	l.pieces = append(l.pieces, piece{same, l.i - a, l.i, l.j - b, l.j})
}
