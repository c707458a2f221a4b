package eval

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// SeedValue is the Val of a seed (METHOD B6).
const SeedValue = 100

// unknown is the Val of a page that no seed leads to yet.
const unknown = -1

// Inheritance has the constants of METHOD B6.
type Inheritance struct {
	F     float64 `json:"f"`     // a link of this relevance or more inherits the Val of its parent
	R     float64 `json:"r"`     // the share of it that any other link inherits
	Floor float64 `json:"floor"` // a link with a smaller Val is not followed; 0: all are
}

// Inherited is the answer of Inherit: the pages in the order in which the frontier has
// them, Val first, then relevance.
type Inherited struct {
	Inheritance
	Pages []Heir `json:"pages"`
}

// Heir is a page with the Val that it inherited.
type Heir struct {
	Page      string  `json:"page"`
	Parent    string  `json:"parent"` // "" for a seed
	Relevance float64 `json:"relevance"`
	Value     float64 `json:"value"`
	Dropped   bool    `json:"dropped"` // its Val, or that of a page on the way to it, is below the floor

	line int
}

// Inherit reads a tree of links, a page a line: page, parent, relevance, with tabs
// between them. A page without a parent is a seed; parents may come after their links.
func (c Inheritance) Inherit(in io.Reader) (*Inherited, error) {
	tree := map[string]*Heir{}
	var pages []*Heir
	err := readRows(in, []string{"page", "parent", "relevance"}, func(number int, cells []string) error {
		h := &Heir{Page: cells[0], Parent: cells[1], Value: unknown, line: number}
		if h.Page == "" {
			return errors.New("the page is empty")
		}
		if before := tree[h.Page]; before != nil {
			return fmt.Errorf("%s is on line %d, too", h.Page, before.line)
		}
		var err error
		h.Relevance, err = strconv.ParseFloat(cells[2], 64)
		if err != nil || !(h.Relevance >= 0) || math.IsInf(h.Relevance, 0) {
			return fmt.Errorf("relevance %q: a number from 0 is needed", cells[2])
		}
		tree[h.Page], pages = h, append(pages, h)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read tree: %w", err)
	}
	if err := c.value(tree, pages); err != nil {
		return nil, fmt.Errorf("read tree: %w", err)
	}
	out := &Inherited{Inheritance: c, Pages: []Heir{}}
	for _, h := range pages {
		out.Pages = append(out.Pages, *h)
	}
	slices.SortFunc(out.Pages, func(a, b Heir) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(a.Page, b.Page))
	})
	return out, nil
}

// value sets the values from the seeds on, level by level.
func (c Inheritance) value(tree map[string]*Heir, pages []*Heir) error {
	children := map[string][]*Heir{}
	var problems []error
	for _, h := range pages {
		if h.Parent != "" && tree[h.Parent] == nil {
			problems = append(problems, fmt.Errorf("line %d: the parent %s has no line", h.line, h.Parent))
		}
		children[h.Parent] = append(children[h.Parent], h)
	}
	level := children[""]
	for _, seed := range level {
		seed.Value = SeedValue
	}
	reached := len(level)
	for len(level) > 0 {
		parent := level[0]
		level = append(level[1:], children[parent.Page]...)
		for _, h := range children[parent.Page] {
			reached++
			if h.Value = parent.Value; h.Relevance < c.F {
				h.Value *= c.R
			}
			h.Dropped = parent.Dropped || h.Value < c.Floor
		}
	}
	if len(problems) == 0 && reached < len(pages) {
		for _, h := range pages {
			if h.Value == unknown {
				return fmt.Errorf("line %d: the parents of %s lead to no seed, a page without parent", h.line, h.Page)
			}
		}
	}
	return errors.Join(problems[:min(len(problems), maxProblems)]...)
}
