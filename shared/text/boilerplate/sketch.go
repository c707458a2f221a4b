package boilerplate

import (
	"cmp"
	"slices"

	"github.com/zeebo/xxh3"
)

// Sketch is what is remembered of the pages of a host: some that are drawn by
// the hashes of their addresses. The zero value has no pages. It may be read
// concurrently, not changed.
//
// Pages may be added in any order and repeatedly: sketches of the same set of pages
// are equal, and so are their encodings.
type Sketch struct {
	pages []sample // sorted by address, at most maxPages
}

// Pages returns how many pages are in the sample.
func (s *Sketch) Pages() int { return len(s.pages) }

// Add adds pages and reports whether that changed the sketch. Most of the pages
// of a large host do not.
func (s *Sketch) Add(pages ...Page) bool {
	changed := false
	for i := range pages {
		changed = s.add(&pages[i]) || changed
	}
	return changed
}

// Clone returns a sketch that may be changed without changing s.
func (s *Sketch) Clone() *Sketch { return &Sketch{pages: slices.Clone(s.pages)} }

// add keeps the samples of the smallest hashes.
func (s *Sketch) add(p *Page) bool {
	url := xxh3.HashString(p.URL)
	i, found := slices.BinarySearchFunc(s.pages, url, func(x sample, url uint64) int { return cmp.Compare(x.url, url) })
	if i == maxPages {
		return false
	}
	x := sampleOf(p)
	if found {
		if x.compare(&s.pages[i]) >= 0 {
			return false
		}
		s.pages[i] = x
		return true
	}
	if len(s.pages) == maxPages {
		s.pages = s.pages[:maxPages-1]
	}
	s.pages = slices.Insert(s.pages, i, x)
	return true
}
