package body

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// says says whether a block has the end of a sentence and may be text. Lines of
// contact, labels, titles and menus have none.
func (b block) says() bool { return b.plain() && !b.contact && (b.verse || sentence(b.text)) }

// phrase says whether a block could be text, though it has no end of a sentence.
func (b block) phrase() bool {
	return b.plain() && !b.verse && !sentence(b.text) && b.runes >= captionRunes
}

// markAlone marks the blocks in whose container nothing is told: the line of
// contact in the cell of a footer, the slogan in a box of its own.
func (l *layout) markAlone() {
	told, brief := toldBefore(l.blocks), l.brief()
	for i := range l.blocks {
		b := &l.blocks[i]
		home := l.elements[l.home(i)]
		b.alone = told[home.to] == told[home.from]
		// At the end of an article that is not short they are its own, of an event say.
		b.contact = b.contact && (b.alone || b.aside || brief)
	}
}

// home returns the container of block i: of a block that fills its element the
// one around it, of a line the element itself.
func (l *layout) home(i int) int {
	at := l.blocks[i].element
	if e := l.elements[at]; e.to-e.from == 1 {
		return e.parent
	}
	return at
}

// toldBefore returns how many runes of sentences stand before each block, and
// before the end.
func toldBefore(blocks []block) []int {
	told := make([]int, len(blocks)+1)
	for i, b := range blocks {
		told[i+1] = told[i]
		if b.says() {
			told[i+1] += b.runes
		}
	}
	return told
}

// A page with less than so many runes of sentences has short news, which may be
// shorter than the lines of contact below it; but where the phrases of a page are
// so many times as long as its sentences, it is one of phrases.
const (
	briefRunes = 150
	phraseLead = 2
)

// brief says whether the sentences of a page are its text, and few. Then phrases
// that stand apart from them count for nothing.
func (l *layout) brief() bool {
	told, phrases := 0, 0
	for _, b := range l.blocks {
		switch {
		case b.says():
			told += b.runes
		case b.phrase() && !b.contact:
			phrases += b.runes
		}
	}
	return told > 0 && told < briefRunes && phrases <= told*phraseLead
}

// anySays says whether any of these blocks says something.
func anySays(blocks []block) bool { return slices.ContainsFunc(blocks, block.says) }

// names is what tells a container that is wrongly named like furniture from one
// that is rightly so.
type names struct {
	told     []int // runes of sentences before each block
	headline int   // the block, −1 if there is none
}

func readNames(blocks []block) names {
	return names{toldBefore(blocks), slices.IndexFunc(blocks, func(b block) bool { return b.heading() && !b.linked() })}
}

// leadTimes: a container with so many times the sentences that stand between the
// headline and it holds the text below its lead.
const leadTimes = 5

// lie says whether a container that is named like furniture may hold the text
// all the same: it has sentences, where there are any, and none stands between
// the headline of the page and it, or a lead alone.
func (n names) lie(r region) bool {
	inside := n.told[r.to] - n.told[r.from]
	if inside == 0 {
		return n.told[len(n.told)-1] == 0
	}
	return n.headline < 0 || r.from <= n.headline || (n.told[r.from]-n.told[n.headline])*leadTimes < inside
}

// maxHeading is how many runes a headline has at most.
const maxHeading = 60

// heading says whether a block is a headline by its element, and no sentence.
func (b block) heading() bool {
	return (b.titled || b.tag == atom.H1 || b.tag == atom.H2) && b.runes <= maxHeading && !sentence(b.text)
}
