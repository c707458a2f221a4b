package linkgraph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// direct iterates METHOD B5 as it is written.
func direct(g *Graph, d float64) []float64 {
	ranks := make([]float64, len(g.pages))
	for range 2000 {
		next := make([]float64, len(ranks))
		for j, links := range g.links {
			for _, i := range links {
				next[i] += d * ranks[j] / float64(len(links))
			}
		}
		for i := range next {
			next[i] += 1 - d
		}
		ranks = next
	}
	return ranks
}

// The ranks are those of METHOD B5, also with pages that have no links.
func TestRanks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, pages := range []int{0, 1, 2, 7, 60} {
		for _, d := range []float64{0.1, Damping, 0.97} {
			for _, links := range []int{0, pages / 2, 4 * pages} {
				var g Graph
				for n := range pages {
					g.Number(fmt.Sprint(n))
				}
				for range links {
					g.Link(rng.IntN(pages), rng.IntN(pages))
				}
				want := direct(&g, d)
				for n, got := range g.Ranks(d) {
					if math.Abs(got-want[n]) > 1e-8 {
						t.Errorf("%d pages, %d links, d %v: page %d has %v, want %v", pages, links, d, n, got, want[n])
					}
				}
			}
		}
	}
}

func TestLink(t *testing.T) {
	var g Graph
	a, b := g.Number("a"), g.Number("b")
	for i, want := range []bool{true, false, false} {
		if got := g.Link([]int{a, a, b}[i], b); got != want {
			t.Errorf("link %d counts: %v", i, got)
		}
	}
	if again := g.Number("b"); again != b || len(g.Pages()) != 2 {
		t.Errorf("b is page %d of %v, then %d", b, g.Pages(), again)
	}
}

func BenchmarkRanks(b *testing.B) {
	var g Graph
	rng := rand.New(rand.NewPCG(1, 2))
	const pages = 20_000
	for n := range pages {
		g.Number(fmt.Sprint(n))
	}
	for range 25 * pages {
		g.Link(rng.IntN(pages), int(math.Abs(rng.NormFloat64())*pages/4)%pages)
	}
	b.ReportAllocs()
	for b.Loop() {
		g.Ranks(Damping)
	}
}
