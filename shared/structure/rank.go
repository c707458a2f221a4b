package structure

import (
	"cmp"
	"slices"
)

const (
	maxLists                     = 10        // of a page are reported
	minShare                     = 0.35      // of a page's text that the main list has at least
	wholeShare                   = 0.9       // of a page's text with which a list is the main one even if it has little value
	maxProse                     = 0.5       // of running text and list that may be running text
	minTableShare, maxTableProse = 0.15, 0.8 // the same for a table of links
	longList, longShare          = 30, 0.6   // records of a list of short names, and its share
	asideShare                   = 0.4       // of side matters that count as a page's text, where there is little running text
	maxAsideProse                = 0.2       // of running text and list that is little
	maxRest                      = 0.1       // of a page's text outside of a list and of side matters, that is nothing
	minRank                      = 0.05      // of the main list's value that the others have
)

// lists returns the lists of a page, the main list first; none if the page is no list. It
// says which share of the text the records of that have, and whether no running text is
// outside of them. The last page of a list may have two records.
func (t *tree) lists(later bool) (all []*candidate, share float64, quiet bool) {
	all = t.candidates()
	if len(all) == 0 {
		return nil, 0, false
	}
	least := minRank * all[0].value
	b := t.backgroundOf(all[0])
	if i, without := t.behindMenu(all, later); i > 0 {
		c := all[i]
		all, b = slices.Insert(slices.Delete(all, i, i+1), 0, c), without
	} else if !t.isMain(all[0], b, later) {
		return nil, 0, false
	}
	all = slices.DeleteFunc(all, func(c *candidate) bool { return c.value < least || c != all[0] && (c.menu() || c.furniture > 0.5) })
	return all[:min(len(all), maxLists)], all[0].mass / b.mass, b.prose == 0
}

// behindMenu finds the list of a page whose most valuable candidate only leads to other
// lists: the first one of links with pictures or other texts that comes after it, or
// anywhere if it is a side matter. A page has that list if it has it without the menu. The
// index is 0 if there is none.
func (t *tree) behindMenu(all []*candidate, later bool) (int, background) {
	menu := all[0]
	if !menu.leads() {
		return 0, background{}
	}
	for i, c := range all[1:] {
		after := menu.beside > 0.5 || c.records[0].first > menu.records[0].first
		if !after || c.leads() || c.structured < 0.8 || c.linked < 0.8 || c.furniture > 0 || c.beside > 0 || len(c.records) < 3 {
			continue
		}
		b := t.backgroundOf(c)
		if menu.furniture == 0 {
			b.mass -= menu.mass
		}
		if t.isMain(c, b, later) {
			return i + 1, b
		}
	}
	return 0, background{}
}

// candidates returns what may be a list, the most valuable first.
func (t *tree) candidates() []*candidate {
	f := finder{newTemplates(t)}
	all, _ := f.below(f.root())
	all = f.merge(all)
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.value, a.value) })
	return all
}

// isMain reports whether a list is what its page is about. A table of links may
// be smaller than the text that introduces it. On a later page of a list, it is no matter
// how few records there are.
func (t *tree) isMain(c *candidate, b background, later bool) bool {
	value := c.value
	if later {
		value /= trust(len(c.records))
	}
	if b.mass-b.beside-c.mass <= maxRest*b.mass { // it leads away from nothing
		value /= 1 - (1-asideShare)*c.beside
	}
	share, prose := minShare, maxProse
	if c.cells >= 3 && c.linked >= 0.9 && len(c.records) >= 5 {
		share, prose = minTableShare, maxTableProse
	}
	sure := len(c.records) >= 5 || c.spread < 0.3 && c.texts == 1 && c.linked == 1
	whole := c.mass >= wholeShare*b.mass && sure && !c.menu() && c.furniture < 0.5
	if c.menu() && c.furniture < 0.5 && (len(c.records) >= longList || c.indexed) && t.isItem(c) {
		whole = c.mass >= longShare*b.mass // chapters, names
	}
	mass := b.mass
	if b.prose <= maxAsideProse*(b.prose+c.mass) {
		mass -= (1 - asideShare) * b.beside // sites whose sidebars are longer than their lists
	}
	return value > 0 && (whole || value >= share*mass) && b.prose <= prose*(b.prose+c.mass)
}

// isItem reports whether records are items of a list or cells by their tags.
func (t *tree) isItem(c *candidate) bool {
	switch t.nodes[c.records[0].first].tag {
	case "li", "dd", "td", "tr":
		return true
	}
	return false
}

// merge makes one of lists whose records are similar, and below elements of the
// same names two levels up: a list that something divides.
func (f *finder) merge(all []*candidate) []*candidate {
	first := make(map[uint64]*candidate)
	return slices.DeleteFunc(all, func(c *candidate) bool {
		name, classed := f.name(c)
		if !classed || c.value == 0 {
			return false
		}
		to := first[name]
		if to == nil {
			first[name] = c
			return false
		}
		a, b := to.records[0].first, c.records[0].first
		if (to.beside > 0.5) != (c.beside > 0.5) || !f.alike(&kind{node: a, shape: f.nodes[a].shape}, &kind{node: b, shape: f.nodes[b].shape}) {
			return false
		}
		to.records = append(to.records, c.records...)
		slices.SortFunc(to.records, func(a, b span) int { return cmp.Compare(a.first, b.first) })
		f.measure(to)
		return true
	})
}

// name hashes the labels of a list's first record and of the two elements
// above it. classed reports whether one of these has a class.
func (t *tree) name(c *candidate) (name uint64, classed bool) {
	i := c.records[0].first
	for level := range 3 {
		if i < 0 {
			break
		}
		name = mix(name, t.nodes[i].label)
		classed = classed || level > 0 && len(classes(t.nodes[i].html.Attr)) > 0
		i = t.nodes[i].parent
	}
	return name, classed
}

// background is what a page has beside the records of a list.
type background struct {
	mass   float64 // of all that is no furniture, the records included
	beside float64 // of that, outside of the records: in side matters
	prose  float64 // width of running text outside of the records
}

// backgroundOf measures a page beside a list.
func (t *tree) backgroundOf(c *candidate) (b background) {
	next := 0 // record
	for i := int32(0); int(i) < len(t.nodes); i++ {
		n := &t.nodes[i]
		for next < len(c.records) && c.records[next].first < i && t.nodes[c.records[next].last].end <= i {
			next++
		}
		in := next < len(c.records) && c.records[next].first <= i
		if n.furniture && !in {
			continue
		}
		mass := float64(n.own)
		if n.tag == "img" {
			mass += pictureWidth
		}
		b.mass += mass
		if n.beside && !in {
			b.beside += mass
		}
		if !in && n.own >= sentence && !t.inLink(i) {
			b.prose += float64(n.own)
		}
	}
	return b
}

// sentence is how wide a text is that does not only name something, in columns.
const sentence = 60

func (t *tree) inLink(i int32) bool {
	for ; i >= 0; i = t.nodes[i].parent {
		if t.nodes[i].tag == "a" {
			return true
		}
	}
	return false
}
