package body

import "golang.org/x/net/html/atom"

// densest returns the blocks of the main text by density (the idea of GNE, a
// sum instead of a quotient): each block has a worth, prose positive, link
// lists and furniture negative; the container with the largest sum is the
// article's, and within it the stretch with the largest sum is kept, which
// trims what stands before and after the text in the same container.
func (l *layout) densest() []block {
	sums := make([]float64, len(l.blocks)+1)
	for i, b := range l.blocks {
		sums[i+1] = sums[i] + b.worth()
	}
	best, size := 0.0, 0
	var at region
	for _, r := range l.regions {
		sum, n := sums[r.to]-sums[r.from], r.to-r.from
		if sum > best || sum == best && n < size {
			best, size, at = sum, n, r
		}
	}
	from, to := at.from, at.from
	low, lowAt, most := sums[at.from], at.from, 0.0
	for i := at.from + 1; i <= at.to && i < len(sums); i++ {
		if gain := sums[i] - low; gain > most {
			most, from, to = gain, lowAt, i
		}
		if sums[i] < low {
			low, lowAt = sums[i], i
		}
	}
	return l.blocks[from:to]
}

// worth says how much a block speaks for its container being the article. The
// unit is a rune of prose.
func (b block) worth() float64 {
	own := float64(b.runes - b.links)
	switch {
	case b.aside:
		return -10 - float64(b.runes)/4
	case b.furniture:
		return -20
	case b.linked():
		return -8 - float64(b.links)/2
	case b.prose():
		return own
	case b.tag == atom.P && b.runes >= captionRunes:
		return own / 2 // a paragraph, if of one phrase
	}
	// A short line without punctuation: a heading, a caption, a label.
	return -3
}

// linked says whether links make up most of a block.
func (b block) linked() bool { return b.links*2 > b.runes }

// prose says whether a block reads like a sentence.
func (b block) prose() bool {
	return b.plain() && (b.marks > 0 && b.runes >= 8 || b.runes >= 30 || b.verse)
}

// plain says whether a block may be text: no links, no furniture.
func (b block) plain() bool { return !b.linked() && !b.aside && !b.furniture }

// verseLines is how many short lines in a row make a text of them: poems, and
// the scripts of videos that news sites print line by line. Fewer are labels.
const verseLines = 6

func markVerse(blocks []block) {
	from := 0
	for i := 0; i <= len(blocks); i++ {
		if i < len(blocks) && blocks[i].tag == atom.P && blocks[i].plain() && !blocks[i].credit() {
			continue
		}
		if i-from >= verseLines {
			for j := from; j < i; j++ {
				blocks[j].verse = true
			}
		}
		from = i + 1
	}
}
