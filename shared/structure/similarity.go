package structure

import "math"

// maxCompared is how many nodes of a subtree are compared, level by level.
const maxCompared = 48

// sketch is a subtree as it is compared: repeated siblings count once, and at
// most maxCompared nodes.
type sketch struct {
	levels []level
	size   int
	post   []uint64 // labels in post-order, for the tree edit distance
	left   []int    // of each the place of its leftmost leaf
	keys   []int    // key roots
}

// level is one level of a subtree: the weights of its labels, whose sum is 1.
type level map[uint64]float64

// sketchOf draws the sketch of a node.
func (t *tree) sketchOf(at int32) *sketch {
	type entry struct {
		node     int32
		children []int
	}
	entries := []entry{{node: at}}
	s := &sketch{}
	for first, last := 0, 1; first < last; first, last = last, len(entries) {
		l := make(level)
		sum := 0.0
		for i := first; i < last; i++ {
			n := &t.nodes[entries[i].node]
			label := n.label
			if len(s.levels) == 0 {
				label = 0 // the roots are compared by the caller
			}
			l[label] += n.weight
			sum += n.weight
			before := uint64(0)
			for c := range t.childrenOf(entries[i].node) {
				if shape := t.nodes[c].shape; shape != before && len(entries) < maxCompared {
					before = shape
					entries[i].children = append(entries[i].children, len(entries))
					entries = append(entries, entry{node: c})
				}
			}
			if n.own > 0 && len(s.levels) > 0 {
				l[label+1]++
				sum++
			}
		}
		for k := range l {
			l[k] /= sum
		}
		s.levels = append(s.levels, l)
	}
	s.size = len(entries)
	var walk func(i int) int
	walk = func(i int) int {
		left := -1
		for _, c := range entries[i].children {
			if l := walk(c); left < 0 {
				left = l
			}
		}
		if left < 0 {
			left = len(s.post)
		}
		n := &t.nodes[entries[i].node]
		label := n.label
		if i == 0 {
			label = 0
		} else if n.own > 0 {
			label++
		}
		s.post = append(s.post, label)
		s.left = append(s.left, left)
		return left
	}
	walk(0)
	s.keys = keyRoots(s.left)
	return s
}

// similarity is the measure S of METHOD C3: 1 − Σ|a_i − b_i|/N over the weights
// of the labels on each level, N of them in both.
func similarity(a, b *sketch) float64 {
	sum, n := 0.0, 0
	for i := range max(len(a.levels), len(b.levels)) {
		var la, lb level
		if i < len(a.levels) {
			la = a.levels[i]
		}
		if i < len(b.levels) {
			lb = b.levels[i]
		}
		for k, w := range la {
			sum += math.Abs(w - lb[k])
			n++
		}
		for k, w := range lb {
			if _, both := la[k]; !both {
				sum += w
				n++
			}
		}
	}
	return 1 - sum/float64(n)
}
