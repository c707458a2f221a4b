package structure

import (
	"math/rand/v2"
	"testing"
)

// plain is an ordered tree.
type plain struct {
	label    uint64
	children []*plain
}

// sketch puts a tree in post-order.
func (p *plain) sketch() *sketch {
	s := &sketch{}
	var walk func(p *plain) int
	walk = func(p *plain) int {
		left := -1
		for _, c := range p.children {
			if l := walk(c); left < 0 {
				left = l
			}
		}
		if left < 0 {
			left = len(s.post)
		}
		s.post = append(s.post, p.label)
		s.left = append(s.left, left)
		return left
	}
	walk(p)
	s.keys = keyRoots(s.left)
	return s
}

func (p *plain) size() int { return sizeOf(p.children) + 1 }

func sizeOf(forest []*plain) int {
	n := 0
	for _, p := range forest {
		n += p.size()
	}
	return n
}

// edits is the edit distance of two forests by its definition: the last roots
// are deleted, inserted or matched.
func edits(a, b []*plain) int {
	if len(a) == 0 {
		return sizeOf(b)
	}
	if len(b) == 0 {
		return sizeOf(a)
	}
	x, y := a[len(a)-1], b[len(b)-1]
	restA, restB := a[:len(a)-1], b[:len(b)-1]
	without := func(rest []*plain, p *plain) []*plain {
		return append(append([]*plain{}, rest...), p.children...)
	}
	rename := 1
	if x.label == y.label {
		rename = 0
	}
	return min(
		edits(without(restA, x), b)+1,
		edits(a, without(restB, y))+1,
		edits(restA, restB)+edits(x.children, y.children)+rename,
	)
}

func randomTree(r *rand.Rand, nodes int) *plain {
	all := []*plain{{label: uint64(r.IntN(3))}}
	for len(all) < nodes {
		parent := all[r.IntN(len(all))]
		child := &plain{label: uint64(r.IntN(3))}
		parent.children = append(parent.children, child)
		all = append(all, child)
	}
	return all[0]
}

func TestDistanceAgreesWithDefinition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, b := randomTree(r, 1+r.IntN(7)), randomTree(r, 1+r.IntN(7))
		got, want := distance(a.sketch(), b.sketch()), edits([]*plain{a}, []*plain{b})
		if got != want {
			t.Fatalf("distance of %v and %v is %d, want %d", a.sketch().post, b.sketch().post, got, want)
		}
	}
}

// A distance is 0 only between equals, the same in both directions, and no
// shorter by way of a third tree.
func TestDistanceIsAMetric(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		a, b, c := randomTree(r, 1+r.IntN(30)).sketch(), randomTree(r, 1+r.IntN(30)).sketch(), randomTree(r, 1+r.IntN(30)).sketch()
		if distance(a, a) != 0 {
			t.Fatal("a tree differs from itself")
		}
		if distance(a, b) != distance(b, a) {
			t.Fatal("not symmetric")
		}
		if distance(a, c) > distance(a, b)+distance(b, c) {
			t.Fatal("the triangle inequality is violated")
		}
	}
}
