package boilerplate

import (
	"cmp"
	"math"
)

const (
	fewPages = 4 // are always needed
	settled  = 8 // pages, half of which show which lines are on every page

	lacking = 15 // percent of the pages of a section, the first four not counted, that may lack its prose
	ownText = 80 // columns, those of a long sentence: the minimum of a page's own text before it shows which prose is not its own
)

// needed is how many different pages have to have a line before it is the
// site's: 4 of up to 10 pages, 6 of 20, 10 of 64. The share falls with the
// number of pages, as what half of four pages say may be chance.
func needed(pages int) int {
	return max(fewPages, int(math.Ceil(1.25*math.Sqrt(float64(pages)))))
}

// Learned returns what the pages of the sketch show to be the site's.
func (s *Sketch) Learned() *Learned {
	st := newStudy(s)
	if len(s.pages) < st.needed {
		return newLearned(nil)
	}
	lines := st.everywhere()
	for h := range st.edges(lines) {
		if !lines[h] {
			lines[h] = false
		}
	}
	return newLearned(lines)
}

// study is a sketch, read in another order.
type study struct {
	pages  []sample
	needed int
	lines  map[hash]occurrences // without most of those that are there once, as nearly all are
	home   map[hash]int         // sections, with how many pages they have; 0 is all that have few
	own    []int                // columns of a page's lines that are on few pages
}

// occurrences are where a line is.
type occurrences struct {
	pages []int // in order, each once
	look  look  // the first
}

func newStudy(s *Sketch) *study {
	st := &study{pages: s.pages, needed: needed(len(s.pages)), lines: map[hash]occurrences{}, home: map[hash]int{}}
	var seen [1 << 13]uint8 // lines by the last bits of their hashes, of each at most fewPages
	for _, p := range s.pages {
		for _, l := range p.view.lines {
			n := &seen[l.hash%hash(len(seen))]
			*n = min(*n+1, fewPages)
		}
	}
	for i, p := range s.pages {
		st.home[p.section]++
		for _, l := range p.view.lines {
			if seen[l.hash%hash(len(seen))] < 2 {
				continue
			}
			switch on := st.lines[l.hash]; {
			case len(on.pages) == 0:
				st.lines[l.hash] = occurrences{[]int{i}, l.look}
			case on.pages[len(on.pages)-1] != i:
				on.pages = append(on.pages, i)
				st.lines[l.hash] = on
			}
		}
	}
	for i, p := range s.pages {
		st.own = append(st.own, 0)
		for _, l := range p.view.lines {
			if seen[l.hash%hash(len(seen))] < fewPages || len(st.lines[l.hash].pages) < fewPages {
				st.own[i] += l.look.columns()
			}
		}
	}
	for section, n := range st.home {
		if n < fewPages {
			delete(st.home, section)
			st.home[0] += n
		}
	}
	return st
}

// section returns the section of a page.
func (st *study) section(i int) hash {
	if s := st.pages[i].section; st.home[s] > 0 {
		return s
	}
	return 0
}

// evidence returns those of the pages with a line that speak for its being the
// site's. For prose these are the pages with a text of their own in sections
// where nearly all pages have the line.
func (st *study) evidence(h hash, pages []int) []int {
	if !st.lines[h].look.prose() {
		return pages
	}
	having := map[hash]int{}
	for _, i := range pages {
		having[st.section(i)]++
	}
	var out []int
	for _, i := range pages {
		if s := st.section(i); nearlyAll(having[s], st.home[s]) && st.own[i] >= ownText {
			out = append(out, i)
		}
	}
	return out
}

// nearlyAll reports whether so many of the pages of a section are nearly all;
// if the section has few, it must be all.
func nearlyAll(having, pages int) bool {
	return 100*(pages-having) <= lacking*(pages-fewPages)
}

// different returns how many of the pages that speak for a line have another title
// and another text around it. The parts of one article have the same title.
func (st *study) different(h hash, pages []int) int {
	titles, keys := map[hash]bool{}, map[hash]bool{}
	for _, i := range st.evidence(h, pages) {
		titles[st.pages[i].title] = true
		keys[st.key(h, &st.pages[i])] = true
	}
	return min(len(titles), len(keys))
}

// key identifies a page as seen from one of its lines: it is the rarest of the
// other lines. Copies of an article have the same key, seen from any line. A
// page without other lines is identified by its title.
func (st *study) key(from hash, p *sample) hash {
	var best *line
	for i := range p.view.lines {
		l := &p.view.lines[i]
		if l.hash != from && (best == nil || st.rarer(l, best) < 0) {
			best = l
		}
	}
	if best == nil {
		return p.title
	}
	return best.hash
}

// rarer orders lines: rare ones first, then wide ones.
func (st *study) rarer(a, b *line) int {
	pagesA, lookA := st.on(a)
	pagesB, lookB := st.on(b)
	return cmp.Or(cmp.Compare(pagesA, pagesB), cmp.Compare(lookB, lookA), cmp.Compare(a.hash, b.hash))
}

// on returns on how many pages a line is, and the look of the first.
func (st *study) on(l *line) (pages int, first look) {
	if on, ok := st.lines[l.hash]; ok {
		return len(on.pages), on.look
	}
	return 1, l.look
}

// everywhere returns the long lines on half of the pages: they are the site's
// in any place.
func (st *study) everywhere() map[hash]bool {
	all := map[hash]bool{}
	if len(st.pages) < settled {
		return all
	}
	for h, on := range st.lines {
		if 2*len(on.pages) >= len(st.pages) && on.look.long() && 2*st.different(h, on.pages) >= len(st.pages) {
			all[h] = true
		}
	}
	return all
}

// edges returns the lines that recur at the edges. Whether one does depends on
// its neighbours: edges begins with all lines that recur, and removes those
// that are not at an edge, until all are.
func (st *study) edges(everywhere map[hash]bool) map[hash]bool {
	known := map[hash]bool{}
	for h, on := range st.lines {
		if len(on.pages) < fewPages {
			continue
		}
		if everywhere[h] || st.different(h, on.pages) >= st.needed {
			known[h] = true
		}
	}
	for before := -1; before != len(known); {
		before = len(known)
		placed := st.placed(known)
		for h := range known {
			if !everywhere[h] && st.different(h, placed[h]) < st.needed {
				delete(known, h)
			}
		}
	}
	return known
}

// placed returns for each known line the pages that have it at an edge.
func (st *study) placed(known map[hash]bool) map[hash][]int {
	at := map[hash][]int{}
	for i, p := range st.pages {
		for j, ok := range p.view.place(func(h hash) bool { return known[h] }) {
			h := p.view.lines[j].hash
			if on := at[h]; ok && (len(on) == 0 || on[len(on)-1] != i) {
				at[h] = append(on, i)
			}
		}
	}
	return at
}
