package body

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// Short lines that begin and end a text as its own: a trimmed stretch of prose
// lacks them, since most short lines around a text are labels.
const (
	maxSalutation = 60 // runes
	minSignature  = 4
	maxSignature  = 30
	maxDateAlone  = 14
)

// addressees are in the salutations of notices and letters.
var addressees = []string{
	"单位", "部门", "政府", "办事处", "公司", "企业", "学校", "委员会", "各委办", "各镇", "各区", "各县", "各市", "处室", "科室", "同志", "朋友", "市民", "居民", "村民", "同学", "家长",
	"老师", "教师", "学生", "女士", "先生", "读者", "用户", "客户", "股东", "會員", "單位", "部門", "各位", "Dear ",
}

// edges widens the stretch [from, to) of a text in a container by the salutation
// and the first subheading before it, and by the signature of a notice after it.
func (l *layout) edges(at region, from, to int) (int, int) {
	for range 2 { // 各有关单位： may stand above a subheading
		if from > at.from && (l.blocks[from-1].salutes() || l.subheading(from-1, to)) {
			from--
		}
	}
	closed := strings.HasPrefix(l.blocks[to-1].text, "特此")
	if to < at.to && l.blocks[to].signs() && (closed || l.blocks[from].salutes() && to+1 < at.to && l.blocks[to+1].dateAlone()) {
		to++
	}
	return from, to
}

// salutes says whether a block addresses the readers of a notice.
func (b *block) salutes() bool {
	return b.plain() && b.runes <= maxSalutation && (strings.HasSuffix(b.text, "：") || strings.HasSuffix(b.text, ":")) &&
		slices.ContainsFunc(addressees, func(a string) bool { return strings.Contains(b.text, a) })
}

// subheading says whether block i is a heading like others in the text up to to.
func (l *layout) subheading(i, to int) bool {
	b := &l.blocks[i]
	switch b.tag {
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
	default:
		return false
	}
	return b.plain() && !b.titled && slices.ContainsFunc(l.blocks[i+1:to], func(o block) bool { return o.tag == b.tag && o.plain() })
}

// signs says whether a block may be the signature of a notice.
func (b *block) signs() bool {
	return b.plain() && !b.contact && b.marks == 0 && b.runes >= minSignature && b.runes <= maxSignature && !b.credit() && !b.labelled()
}

// dateAlone says whether a block is a date with its year, and nothing else.
func (b *block) dateAlone() bool {
	if b.runes > maxDateAlone {
		return false
	}
	d, ok := findDate(b.text)
	return ok && d.year != 0
}
