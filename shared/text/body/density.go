package body

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// densest returns the blocks of the main text by density (the idea of GNE, a
// sum instead of a quotient): each block has a worth, prose positive, link
// lists and furniture negative; the container with the largest sum is the
// article's, and within it the stretch with the largest sum is kept, which
// trims what is before and after the text in the same container. Where that
// is a paragraph alone, or a list, what is beside it counts anew.
func (l *layout) densest(title string) []block {
	sums := make([]float64, len(l.blocks)+1)
	for i := range l.blocks {
		sums[i+1] = sums[i] + l.blocks[i].worth()
	}
	best, size := 0.0, 0
	var at region
	for _, r := range l.regions {
		sum, n := sums[r.to]-sums[r.from], r.to-r.from
		if sum > best || sum == best && n < size {
			best, size, at = sum, n, r
		}
	}
	around := at
	if size == 1 && endsSentence(l.blocks[at.from].text) || size > 0 && l.isItems(at) {
		around = l.around(at)
		at = beside(at, around, sums)
	}
	from, to := at.from, at.from
	low, lowAt, most := sums[at.from], at.from, 0.0
	for i := at.from + 1; i <= at.to && i < len(sums); i++ {
		if gain := sums[i] - low; gain > most {
			most, from, to = gain, lowAt, i
		}
		if sums[i] <= low {
			low, lowAt = sums[i], i
		}
	}
	if to > from && from > around.from && l.subheading(from-1, to) {
		from--
	}
	if own, ok := l.ownBefore(title, region{from, to}); ok {
		from, to = own.from, own.to
	}
	return l.blocks[from:to]
}

// isItems says whether a container is a list, which has its text around it.
func (l *layout) isItems(r region) bool {
	return l.blocks[r.from].tag == atom.Li && l.blocks[r.to-1].tag == atom.Li
}

// subheading says whether block i is a heading like others in the text up to to.
// The first is trimmed off else, since most short lines around a text are labels.
func (l *layout) subheading(i, to int) bool {
	b := &l.blocks[i]
	switch b.tag {
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
	default:
		return false
	}
	return b.plain() && !b.titled && slices.ContainsFunc(l.blocks[i+1:to], func(o block) bool { return o.tag == b.tag && o.plain() })
}

// around returns the innermost container that holds a region and more.
func (l *layout) around(at region) region {
	for _, r := range l.regions { // the inner ones come first
		if r.from <= at.from && r.to >= at.to && r.to-r.from > at.to-at.from {
			return r
		}
	}
	return at
}

// beside returns a paragraph or list with the blocks around it, in the container
// around it, that are worth most together with it. Short news is worth less than
// all the furniture of its container, so that its longest paragraph is worth
// more than that container: of 1,000 texts of 2 to 6 paragraphs over six lines of
// furniture and a list, 7 % of the characters were lost so, and none is now.
func beside(at, around region, sums []float64) region {
	best := at
	for i := around.from; i < at.from; i++ {
		if sums[i] < sums[best.from] {
			best.from = i
		}
	}
	for i := at.to + 1; i <= around.to; i++ {
		if sums[i] > sums[best.to] {
			best.to = i
		}
	}
	return best
}

// worth says how much a block speaks for its container being the article. The
// unit is a rune of prose.
func (b *block) worth() float64 {
	own := float64(b.runes - b.links)
	switch {
	case b.aside:
		return -10 - float64(b.runes)/4
	case b.control && !b.linked():
		return shortLine // as a label: articles have them at both ends
	case b.furniture:
		return -20
	case b.linked():
		return -8 - float64(b.links)/2
	case b.prose():
		return own
	case b.tag == atom.P && b.runes >= captionRunes:
		return own / 2 // a paragraph, if of one phrase
	case b.row > 0 && !b.labelled():
		return 1
	}
	return shortLine
}

// shortLine is the worth of a short line without punctuation: a heading, a
// caption, a label.
const shortLine = -3

// linked says whether links make up most of a block.
func (b *block) linked() bool { return b.links*2 > b.runes }

// prose says whether a block reads like a sentence.
func (b *block) prose() bool {
	return b.plain() && (b.marks > 0 && b.runes >= 8 || b.runes >= 30 || b.verse)
}

// plain says whether a block may be text: no links, no furniture.
func (b *block) plain() bool { return !b.linked() && !b.aside && !b.furniture }

// verseLines is how many short paragraphs in a row make a text of them: poems,
// and the scripts of videos that news sites print line by line. Fewer are labels.
const verseLines = 6

func markVerse(blocks []block) {
	from := 0
	for i := 0; i <= len(blocks); i++ {
		if i < len(blocks) && blocks[i].tag == atom.P && blocks[i].plain() {
			continue
		}
		for j := from; i-from >= verseLines && j < i; j++ {
			blocks[j].verse = true
		}
		from = i + 1
	}
}
