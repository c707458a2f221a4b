// Package linkgraph has the graph of links between pages, and the authority of pages
// in it (METHOD B5).
package linkgraph

import (
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/network"
	"gonum.org/v1/gonum/graph/simple"
)

// Damping is the usual d of METHOD B5.
const Damping = 0.85

// Graph has pages, numbered in the order in which they were added, and their links.
// The zero value has none.
type Graph struct {
	numbers map[string]int
	pages   []string
	links   [][]int // by page, sorted
}

// Pages returns the pages by their numbers. They belong to the graph.
func (g *Graph) Pages() []string { return g.pages }

// Find returns the number of a page of the graph.
func (g *Graph) Find(page string) (int, bool) {
	n, ok := g.numbers[page]
	return n, ok
}

// Number returns the number of a page, which is added if it is new.
func (g *Graph) Number(page string) int {
	if n, ok := g.numbers[page]; ok {
		return n
	}
	if g.numbers == nil {
		g.numbers = map[string]int{}
	}
	n := len(g.pages)
	g.numbers[page] = n
	g.pages, g.links = append(g.pages, page), append(g.links, nil)
	return n
}

// Link adds a link between two pages, by their numbers. A page's links to itself do
// not count, nor do those after the first to one page. It reports whether it counts.
func (g *Graph) Link(from, to int) bool {
	at, found := slices.BinarySearch(g.links[from], to)
	if found || from == to {
		return false
	}
	g.links[from] = slices.Insert(g.links[from], at, to)
	return true
}

// tolerance ends the iteration for ranks that add up to 1: it is safely above the
// rounding errors of float64, as there is no other end.
const tolerance = 1e-13

// Ranks returns the PageRank of every page by its number,
//
//	PR(i) = (1-d) + d·Σ PR(j)/N(j)
//
// over the pages j that link to i, with N(j) links each (METHOD B5), and 0 < d < 1.
//
// gonum's ranks x differ in two ways: they add up to 1, and a page without links
// counts as one that links to all pages: x(i) = c + d·Σ x(j)/N(j), c·n = d·D + (1-d)
// for n pages and the sum D of the ranks of those without links. This is the formula
// of METHOD B5 but for its constant, so that PR = x·(1-d)/c exactly.
func (g *Graph) Ranks(d float64) []float64 {
	if len(g.pages) == 0 {
		return nil
	}
	found := network.PageRankSparse(directed{g: g}, d, tolerance)
	all, dangling := 0.0, 0.0
	for n := range g.pages {
		x := found[int64(n)]
		if all += x; len(g.links[n]) == 0 {
			dangling += x
		}
	}
	scale := (1 - d) * float64(len(g.pages)) / (d*dangling + (1-d)*all)
	ranks := make([]float64, len(g.pages))
	for n := range ranks {
		ranks[n] = scale * found[int64(n)]
	}
	return ranks
}

// directed is the part of graph.Directed that gonum's PageRank uses: its own graphs
// take some hundred bytes for a link.
type directed struct {
	graph.Directed
	g *Graph
}

// Nodes implements graph.Graph.
func (d directed) Nodes() graph.Nodes {
	return iterator.NewImplicitNodes(0, len(d.g.pages), func(n int) graph.Node { return simple.Node(n) })
}

// From implements graph.Graph.
func (d directed) From(page int64) graph.Nodes {
	links := d.g.links[page]
	return iterator.NewImplicitNodes(0, len(links), func(i int) graph.Node { return simple.Node(links[i]) })
}
