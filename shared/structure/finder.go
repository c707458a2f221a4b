package structure

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// finder finds the lists of a page in its template.
type finder struct{ *templates }

// below returns the lists below a part, and their value.
func (f *finder) below(p *part) (lists []*candidate, value float64) {
	grouped := make(map[*part]bool)
	if g, taken := f.group(p); g != nil {
		lists, value = f.better(g, taken, f.list)
		for _, q := range taken {
			grouped[q] = true
		}
	}
	for _, q := range p.parts {
		if grouped[q] {
			continue
		}
		l, v := f.list(q)
		lists, value = append(lists, l...), value+v
	}
	return lists, value
}

// list returns the lists in a part: that of its nodes or those below.
func (f *finder) list(p *part) (lists []*candidate, value float64) {
	if !p.repeat {
		return f.below(p)
	}
	c := &candidate{part: p, records: make([]span, len(p.nodes))}
	for i, n := range p.nodes {
		c.records[i] = span{n, n}
	}
	c.records = f.dropOdd(f.trim(c.records))
	f.measure(c)
	if f.areCells(c) {
		c.value = 0
	}
	return f.better(c, []*part{p}, f.below)
}

// trim drops from both ends of a list what its other records are not like: the
// head of a table, page numbers, notes and buttons without a link, an introduction.
func (f *finder) trim(records []span) []span {
	if f.nodes[records[0].first].tag == "tr" {
		return f.trimHead(records)
	}
	records = trimEnds(records, func(r span) bool { return !f.nodes[r.first].furniture })
	records = trimEnds(records, func(r span) bool { return !f.paragraph(r) })
	records = trimEnds(records, func(r span) bool { return f.nodes[r.first].links > 0 })
	return f.trimWords(records)
}

// trimWords drops links from both ends that lead to other pages of a list, or that are in
// an element with no link of more than a word: a menu beside links between line breaks.
func (f *finder) trimWords(records []span) []span {
	titled := make(map[int32]bool)
	for _, r := range records {
		n := &f.nodes[r.first]
		if n.tag != "a" {
			return records
		}
		titled[n.parent] = titled[n.parent] || n.width >= wordWidth || n.pictures > 0
	}
	return trimTo(records, 0, func(r span) bool {
		n := &f.nodes[r.first]
		return titled[n.parent] && !(n.width < wordWidth && turnLabel.MatchString(strings.Trim(Record{n.html}.Text(), marks)))
	})
}

// turnLabel matches what links to other pages of a list say.
var turnLabel = regexp.MustCompile(`(?i)^(?:\d*|[首上下前后後末尾] ?一? ?[页頁]|first|prev(?:ious)?|next|last|newer|older)$`)

// trimEnds drops records from both ends that are unlike four fifths of all.
func trimEnds(records []span, like func(span) bool) []span {
	return trimTo(records, 0.8, like)
}

// trimTo drops records from both ends that are unlike others, if these are three and such
// a share of all.
func trimTo(records []span, share float64, like func(span) bool) []span {
	count := 0
	for _, r := range records {
		if like(r) {
			count++
		}
	}
	if float64(count) < share*float64(len(records)) || count < 3 {
		return records
	}
	for !like(records[0]) {
		records = records[1:]
	}
	for !like(records[len(records)-1]) {
		records = records[:len(records)-1]
	}
	return records
}

// trimHead drops the first row of a table if all others have digits and it has
// none: it names the columns.
func (f *finder) trimHead(records []span) []span {
	if len(records) < 4 {
		return records
	}
	for i, r := range records {
		if f.hasDigits(r) == (i == 0) {
			return records
		}
	}
	return records[1:]
}

// better returns a candidate or the lists within its records, whichever are
// worth more. parts are those of the candidate, within finds the lists of one.
func (f *finder) better(c *candidate, parts []*part, within func(*part) ([]*candidate, float64)) (lists []*candidate, value float64) {
	for _, p := range parts {
		l, v := within(p)
		lists, value = append(lists, l...), value+v
	}
	for _, l := range lists {
		if c.value > 0 && f.splits(c, l) {
			return lists, value
		}
	}
	if c.value >= value {
		return []*candidate{c}, c.value
	}
	return lists, value
}

// splits reports whether the records of the outer candidate are only sections
// of the inner list: rows of a grid, or what is below a heading.
func (f *finder) splits(outer, inner *candidate) bool {
	if inner.indexed = inner.indexed || f.isIndex(outer, inner); inner.indexed {
		return true
	}
	least, words := 0.6, inner.menu()
	if tag := f.nodes[inner.records[0].first].tag; tag == "td" || tag == "th" {
		least, words = 0.8, false
	}
	each := float64(len(inner.records)) / float64(len(outer.records))
	if inner.mass < least*outer.mass || each < 1.5 || each < 3 && inner.structured < 0.8 {
		return false
	}
	if inner.linked < 0.8 && (inner.structured < 0.8 || outer.linked >= 0.8) || words {
		return false
	}
	return !f.columns(inner)
}

// letterWidth is how wide the letter of a part of an index may be, "A" or "0–9".
const letterWidth = 3

// isIndex reports whether the sections are a letter and items that begin with it.
func (f *finder) isIndex(sections, items *candidate) bool {
	tag := f.nodes[items.records[0].first].tag
	letter := (sections.mass - items.mass) / float64(len(sections.records))
	return (tag == "li" || tag == "dd") && items.linked >= 0.8 && len(items.records) > len(sections.records) && letter >= 1 && letter <= letterWidth
}

// areCells reports whether a list consists of the cells of rows, rather than of
// records that stand in rows.
func (f *finder) areCells(c *candidate) bool {
	if tag := f.nodes[c.records[0].first].tag; tag != "td" && tag != "th" {
		return false
	}
	return c.structured < 0.8 && c.linked < 0.9 || f.columns(c)
}

// columnVariance is the F statistic from which on places in a row differ. The
// cells of a grid reach 4 by chance in one of twenty grids; columns of numbers
// and names are far above it.
const columnVariance = 10

// columns reports whether the records are the fields of a row: all rows have
// equally many, and those in one place are more like each other than those of a
// row.
func (f *finder) columns(c *candidate) bool {
	p := c.part
	if p.above == nil {
		return false
	}
	rows := make(map[int32]int)
	for _, k := range p.counts {
		rows[k]++
	}
	delete(rows, 0)
	most, k := 0, 0
	all := 0
	for count, times := range rows {
		all += times
		if times > most {
			most, k = times, int(count)
		}
	}
	if k < 2 || most < 2 || float64(most) < 0.7*float64(all) {
		return false
	}
	masses := make([][]float64, k)
	links := make([]float64, k)
	at := 0
	for _, count := range p.counts {
		if int(count) == k {
			for j := range k {
				n := p.nodes[at+j]
				masses[j] = append(masses[j], math.Log1p(f.mass(span{n, n})))
				if f.nodes[n].links > 0 {
					links[j]++
				}
			}
		}
		at += int(count)
	}
	if slices.Max(links)-slices.Min(links) > 0.5*float64(most) || f.differentCells(p, k) {
		return true
	}
	return variance(masses) > columnVariance
}

// differentCells reports whether the cells of the rows that have k of them have
// different labels, the same in every row.
func (f *finder) differentCells(p *part, k int) bool {
	var first []uint64
	at := 0
	for _, count := range p.counts {
		cells := p.nodes[at : at+int(count)]
		at += int(count)
		if len(cells) != k {
			continue
		}
		var labels []uint64
		for _, n := range cells {
			if f.nodes[n].tag != "td" {
				return false
			}
			labels = append(labels, f.nodes[n].label)
		}
		if first == nil {
			first = labels
		}
		if !slices.Equal(first, labels) {
			return false
		}
	}
	return slices.ContainsFunc(first, func(l uint64) bool { return l != first[0] })
}

// variance is the F statistic of groups: how much more their means differ than
// their members.
func variance(groups [][]float64) float64 {
	n, sum := 0, 0.0
	for _, g := range groups {
		for _, v := range g {
			sum += v
			n++
		}
	}
	mean := sum / float64(n)
	between, within := 0.0, 0.0
	for _, g := range groups {
		m := 0.0
		for _, v := range g {
			m += v
		}
		m /= float64(len(g))
		between += float64(len(g)) * (m - mean) * (m - mean)
		for _, v := range g {
			within += (v - m) * (v - m)
		}
	}
	if n <= len(groups) {
		return 0
	}
	return between / float64(len(groups)-1) / (within/float64(n-len(groups)) + 1e-3)
}

// mostHeads is how many kinds of siblings are tried as the heads of records.
const mostHeads = 6

// group finds records of several siblings below a part: a head that comes again
// and again, and what follows it until the next.
func (f *finder) group(p *part) (*candidate, []*part) {
	role := make(map[int32]*part)
	for _, q := range p.parts {
		for _, n := range q.nodes {
			role[n] = q
		}
	}
	var heads []*part
	for _, q := range p.parts {
		if q.repeat && len(q.nodes) >= 3 {
			heads = append(heads, q)
		}
	}
	slices.SortStableFunc(heads, func(a, b *part) int { return len(b.nodes) - len(a.nodes) })
	var best *candidate
	var parts []*part
	for _, head := range heads[:min(len(heads), mostHeads)] {
		c, taken := f.headed(p, head, role)
		if c != nil && (best == nil || c.value > best.value) {
			best, parts = c, taken
		}
	}
	return best, parts
}

// headed groups the children of a part into records that begin with head.
func (f *finder) headed(p, head *part, role map[int32]*part) (*candidate, []*part) {
	c := &candidate{part: head}
	follows := make(map[*part]int) // in how many records
	for _, n := range p.nodes {
		open := -1
		var seen map[*part]bool
		for child := range f.childrenOf(n) {
			q := role[child]
			switch {
			case q == head:
				c.records = append(c.records, span{child, child})
				open = len(c.records) - 1
				seen = make(map[*part]bool)
			case open >= 0:
				if !seen[q] {
					seen[q] = true
					follows[q]++
				}
				c.records[open].last = child
			}
		}
	}
	// What follows few heads ends a record: an advertisement, or the page's end.
	regular := make(map[*part]bool)
	taken := []*part{head}
	full := 0
	for q, times := range follows {
		if float64(times) >= 0.5*float64(len(c.records)) {
			regular[q] = true
			taken = append(taken, q)
			full = max(full, times)
		}
	}
	if float64(full) < 0.7*float64(len(c.records)) {
		return nil, nil
	}
	for i, r := range c.records {
		last := r.first
		for s := f.nodes[r.first].end; s <= r.last; s = f.nodes[s].end {
			if !regular[role[s]] {
				break
			}
			last = s
		}
		c.records[i].last = last
	}
	f.measure(c)
	return c, taken
}
