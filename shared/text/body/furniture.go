package body

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Furniture is in short blocks that are not the page's own text, in any
// container (METHOD A13): copyright, disclaimers, licences, sharing
// and navigation. Long blocks are let off: an article may quote such words.
//
// The lists are matched as plain strings: every block of every page is looked
// at, and one regular expression for all of them took nine tenths of the time.
// Words and beginnings are looked for in simplified characters; controls and what
// counts readers have lists of their own.
var (
	furnitureWords = []string{
		"copyright", "all rights reserved", "版权所有", "版权声明", "版权与免责", "版权归", "免责声明",
		"不代表本网", "不代表本站", "不代表本报", "不代表本人", "icp备", "icp证", "网安备", "广播电视节目制作", "增值电信业务", "友情链接",
		"转载请注明", "facebook专页", "粉丝专页", "google plus page", "内容仅供参考", "信息仅供参考", "资讯仅供参考", "支持ipv6", "仅提供信息存储",
	}
	furniturePairs = [][2]string{
		{"未经", "授权"}, {"未经", "许可"}, {"未经", "允许"}, {"未經", "授權"}, {"未經", "許可"}, {"禁止", "转载"}, {"不得", "转载"}, {"请勿", "转载"},
		{"谢绝", "转载"}, {"不得", "轉載"}, {"违法", "举报"}, {"不良", "举报"}, {"关于我们", "联系"}, {"关于我们", "版权"}, {"关于我们", "声明"}, {"不代表", "观点"}, {"不代表", "立场"}, {"不代表", "觀點"}, {"不代表", "立場"}, {"本文", "仅代表"}, {"文章", "仅代表"}, {"内容", "仅代表"}, {"仅代表", "作者"},
		{"不意味", "观点"}, {"不意味", "立场"}, {"扫描", "二维码"}, {"关注", "公众号"},
	}
	furnitureStarts = []string{
		"分享到", "分享至", "微信扫一扫", "扫一扫", "扫码", "点击", "上一篇", "下一篇", "上一页", "下一页",
		"更多精彩", "更多新闻", "更多资讯", "更多报道", "更多内容", "更多相关", "更多信息", "更多文章", "更多评论", "更多猛料",
		"相关阅读", "相关新闻", "相关链接", "相关报道", "相关文章", "相关专题", "热点推荐", "推荐阅读", "延伸阅读", "猜你喜欢", "热门推荐",
		"热门文章", "热门新闻", "免责条款", "我要评论", "网友评论", "发表评论", "欢迎来到", "欢迎您来到", "主办单位：", "技术支持：", "网站标识码",
		"您的位置", "当前位置", "您当前的位置", "您现在的位置", "所在位置", "首页>", "首页 >", "首页›", "首页»",
	}
)

const (
	maxFurniture = 200 // runes up to which a block can be furniture
	maxStart     = 40  // runes up to which its beginning can tell: 点击量 begins sentences too
	pairDistance = 45  // bytes between the words of a pair
)

// isFurniture says whether a block of so many runes is furniture by a word of
// its own or by how it begins.
func isFurniture(text string, runes int, c clues) bool {
	table := clueTable()
	if first, _ := utf8.DecodeRuneInString(text); runes <= maxStart && table.of(first)&startClue != 0 && hasStart(text, furnitureStarts) {
		return true
	}
	if c&wordClue == 0 || c&nextClue == 0 {
		return false
	}
	words := furnitureByFirst()
	for i, r := range text {
		if table.of(r)&wordClue == 0 {
			continue
		}
		for _, word := range words[unicode.ToLower(r)] {
			if rest := text[i:]; len(rest) >= len(word) && strings.EqualFold(rest[:len(word)], word) {
				return true
			}
		}
	}
	return false
}

// furnitureByFirst returns furnitureWords by their first characters.
var furnitureByFirst = sync.OnceValue(func() map[rune][]string {
	words := map[rune][]string{}
	for _, word := range furnitureWords {
		first, _ := utf8.DecodeRuneInString(word)
		words[first] = append(words[first], word)
	}
	return words
})

func hasStart(text string, starts []string) bool {
	return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(text, start) })
}

// pairsByFirst returns furniturePairs by their first characters.
var pairsByFirst = sync.OnceValue(func() map[rune][][2]string {
	pairs := map[rune][][2]string{}
	for _, pair := range furniturePairs {
		first, _ := utf8.DecodeRuneInString(pair[0])
		pairs[first] = append(pairs[first], pair)
	}
	return pairs
})

// hasPair says whether a block has two words that make furniture of it, though
// neither does alone. Of each word its first place counts.
func hasPair(text string) bool {
	table, pairs := clueTable(), pairsByFirst()
	for i, r := range text {
		if table.of(r)&pairClue == 0 {
			continue
		}
		for _, pair := range pairs[r] {
			after, ok := strings.CutPrefix(text[i:], pair[0])
			if !ok || strings.Index(text, pair[0]) < i {
				continue
			}
			if j := strings.Index(after, pair[1]); j >= 0 && j <= pairDistance {
				return true
			}
		}
	}
	return false
}

// namesFurniture says whether a part of a class or id names containers that hold no
// main text. A part must match whole: "sidebar" is one, "insidebar" is not.
func namesFurniture(part string) bool {
	switch part {
	case "nav", "navbar", "menu", "footer", "foot", "copyright", "sidebar", "breadcrumb", "crumb", "crumbs",
		"comment", "comments", "share", "related", "relate", "recommend", "rel", "hot", "rank", "pager", "pagination",
		"friendlink", "friendlinks", "advert", "ad", "ads", "toolbar", "login", "disclaimer":
		return true
	}
	return false
}

// markAside marks the blocks of the containers that are named like furniture,
// except those that hold most of the prose: names lie ("nav" around a whole
// page), and what remains without them would be furniture indeed.
func markAside(blocks []block, named []region) {
	if len(named) == 0 {
		return
	}
	prose := make([]int, len(blocks)+1)
	for i := range blocks {
		prose[i+1] = prose[i]
		if b := &blocks[i]; b.prose() {
			prose[i+1] += b.runes
		}
	}
	names := readNames(blocks)
	starts := make([]int, len(blocks)+1) // +1 where a marked region starts, −1 where one ends
	for _, r := range named {
		if (prose[r.to]-prose[r.from])*2 <= prose[len(blocks)] || !names.lie(r) {
			starts[r.from]++
			starts[r.to]--
		}
	}
	depth := 0
	for i := range blocks {
		depth += starts[i]
		blocks[i].aside = depth > 0
	}
}

// clean returns the blocks that are the document's: without lists of links,
// furniture, credits and the headline, which has a field of its own.
func clean(blocks []block, title string) []block {
	out := make([]block, 0, len(blocks))
	for i := range blocks {
		switch b := &blocks[i]; {
		case b.linked() && !b.insideProse(blocks, i), b.furniture, b.credit(), b.aside:
		case len(out) == 0 && (sameLine(b.text, title) || b.dateLine()), b.posted():
		default:
			out = append(out, *b)
		}
	}
	// Labels and dates left at the end belong to what came after the text.
	for len(out) > 0 && out[len(out)-1].trails() {
		out = out[:len(out)-1]
	}
	return out
}

// postedForm is how the line of date above a post of a thread begins.
var postedForm = regexp.MustCompile(`^(?:最[后後])?(?:发表|發表|发布|發布|编辑|編輯|回复|回覆)[于於][\s:：]*\d`)

// posted says whether a block is the date of a post, or of its last change.
func (b *block) posted() bool {
	return b.dateLine() && postedForm.MatchString(b.text)
}

// trails says whether a block belongs to what comes after a text.
func (b *block) trails() bool {
	return !b.prose() && (b.dateLine() || b.runes < 4)
}

// insideProse says whether the linked block i is between two of prose: a
// paragraph that is a link, as in some newsletters, rather than a list.
func (b *block) insideProse(blocks []block, i int) bool {
	return b.marks > 0 && !b.aside && i > 0 && i+1 < len(blocks) && blocks[i-1].prose() && blocks[i+1].prose()
}

// dateLine says whether a block is the line of date and source under a headline.
// One as long as a sentence has year and time, and nothing that sentences have.
func (b *block) dateLine() bool {
	if b.runes > 60 || b.clues&dateClue == 0 || b.prose() && separates(b.text) || b.row > 0 {
		return false
	}
	d, ok := findDate(b.text)
	return ok && (d.year != 0 && (d.clock || namesMaker(b.text)) || !b.prose())
}

// separates says whether a text has a mark that separates words; in 1,283 it does not.
func separates(text string) bool {
	for i, r := range text {
		if clueTable().of(r)&markClue != 0 && (r != ',' || i+1 == len(text) || text[i+1] < '0' || text[i+1] > '9') {
			return true
		}
	}
	return false
}

// sameLine says whether two lines are the same but for white space. Most blocks of
// a page are compared with its title: most differ in the first character.
func sameLine(a, b string) bool {
	if b == "" || a != "" && a[0] != b[0] && !beginsSpace(a[0]) && !beginsSpace(b[0]) {
		return false
	}
	for {
		a, b = strings.TrimLeftFunc(a, unicode.IsSpace), strings.TrimLeftFunc(b, unicode.IsSpace)
		if a == "" || b == "" {
			return a == b
		}
		_, n := utf8.DecodeRuneInString(a)
		if !strings.HasPrefix(b, a[:n]) {
			return false
		}
		a, b = a[n:], b[n:]
	}
}

// beginsSpace says whether white space may begin with a byte.
func beginsSpace(c byte) bool { return c <= ' ' || c >= 0xC2 && c <= 0xE3 }

// join puts the paragraphs together.
func join(blocks []block) string {
	size := 0
	for i := range blocks {
		size += len(blocks[i].text) + 1
	}
	var s strings.Builder
	s.Grow(size)
	for i, b := range blocks {
		if i > 0 {
			s.WriteByte('\n')
		}
		s.WriteString(b.text)
	}
	return s.String()
}
