package fidelity

import "slices"

// gramLength is how many consecutive characters two texts must share for it to
// be more than chance.
const gramLength = 4

type gram [gramLength]rune

// maxDepth bounds how often a gap is looked at again; real texts need 3.
const maxDepth = 16

// alignment records for each character of two texts whether it has a partner in
// the other. Partners have the same order in both.
//
// It is a patience diff over grams. Grams in both texts are paired, the first
// with the first and the last with the last; the longest chain of pairs that
// ascends on both sides is kept; each pair of it grows to the right while the
// texts agree; and the gaps between are aligned likewise, without their common
// beginnings and ends. Unlike a longest common subsequence it finds almost
// nothing in unrelated texts, and it takes O(n log n) for a level.
type alignment struct {
	a, b     []rune
	inA, inB []bool
}

func align(a, b []rune) *alignment {
	al := &alignment{a: a, b: b, inA: make([]bool, len(a)), inB: make([]bool, len(b))}
	al.between(stretch{0, len(a), 0, len(b)}, 0)
	return al
}

// stretch is a part of each text: [a0, a1) and [b0, b1).
type stretch struct{ a0, a1, b0, b1 int }

// between aligns a gap.
func (al *alignment) between(s stretch, depth int) {
	s.a0, s.b0 = al.grow(s)
	for s.a0 < s.a1 && s.b0 < s.b1 && al.a[s.a1-1] == al.b[s.b1-1] {
		s.a1--
		s.b1--
		al.inA[s.a1], al.inB[s.b1] = true, true
	}
	if min(s.a1-s.a0, s.b1-s.b0) < gramLength || depth == maxDepth {
		return
	}
	chain := ascending(al.pairs(s))
	if len(chain) == 0 {
		return
	}
	for _, p := range chain {
		if p.a < s.a0 || p.b < s.b0 {
			continue // the pair before has grown over it
		}
		al.between(stretch{s.a0, p.a, s.b0, p.b}, depth+1)
		s.a0, s.b0 = al.grow(stretch{p.a, s.a1, p.b, s.b1})
	}
	al.between(s, depth+1)
}

// grow marks the common beginning of two stretches, and returns where they
// differ.
func (al *alignment) grow(s stretch) (a, b int) {
	for s.a0 < s.a1 && s.b0 < s.b1 && al.a[s.a0] == al.b[s.b0] {
		al.inA[s.a0], al.inB[s.b0] = true, true
		s.a0++
		s.b0++
	}
	return s.a0, s.b0
}

// pair is the start of a gram in each text.
type pair struct{ a, b int }

// pairs returns the common grams of both stretches, in the order of a. Repeated
// grams are paired by their count from the front and from the back; the later
// partner comes first, so that a chain with ascending b has at most one of
// them.
func (al *alignment) pairs(s stretch) []pair {
	inA, inB := places(al.a, s.a0, s.a1), places(al.b, s.b0, s.b1)
	nth := map[gram]int{}
	var found []pair
	for i := s.a0; i+gramLength <= s.a1; i++ {
		g := gram(al.a[i:])
		at := inB[g]
		front := nth[g]
		back := len(at) - len(inA[g]) + front
		nth[g]++
		near, far := min(front, back), max(front, back)
		if far < len(at) && far >= 0 {
			found = append(found, pair{i, at[far]})
		}
		if near != far && near >= 0 && near < len(at) {
			found = append(found, pair{i, at[near]})
		}
	}
	return found
}

// places returns the places of each gram of a stretch.
func places(text []rune, from, to int) map[gram][]int {
	in := map[gram][]int{}
	for i := from; i+gramLength <= to; i++ {
		g := gram(text[i:])
		in[g] = append(in[g], i)
	}
	return in
}

// ascending returns the longest chain of pairs in which b ascends as a does.
func ascending(pairs []pair) []pair {
	var ends []int // ends[n]: the pair with the least b that ends a chain of n+1
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p.b, func(e, b int) int { return pairs[e].b - b })
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
	}
	chain := make([]pair, len(ends))
	for n, i := len(ends)-1, -1; n >= 0; n-- {
		if i < 0 {
			i = ends[n]
		}
		chain[n], i = pairs[i], before[i]
	}
	return chain
}
