package body

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
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
	at := slices.IndexFunc(l.blocks, func(b block) bool { return sameLine(b.text, title) && !b.linked() })
	below = lines(l.blocks[at+1 : min(len(l.blocks), at+1+belowTitle)])
	above = lines(l.blocks[max(0, at-aboveTitle):max(0, at)])
	return below, above
}

// lines returns the blocks that may say who made a page and when: each label in
// a cell of its own together with what stands in the next, and no links but
// those that are led by the label of a source or an author.
func lines(blocks []block) []block {
	var out []block
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		if i+1 < len(blocks) && b.isLabelOf(blocks[i+1]) {
			b = b.labelling(blocks[i+1])
			i++
		}
		if !b.linked() || b.runes <= maxDateLine && makerLine.MatchString(b.text) {
			out = append(out, b)
		}
	}
	return out
}

// makerLine matches lines that name a source or an author, be it in a link.
var makerLine = regexp.MustCompile(`^[\s(（【\[]*(?:(?:(?:稿件|信息|文章|消息|新闻)?来源|來源|稿源|出处|(?:转|轉)(?:载|載)?自|作者|撰文|撰稿)[\s　]*[:：]|(?:[Bb]y|BY)\s)`)

const (
	maxCellLabel = 8  // runes of a label that has a cell of its own
	maxCellValue = 40 // and of what it stands for
)

// cellLabel matches the labels that tables also write without a colon. 时间
// alone is none: it heads the column of a timetable as well.
var cellLabel = regexp.MustCompile(`^(?:(?:信息|稿件|文章)?来源|來源|稿源|作者|(?:发布|發布|發佈|公开|公開)(?:时间|日期|時間))$`)

// isLabelOf says whether a block is a label and the next what it stands for.
func (b block) isLabelOf(next block) bool {
	if b.runes > maxCellLabel || next.runes > maxCellValue || endsLabel(next.text) || b.linked() {
		return false
	}
	return endsLabel(b.text) || b.inCell() && next.inCell() && cellLabel.MatchString(b.text) && !cellLabel.MatchString(next.text)
}

func endsLabel(text string) bool {
	return strings.HasSuffix(text, "：") || strings.HasSuffix(text, ":")
}

func (b block) inCell() bool {
	switch b.tag {
	case atom.Td, atom.Th, atom.Dt, atom.Dd:
		return true
	}
	return false
}

// labelling returns the line of a label and its value. The value may be a link:
// to a medium, or to what else an author wrote.
func (b block) labelling(value block) block {
	label := b.text
	if !endsLabel(label) {
		label += "："
	}
	value.text = label + value.text
	value.runes += utf8.RuneCountInString(label)
	value.links = 0
	value.clues |= b.clues | closeClue
	return value
}

// leading returns the lines before the text: those up to its paragraph of the
// given number. What stands behind may belong to another article.
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
func (b block) isParagraph() bool {
	text := strings.TrimRight(b.text, `"”’」』）)`)
	last, _ := utf8.DecodeLastRuneInString(text)
	return b.prose() && strings.ContainsRune("。！？.!?", last)
}
