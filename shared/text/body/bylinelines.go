package body

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	aboveTitle  = 4   // blocks above the headline that may hold the date
	belowTitle  = 16  // and below it
	maxDateLine = 120 // runes of a line that may be one of date and source
)

// shortLines returns the lines that may be of date and source.
func shortLines(below, above []block) []block {
	return slices.DeleteFunc(slices.Concat(below, above), func(b block) bool { return b.runes > maxDateLine || b.furniture })
}

// aroundTitle returns the lines below the headline and those above it, without
// links and without the headline itself (it may hold a date of its own).
// Without a headline on the page these are its first blocks.
func (l *layout) aroundTitle(title string) (below, above []block) {
	at := indexOf(l.blocks, func(b *block) bool { return !b.linked() && sameLine(b.text, title) })
	below = lines(l.blocks[at+1 : min(len(l.blocks), at+1+belowTitle)])
	above = lines(l.blocks[max(0, at-aboveTitle):max(0, at)])
	return below, above
}

// lines returns the blocks that may say who made the page and when: no links but
// those that are led by the label of a source or an author.
func lines(blocks []block) []block {
	var out []block
	for i := range blocks {
		if b := &blocks[i]; !b.linked() || b.runes <= maxDateLine && hasAny(b.text, ":", "：", "y", "Y") && makerLine.MatchString(b.text) {
			out = append(out, *b)
		}
	}
	return out
}

// makerLine matches lines that name a source or an author, be it in a link.
var makerLine = regexp.MustCompile(`^[\s(（【\[]*(?:(?:(?:稿件|信息|文章|消息|新闻)?来源|來源|稿源|出处|(?:转|轉)(?:载|載)?自|作者|撰文|撰稿)[\s　]*[:：]|(?:[Bb]y|BY)\s)`)

// leading returns the lines before the text: those up to its paragraph of the
// given number. What follows may belong to another article.
func leading(lines []block, paragraph int) []block {
	for i, b := range lines {
		if b.isParagraph() {
			if paragraph--; paragraph == 0 {
				return lines[:i]
			}
		}
	}
	return lines
}

// isParagraph says whether a block is a paragraph of text, in any script.
func (b *block) isParagraph() bool {
	text := strings.TrimRight(b.text, `"”’」』）)`)
	last, _ := utf8.DecodeLastRuneInString(text)
	return b.prose() && strings.ContainsRune("。！？.!?", last)
}
