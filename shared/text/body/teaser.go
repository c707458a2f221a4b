package body

import (
	"regexp"
	"slices"
	"strings"
)

// What makes a run of teasers: the beginnings of articles, each with the link
// to its own, before or after it.
const (
	runTeasers = 4   // so many
	runGap     = 4   // blocks between two: dates, buttons, names of sections
	minTeaser  = 15  // runes
	maxTeaser  = 200 // runes: what is longer is not only a beginning
	linkTeaser = 30  // runes of one that is a link as a whole: a title is shorter
)

// moreLink matches the label of a link to the rest of a text.
var moreLink = regexp.MustCompile(`(?i)[\[（(【<《]?(?:(?:查看|阅读|閱讀|了解|点击)(?:详情|详细|全文|更多|原文)|详细(?:内容)?|詳細|详情|全文|更多|read more)[\])）】>》›»…\s]*$`)

const maxMoreLink = 12 // runes

// run is a run of teasers, from the title of the first on.
type run struct {
	region

	teasers int
}

// runs returns the runs of at least so many teasers that no other prose breaks.
func (l *layout) runs() (runs []run) {
	var r run
	end := func() {
		if r.teasers >= runTeasers {
			runs = append(runs, r)
		}
		r = run{}
	}
	for i := range l.blocks {
		switch {
		case l.teaser(i):
			if r.teasers > 0 && i-r.to >= runGap {
				end()
			}
			if r.teasers == 0 {
				r.from = l.start(i)
			}
			r.teasers, r.to = r.teasers+1, i+1
		case l.blocks[i].prose():
			end()
		}
	}
	end()
	return runs
}

// start returns where the teaser at i starts: with its title, if that is before.
func (l *layout) start(i int) int {
	switch {
	case i > 0 && l.blocks[i-1].title():
		return i - 1
	case i > 1 && l.blocks[i-2].title() && l.blocks[i-1].dateLine():
		return i - 2
	}
	return i
}

// title says whether a block may be the title of a teaser, which the link of a
// source or an author above a text is not.
func (b *block) title() bool { return b.mayBeTitle() && !b.credit() && !b.furniture }

// inRun says whether all the text of the blocks [from, to) are teasers of one
// run.
func (l *layout) inRun(from, to int) bool {
	for i := from; i < to; i++ {
		if l.blocks[i].prose() && !l.teaser(i) {
			return false
		}
	}
	return slices.ContainsFunc(l.runs(), func(r run) bool { return r.from < to && r.to > from })
}

// teaser says whether block i is the beginning of a text that its own link
// leads to.
func (l *layout) teaser(i int) bool {
	b := &l.blocks[i]
	if b.furniture || b.runes < minTeaser || b.runes > maxTeaser {
		return false
	}
	titled := l.start(i) < i
	if b.linked() {
		return i > 0 && l.blocks[i-1].mayBeTitle() && b.marks > 0 && b.runes >= linkTeaser && l.blocks[i-1].runes < b.runes
	}
	if b.links > 0 && b.links <= maxMoreLink && moreLink.MatchString(b.text) {
		return true
	}
	return titled || i+1 < len(l.blocks) && l.blocks[i+1].more()
}

// more says whether a block is a link to the rest of a text, perhaps after a
// date.
func (b *block) more() bool {
	return b.links > 0 && b.links <= maxMoreLink && b.runes <= 2*maxMoreLink && moreLink.MatchString(strings.TrimSpace(b.text))
}
