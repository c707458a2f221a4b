package neardup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is put in costs little, however long.
func TestCost(t *testing.T) {
	for _, tc := range []struct{ a, b, want int }{
		{5, 3, 5}, {3, 5, 5}, {0, 31, 31}, {39, 8, 39}, {8, 39, 39}, {40, 8, 16}, {8, 40, 16}, {0, 500, 8},
	} {
		if got := (piece{a0: 7, a1: 7 + tc.a, b0: 9, b1: 9 + tc.b}).cost(); got != tc.want {
			t.Errorf("a change of %d to %d characters costs %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestOverlapAdd(t *testing.T) {
	ignored := cmp.AllowUnexported(overlap{}, numbers{})
	for _, tc := range []struct {
		name string
		p    piece
		want overlap
	}{
		{"the same", piece{same: true, a0: 2, a1: 9, b0: 1, b1: 8}, overlap{same: 7}},
		{"changed", piece{a0: 2, a1: 9, b0: 1, b1: 4}, overlap{changed: 7, changes: 1}},
		{"not quite put in", piece{a0: 2, a1: 34, b0: 1, b1: 2}, overlap{changed: 32, changes: 1}},
		{"put in", piece{a0: 2, a1: 34, b0: 1, b1: 1}, overlap{insA: 32}},
		{"put in and changed", piece{a0: 2, a1: 37, b0: 1, b1: 4}, overlap{insA: 32, changed: 3, changes: 1}},
		{"the other put in", piece{a0: 2, a1: 2, b0: 1, b1: 33}, overlap{insB: 32}},
		{"the other put in and changed", piece{a0: 2, a1: 3, b0: 1, b1: 41}, overlap{insB: 39, changed: 1, changes: 1}},
	} {
		var o overlap
		if o.add(tc.p); !cmp.Equal(tc.want, o, ignored) {
			t.Errorf("%s (-want +got):\n%s", tc.name, cmp.Diff(tc.want, o, ignored))
		}
	}
	for _, tc := range []struct {
		a, b int
		want overlap
	}{
		{5, 3, overlap{changed: 5, changes: 1, endsDiffer: true}},
		{3, 5, overlap{changed: 5, changes: 1, endsDiffer: true}},
		{5, 0, overlap{}},
		{0, 5, overlap{}},
		{31, 31, overlap{changed: 31, changes: 1, endsDiffer: true}},
		{32, 32, overlap{}},
		{40, 3, overlap{changed: 3, changes: 1, endsDiffer: true}},
		{32, 1, overlap{changed: 1, changes: 1, endsDiffer: true}},
	} {
		var o overlap
		if o.addEnd(tc.a, tc.b); !cmp.Equal(tc.want, o, ignored) {
			t.Errorf("ends of %d and %d (-want +got):\n%s", tc.a, tc.b, cmp.Diff(tc.want, o, ignored))
		}
	}
}

// The overlap is the stretch in which most is the same, with its ends if the text is
// short.
func TestOverlapOf(t *testing.T) {
	same := func(from, n int) piece { return piece{true, from, from + n, from, from + n} }
	other := func(from, n int) piece { return piece{false, from, from + n, from, from + n} }
	for _, tc := range []struct {
		name          string
		pieces        []piece
		from, n       int // of the pieces
		same, changed int
		covered       float64
	}{
		{"nothing", []piece{other(0, 20)}, 0, 0, 0, 0, 0},
		{"all", []piece{same(0, 50)}, 0, 1, 50, 0, 0.5},
		{"a small change", []piece{same(0, 20), other(20, 5), same(25, 25)}, 0, 3, 45, 5, 0.5},
		{"a worse start", []piece{same(0, 5), other(5, 5), same(10, 40)}, 2, 1, 40, 10, 0.4},
		{"a worse end", []piece{same(0, 40), other(40, 20), same(60, 20)}, 0, 1, 40, 0, 0.4},
		{"a better end", []piece{same(0, 40), other(40, 20), same(60, 21)}, 0, 3, 61, 39, 0.81},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := newText(span(0, 100)), newText(span(1000, 100))
			o := overlapOf(a, b, tc.pieces)
			if diff := cmp.Diff(tc.pieces[tc.from:tc.from+tc.n], o.pieces[:len(o.pieces):len(o.pieces)], cmp.AllowUnexported(piece{})); tc.n > 0 && diff != "" {
				t.Errorf("pieces (-want +got):\n%s", diff)
			}
			if o.same != tc.same || o.changed != tc.changed || o.coveredA != tc.covered || o.coveredB != tc.covered {
				t.Errorf("%d the same, %d changed, %v and %v covered; want %d, %d, %v", o.same, o.changed, o.coveredA, o.coveredB, tc.same, tc.changed, tc.covered)
			}
		})
	}
}

// Only a short text has its ends among the changes; what is put in covers nothing.
func TestOverlapShares(t *testing.T) {
	a, b := newText(span(0, 300)), newText(span(1000, 300))
	for same, changed := range map[int]int{shortText: 0, shortText - 1: 10} {
		o := overlapOf(a, b, []piece{{true, 10, 10 + same, 10, 10 + same}})
		if o.changed != changed {
			t.Errorf("of a text with %d characters the same %d changed, want %d", same, o.changed, changed)
		}
	}
	for _, p := range []piece{{false, 100, 100, 100, 160}, {false, 100, 160, 100, 100}} {
		o := overlapOf(a, b, []piece{{true, 0, 100, 0, 100}, p, {true, p.a1, p.a1 + 50, p.b1, p.b1 + 50}})
		if o.coveredA != 0.5 || o.coveredB != 0.5 {
			t.Errorf("%+v: %v and %v covered, want half", p, o.coveredA, o.coveredB)
		}
	}
}
