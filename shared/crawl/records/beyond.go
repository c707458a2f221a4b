package records

import (
	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/web/urlnorm"
)

// What repeats on a page of details, such as posts, comments and reviews, is no list of the
// site: the page is one record, as a whole. A page alone does not tell, but how the crawl came
// to all pages of its shape, and where it went from them.

const (
	minWhole = 0.1 // of the pages that lists led to, which have nothing that repeats
	minLists = 3   // that lead to details which lead to as many pages
)

func (s *shape) pages() (n int) {
	for _, of := range s.looks {
		n += of
	}
	return n
}

// isDetail reports whether its pages are details though many of them look like lists, of
// posts or comments: lists lead to most of them, as to their records, and some have nothing
// that repeats. Unlike lists they lead to fewer pages than they are, such as to the few people
// who write most posts, or else several lists lead to them.
func (s *shape) isDetail() bool {
	return s.entries >= agreeing && 2*s.entries > s.pages()-s.paged && float64(s.whole) >= minWhole*float64(s.entries) &&
		(s.below < s.entries || len(s.lists) >= minLists)
}

// Beyond reports whether a page was found as a record, or another page, of what repeats on
// a page of details: somebody who wrote a comment there. Details lead nowhere.
func (s *Survey) Beyond(u urlnorm.URL, d *corpus.Document) bool {
	p := d.Path.Priority.Value
	s.end()
	return (p == reading.RecordPriority || p == reading.PagePriority) && d.Path.Parent != d.Path.Seed && s.shape(u).beyond(s.from(d))
}

// beyond is that for a page of a shape to which one of another shape led.
func (s *shape) beyond(from *shape) bool {
	return s.mostlyBeyond() || !s.isDetail() && from != nil && from != s && from.ends
}

// end finds the shapes at which the walk ends: details, and those that are mostly found
// from these.
func (s *Survey) end() {
	for more := !s.ended; more; {
		more = false
		for _, shapes := range s.sites {
			for _, one := range shapes {
				if !one.ends && (one.isDetail() || one.mostlyBeyond()) {
					one.ends, more = true, true
				}
			}
		}
	}
	s.ended = true
}

func (s *shape) mostlyBeyond() bool {
	all, those := 0, 0
	for from, n := range s.from {
		if all += n; from.ends {
			those += n
		}
	}
	return 2*those > all
}
