package body

import (
	"strings"

	"sluice/shared/text/segment"
)

const maxOtherHeading = 8 // runes: 网友评论(23)

// others returns the containers below a text that begin with the heading of other
// pages or of comments: 相关新闻, 网友评论. All of such a container belongs to it. One that
// says more than what is above it holds the text: the heading is a button, and above is
// a summary.
func (l *layout) others() (found []region) {
	var said []int
	for _, r := range l.regions {
		b := &l.blocks[r.from]
		if r.to-r.from < 2 || !b.furniture || b.runes > maxOtherHeading || !b.headsOthers() {
			continue
		}
		if said == nil {
			said = saidBefore(l.blocks)
		}
		if above := said[r.from]; above >= ownRunes && above >= said[r.to]-above {
			found = append(found, r)
		}
	}
	return found
}

// headsOthers says whether furniture heads a list of other pages, or comments.
func (b *block) headsOthers() bool {
	text := segment.Simplify(b.text)
	return hasStart(text, listStarts) || strings.Contains(text, "评论")
}

const (
	leastNotice = 41 // runes of a notice that others may follow
	maxAfter    = 2  // how many follow
)

// markAfterNotices marks what follows a notice of the site as furniture too, if
// the notice is in another container than the paragraphs above it, they are longer,
// and none comes after: the notice in another language.
func (l *layout) markAfterNotices() {
	box := func(b *block) int { return l.elements[b.element].parent }
	var said []int
	last := -1 // the last block that may be text
	for i := range l.blocks {
		n := &l.blocks[i]
		if !n.furniture || n.control || n.aside || n.linked() || n.runes < leastNotice || n.marks == 0 {
			if n.plain() {
				last = i
			}
			continue
		}
		if last < 0 || l.blocks[last].element == n.element || box(&l.blocks[last]) == box(n) {
			continue
		}
		end, wide := i+1, 0
		for end < len(l.blocks) && end-i-1 <= maxAfter && (l.blocks[end].element == n.element || box(&l.blocks[end]) == box(n)) {
			wide += width(l.blocks[end].text)
			end++
		}
		if said == nil {
			said = saidBefore(l.blocks)
		}
		until := max(end, l.elements[box(n)].to)
		if end-i-1 > maxAfter || said[i] < wide || said[until] > said[end] {
			continue
		}
		for j := i + 1; j < end; j++ {
			l.blocks[j].furniture = true
		}
	}
}
