package body

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// says says whether a block has the end of a sentence and may be text. Labels,
// titles and menus have none.
func (b *block) says() bool {
	return b.plain() && (b.marks > 0 && hasStop(b.text) || strings.HasSuffix(b.text, "."))
}

// saidBefore returns how many runes of sentences stand before each block, and
// before the end.
func saidBefore(blocks []block) []int {
	said := make([]int, len(blocks)+1)
	for i := range blocks {
		said[i+1] = said[i]
		if b := &blocks[i]; b.says() {
			said[i+1] += b.runes
		}
	}
	return said
}

// names tells containers that hold text from others with a name of furniture.
type names struct {
	said     []int // runes of sentences before each block
	headline int   // the block, −1 if there is none
}

func readNames(blocks []block) names {
	return names{saidBefore(blocks), indexOf(blocks, func(b *block) bool { return b.heading() && !b.linked() })}
}

// leadTimes: a container with so many times the sentences that stand between the
// headline and it holds the text below its lead.
const leadTimes = 5

// lie says whether a container that is named like furniture may hold the text
// all the same: it has sentences, and none stands between the headline of the
// page and it, or a lead alone.
func (n names) lie(r region) bool {
	inside := n.said[r.to] - n.said[r.from]
	return inside > 0 && (n.headline < 0 || r.from <= n.headline || (n.said[r.from]-n.said[n.headline])*leadTimes < inside)
}

// maxHeading is how many runes a headline has at most.
const maxHeading = 60

// heading says whether a block is a headline by its element, and no sentence.
func (b *block) heading() bool {
	return b.headElement() && b.runes <= maxHeading && !sentence(b.text)
}

// headElement says whether a block is a headline by its element.
func (b *block) headElement() bool { return b.titled || b.tag == atom.H1 || b.tag == atom.H2 }
