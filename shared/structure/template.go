package structure

import (
	"cmp"
	"slices"
)

// part is a node of the template of a page: the nodes of the tree that play the
// same role. The children of all nodes of a part are divided into its parts.
type part struct {
	nodes  []int32 // in document order
	counts []int32 // of each node of the part above, how many of nodes are its children
	parts  []*part
	above  *part
	repeat bool // a node above has several of nodes
}

// templates divides the nodes of a tree into parts.
type templates struct {
	*tree
	sketches map[uint64]*sketch // by shape
	work     int                // left for comparisons
}

// maxWork bounds the steps of all comparisons of a page.
const maxWork = 20_000_000

func newTemplates(t *tree) *templates {
	return &templates{tree: t, sketches: make(map[uint64]*sketch), work: maxWork}
}

// root returns the template of the page.
func (t *templates) root() *part {
	p := &part{nodes: []int32{0}, counts: []int32{1}}
	t.divide(p)
	return p
}

// divide finds the parts below a part.
func (t *templates) divide(p *part) {
	kinds := t.kinds(p)
	groups := make(map[*kind]*part)
	for i, n := range p.nodes {
		for c := range t.childrenOf(n) {
			k := kinds[t.nodes[c].shape].root()
			g := groups[k]
			if g == nil {
				g = &part{above: p, counts: make([]int32, len(p.nodes))}
				groups[k] = g
				p.parts = append(p.parts, g)
			}
			g.nodes = append(g.nodes, c)
			g.counts[i]++
			g.repeat = g.repeat || g.counts[i] > 1
		}
	}
	for _, g := range p.parts {
		t.divide(g)
	}
}

// kind is the nodes of similar shape among the children of a part.
type kind struct {
	node   int32 // the first of them
	shape  uint64
	nodes  int // of that shape
	all    int // with those of the kinds that joined it
	joined *kind
}

func (k *kind) root() *kind {
	for k.joined != nil {
		k = k.joined
	}
	return k
}

// mostKinds is how many kinds a shape is compared with.
const mostKinds = 32

// kinds returns by shape the kinds of the children of a part. Shapes join the
// kind of a more frequent one that they are similar to, also if that has joined another
// and they have all its classes: even rows join odd ones, then even rows with an icon join.
func (t *templates) kinds(p *part) map[uint64]*kind {
	byShape := make(map[uint64]*kind)
	var all []*kind
	for _, n := range p.nodes {
		for c := range t.childrenOf(n) {
			shape := t.nodes[c].shape
			k := byShape[shape]
			if k == nil {
				k = &kind{node: c, shape: shape}
				byShape[shape] = k
				all = append(all, k)
			}
			k.nodes++
			k.all++
		}
	}
	slices.SortStableFunc(all, func(a, b *kind) int { return cmp.Compare(b.nodes, a.nodes) })
	byTag := make(map[string][]*kind)
	for _, k := range all {
		tag := t.nodes[k.node].tag
		for _, other := range byTag[tag] {
			if (other.joined == nil || t.hasClassesOf(k, other)) && t.alike(k, other) {
				k.joined = other.root()
				k.joined.all += k.nodes
				break
			}
		}
		if n := len(byTag[tag]); n < mostKinds/2 || k.joined == nil && n < mostKinds {
			byTag[tag] = append(byTag[tag], k)
		}
	}
	for _, kinds := range byTag {
		t.absorb(kinds)
	}
	return byShape
}

// absorb joins to a frequent kind the rarer ones that have a class of it, all
// of whose nodes have it: records need not be similar if the site says that they
// are records.
func (t *templates) absorb(kinds []*kind) {
	slices.SortStableFunc(kinds, func(a, b *kind) int { return cmp.Compare(b.all, a.all) })
	for i, large := range kinds {
		if large.joined != nil || large.all < minAbsorbing {
			continue
		}
		for _, small := range kinds[i+1:] {
			if small.joined == nil && t.related(large, small) {
				small.joined = large
				large.all += small.all
			}
		}
	}
}

// minAbsorbing is how many nodes a kind needs for others to be joined to it.
const minAbsorbing = 3

// related reports whether the nodes of a small kind belong to a large one by
// their classes: they have all of them, or they are at most half as many and have
// some, and are not said to be advertisements. None belong to empty ones, which are shown
// while a page loads.
func (t *templates) related(large, small *kind) bool {
	a, b := &t.nodes[large.node], &t.nodes[small.node]
	ca, cb := classes(a.html.Attr), classes(b.html.Attr)
	n := shared(ca, cb)
	if n == 0 || a.head != b.head || !sameRows(a, b) || a.width == 0 && a.pictures == 0 {
		return false
	}
	if a.label == b.label {
		return true
	}
	return 2*small.all <= large.all && (n > 1 || !advertises(cb)) && (a.links == 0 || b.links > 0)
}

// hasClassesOf reports whether the nodes of a kind have all classes, one at least, of
// those of another.
func (t *templates) hasClassesOf(k, other *kind) bool {
	of := classes(t.nodes[other.node].html.Attr)
	return len(of) > 0 && shared(of, classes(t.nodes[k.node].html.Attr)) == len(of)
}

// alike decides whether two nodes play the same role: a candidate pair has equal
// or related attributes; S and the tree edit distance confirm it (METHOD C3).
func (t *templates) alike(a, b *kind) bool {
	na, nb := &t.nodes[a.node], &t.nodes[b.node]
	if na.furniture != nb.furniture || na.head != nb.head || !sameRows(na, nb) {
		return false
	}
	alpha, beta := bars(na.html.Attr, nb.html.Attr, na.label == nb.label)
	sa, sb := t.sketch(a), t.sketch(b)
	t.work -= sa.size + sb.size
	if t.work < 0 || similarity(sa, sb) <= alpha {
		return false
	}
	larger := max(sa.size, sb.size)
	if float64(larger-min(sa.size, sb.size)) >= beta*float64(larger) {
		return false // every node too many is an edit
	}
	t.work -= sa.size * sb.size * len(sa.keys)
	return float64(distance(sa, sb)) < beta*float64(larger)
}

// sameRows reports whether two rows of a table have about as many cells and are
// both heads or both not. Other elements it does not judge.
func sameRows(a, b *node) bool {
	if a.tag != "tr" || b.tag != "tr" {
		return true
	}
	return 2*min(a.cells, b.cells) > max(a.cells, b.cells) && (a.heads == a.cells) == (b.heads == b.cells)
}

func (t *templates) sketch(k *kind) *sketch {
	s := t.sketches[k.shape]
	if s == nil {
		s = t.sketchOf(k.node)
		t.sketches[k.shape] = s
	}
	return s
}
