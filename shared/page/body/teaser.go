package body

import (
	"regexp"
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

// inRun says whether all the text of the blocks [from, to) are teasers of one
// run.
func (l *layout) inRun(from, to int) bool {
	n, last, has := 0, 0, false
	for i := range l.blocks {
		inside := i >= from && i < to
		switch {
		case l.teaser(i):
			if n > 0 && i-last > runGap {
				if has && n >= runTeasers {
					return true
				}
				n, has = 0, false
			}
			n, last, has = n+1, i, has || inside
		case l.blocks[i].prose():
			if inside {
				return false
			}
			if has && n >= runTeasers {
				return true
			}
			n, has = 0, false
		}
	}
	return has && n >= runTeasers
}

// teaser says whether block i is the beginning of a text that its own link
// leads to.
func (l *layout) teaser(i int) bool {
	b := &l.blocks[i]
	if b.aside || b.furniture || b.runes < minTeaser || b.runes > maxTeaser {
		return false
	}
	titled := i > 0 && l.blocks[i-1].mayBeTitle()
	if b.linked() {
		return titled && b.marks > 0 && b.runes >= linkTeaser && l.blocks[i-1].runes < b.runes
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
