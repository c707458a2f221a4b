package body

import "golang.org/x/net/html/atom"

const (
	ownRunes   = 20 // of sentences below the headline make an article of a page
	runHeading = 12 // runes of the heading of a run: 更多新闻
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
	until := l.ownText(headline)
	for _, r := range l.runs() {
		if until < 0 || until >= r.from {
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

// headlineAt returns where the headline of the page is, −1 if nowhere: the
// line that is its title, or the first heading, which is above all teasers.
func (l *layout) headlineAt(title string) int {
	at := indexOf(l.blocks, func(b *block) bool {
		return (!b.linked() || b.tag == atom.H1 || b.tag == atom.H2) && sameLine(b.text, title)
	})
	if at >= 0 {
		return at
	}
	at = indexOf(l.blocks, func(b *block) bool { return b.heading() && b.plain() })
	if runs := l.runs(); len(runs) > 0 && runs[0].from < at {
		return -1
	}
	return at
}

// ownText returns where the paragraphs after the headline, teasers left out, are
// enough for an article; −1 if they never are.
func (l *layout) ownText(headline int) int {
	runes, says := 0, false
	for i := headline + 1; i < len(l.blocks); i++ {
		b := &l.blocks[i]
		if b.aside || b.heading() || !b.prose() || b.dateLine() || i > headline+1 && l.teaser(i) {
			continue
		}
		if runes, says = runes+b.runes, says || b.says(); runes >= ownRunes && says {
			return i
		}
	}
	return -1
}
