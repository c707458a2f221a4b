package eval

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"sluice/shared/rank/linkgraph"
)

// Authority is the answer of PageRank, the highest rank first.
type Authority struct {
	Damping float64  `json:"damping"`
	Links   int      `json:"links"` // without repetitions and those of a page to itself
	Pages   []Ranked `json:"pages"`
}

// Ranked is a page with its PageRank, to six decimals.
type Ranked struct {
	Page string  `json:"page"`
	Rank float64 `json:"pagerank"`
}

// PageRank reads links, two pages a line with a tab between them, and ranks the pages
// (METHOD B5).
func PageRank(in io.Reader, damping float64) (*Authority, error) {
	var g linkgraph.Graph
	a := &Authority{Damping: damping, Pages: []Ranked{}}
	err := readRows(in, []string{"page", "page that it links to"}, func(_ int, cells []string) error {
		if cells[0] == "" || cells[1] == "" {
			return errors.New("a page is empty")
		}
		if g.Link(g.Number(cells[0]), g.Number(cells[1])) {
			a.Links++
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read links: %w", err)
	}
	pages := g.Pages()
	for n, rank := range g.Ranks(damping) {
		a.Pages = append(a.Pages, Ranked{pages[n], math.Round(rank*1e6) / 1e6})
	}
	slices.SortFunc(a.Pages, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Page, b.Page))
	})
	return a, nil
}
