package boilerplate

import "slices"

// Sketch is what is remembered of the pages of a host: some that are drawn by
// the hashes of their addresses. The zero value has no pages. It may be read
// concurrently, not changed.
//
// Adding pages and merging sketches commute, associate and may be repeated:
// sketches of the same set of pages are equal, and so are their encodings.
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
		x := sampleOf(&pages[i])
		changed = s.add(&x) || changed
	}
	return changed
}

// Merge adds the pages of another sketch and reports whether that changed s.
func (s *Sketch) Merge(o *Sketch) bool {
	changed := false
	for i := range o.pages {
		changed = s.add(&o.pages[i]) || changed
	}
	return changed
}

// Clone returns a sketch that may be changed without changing s.
func (s *Sketch) Clone() *Sketch { return &Sketch{pages: slices.Clone(s.pages)} }

// add keeps the samples of the smallest hashes.
func (s *Sketch) add(x *sample) bool {
	i, found := slices.BinarySearchFunc(s.pages, x.url, func(p sample, url uint64) int {
		switch {
		case p.url < url:
			return -1
		case p.url > url:
			return 1
		}
		return 0
	})
	switch {
	case found:
		if x.compare(&s.pages[i]) >= 0 {
			return false
		}
		s.pages[i] = *x
		return true
	case i == maxPages:
		return false
	}
	if len(s.pages) == maxPages {
		s.pages = s.pages[:maxPages-1]
	}
	s.pages = slices.Insert(s.pages, i, *x)
	return true
}
