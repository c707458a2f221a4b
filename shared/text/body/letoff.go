package body

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// letOff takes back that blocks are furniture where they are paragraphs of the
// article in words that furniture has too: the ports of a country that must not
// be left 未经许可, the song whose 点击量 passes a million. They stand between two
// paragraphs and read like sentences.
func letOff(blocks []block) {
	for i := 0; i < len(blocks); i++ {
		from := i
		for i < len(blocks) && blocks[i].mayBeLetOff() {
			i++
		}
		if from == 0 || i == from || i == len(blocks) || !blocks[from-1].paragraph() || !blocks[i].paragraph() {
			continue
		}
		for j := from; j < i; j++ {
			blocks[j].furniture = false
		}
	}
}

// mayBeLetOff says whether furniture may be text, by its own words.
func (b *block) mayBeLetOff() bool {
	return b.furniture && !b.aside && !b.linked() && b.marks > 0 && (b.paired && b.runes > maxStart || b.tells())
}

// paragraph says whether a block is one of sentences.
func (b *block) paragraph() bool { return b.prose() && b.marks > 0 && b.runes >= captionRunes }

const shortSentence = 8 // runes: shorter ones are the labels of buttons

// tells says whether a block is a sentence that tells something, rather than one
// that speaks to the reader or of the site.
func (b *block) tells() bool {
	if b.runes < shortSentence || !endsSentence(b.text) || b.paired && b.runes <= maxStart {
		return false
	}
	return b.reports()
}

// speaks says whether a text in lower case speaks to the reader, or of the site.
func speaks(lower string) bool {
	return slices.ContainsFunc(noticeWords, func(w string) bool { return strings.Contains(lower, w) })
}

// endsSentence says whether a text ends as sentences do, perhaps of a quotation.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, "”’」』）)»\"'")
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune("。！？.!?", last)
}

// labels says whether a text begins with a word of furniture and a colon.
func labels(text string) bool {
	for _, start := range furnitureStarts {
		if after, ok := strings.CutPrefix(text, start); ok && (strings.HasPrefix(after, "：") || strings.HasPrefix(after, ":")) {
			return true
		}
	}
	return false
}

// noticeWords are those of sentences that speak to the reader, or of the site
// and its texts, in simplified characters.
var noticeWords = []string{
	"本网", "本站", "本报", "本文", "小编", "您", "请", "欢迎关注", "转载", "声明", "免责", "不代表", "仅代表", "仅供", "©", "all rights",
	"扫一扫", "下载", "客户端", "登录", "观看", "查看", "看更多", "分享到", "更多精彩", "长按", "识别", "下方", "点击图", "icp备1", "icp备0",
}
