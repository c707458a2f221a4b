package body

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// What is set apart from a short text, and what makes a section of a page whose
// only text introduces its list.
const (
	ownRunes       = 20 // of a paragraph that makes an article of the page
	sectionName    = 6  // runes of the name of a section
	sectionTeasers = 8  // that follow on the introduction of a section
	runHeading     = 12 // runes of the heading of a run: 更多新闻
)

// setApart marks the runs of teasers after the text of a page as furniture that
// belongs to other pages, and returns the texts of what it marked. Short news has
// less text than the beginnings of other articles below it.
func (l *layout) setApart(title string) map[string]bool {
	texts := map[string]bool{}
	headline := l.headlineAt(title)
	if headline < 0 {
		return texts
	}
	own, until := l.ownText(headline)
	for _, r := range l.runs() {
		if own < 0 || until >= r.from || l.oneOf(own, r) {
			continue
		}
		if r.teasers >= sectionTeasers && utf8.RuneCountInString(l.blocks[headline].text) <= sectionName {
			continue
		}
		if b := &l.blocks[max(0, r.from-1)]; r.from-1 > until && b.runes <= runHeading && !sentence(b.text) {
			r.from--
		}
		for i := r.from; i < r.to; i++ {
			l.blocks[i].aside = true
			texts[l.blocks[i].text] = true
		}
	}
	return texts
}

// headlineAt returns where the headline of the page stands, −1 if nowhere: the
// line that is its title, or the first heading, which stands above all teasers.
func (l *layout) headlineAt(title string) int {
	at := slices.IndexFunc(l.blocks, func(b block) bool {
		return (!b.linked() || b.tag == atom.H1 || b.tag == atom.H2) && sameLine(b.text, title)
	})
	if at >= 0 {
		return at
	}
	at = slices.IndexFunc(l.blocks, func(b block) bool { return b.heading() && b.plain() })
	if runs := l.runs(); len(runs) > 0 && runs[0].from < at {
		return -1
	}
	return at
}

// ownText returns where the first paragraph after the headline is that is no
// teaser, and the one with which such paragraphs are an article; −1 if none is.
func (l *layout) ownText(headline int) (from, until int) {
	runes, says := 0, false
	from = -1
	for i := headline + 1; i < len(l.blocks); i++ {
		b := &l.blocks[i]
		if b.aside || b.heading() || !b.prose() || dateLine(*b) || i > headline+1 && l.teaser(i) {
			continue
		}
		if runes, says = runes+b.runes, says || b.says(); from < 0 {
			from = i
		}
		if runes >= ownRunes && says {
			return from, i
		}
	}
	return -1, -1
}

// oneOf says whether the teasers of a run rather are paragraphs of the article
// under linked headings, as those of a review of the week: they stand in the
// container of its own text, and end as sentences do.
func (l *layout) oneOf(own int, r run) bool {
	home := l.home(own)
	whole := 0
	for i := r.from; i < r.to; i++ {
		if !l.teaser(i) {
			continue
		}
		if l.home(i) != home {
			return false
		}
		if endsSentence(l.blocks[i].text) && !strings.Contains(l.blocks[i].text, "…") {
			whole++
		}
	}
	return whole*2 > r.teasers
}

// carry takes over into the blocks of readability, whose tree has lost the names
// of containers, what is known of the same texts on the page: it returns those
// that are not of other pages, nor lines of contact apart from the text.
func (l *layout) carry(blocks []block, others map[string]bool) []block {
	titled := map[string]bool{}
	brief := l.brief()
	for _, b := range l.blocks {
		if b.titled && b.heading() {
			titled[b.text] = true
		}
		if (b.alone || b.aside) && (b.contact || brief && b.phrase()) {
			others[b.text] = true
		}
	}
	for i := range blocks {
		blocks[i].titled = titled[blocks[i].text]
	}
	return slices.DeleteFunc(blocks, func(b block) bool { return others[b.text] })
}
