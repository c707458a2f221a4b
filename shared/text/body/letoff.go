package body

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"sluice/shared/text/segment"
)

// letOff takes back that blocks are furniture where they are paragraphs of the
// article in words that furniture has too: the ports of a country that must not
// be left 未经许可, the song whose 点击量 passes a million. They stand between
// paragraphs, or begin or end them, and read like sentences.
func letOff(blocks []block) {
	for i := 0; i < len(blocks); i++ {
		from := i
		for i < len(blocks) && blocks[i].mayBeLetOff() {
			i++
		}
		if i > from && withinText(blocks, from, i) {
			for j := from; j < i; j++ {
				blocks[j].furniture = false
			}
		}
	}
}

// mayBeLetOff says whether furniture may be text, by its own words.
func (b block) mayBeLetOff() bool {
	return b.furniture && !b.aside && !b.linked() && b.marks > 0 && (b.paired && b.runes > maxStart || b.told())
}

// withinText says whether the blocks [from, to) are set like text. Between two
// paragraphs they are; before or after them a notice may stand as well, so there
// the blocks have to tell something.
func withinText(blocks []block, from, to int) bool {
	after := from > 0 && blocks[from-1].paragraph()
	before := to < len(blocks) && blocks[to].paragraph()
	if after && before {
		return true
	}
	tell := !slices.ContainsFunc(blocks[from:to], func(b block) bool { return !b.told() })
	switch {
	case before && from > 0 && blocks[from-1].above():
		return tell || to == from+1 && blocks[from].runes > leadNotice
	case after:
		return tell && blocks[from].tag == atom.P && blocks[from-1].tag == atom.P
	}
	return before && from == 0 && tell
}

// leadNotice is how many runes a notice before the text has at most.
const leadNotice = 60

// above says whether a block is one that stands above a text.
func (b block) above() bool { return b.tag == atom.H1 || b.tag == atom.H2 || dateLine(b) }

// paragraph says whether a block is one of sentences.
func (b block) paragraph() bool { return b.prose() && b.marks > 0 && b.runes >= captionRunes }

// told says whether a block is a sentence that tells something, rather than one
// that speaks to the reader or of the site.
func (b block) told() bool {
	if b.runes < shortSentence || !endsSentence(b.text) || b.paired && b.runes <= maxStart {
		return false
	}
	lower := strings.ToLower(segment.Simplify(b.text))
	if labels(lower) {
		return false
	}
	return !slices.ContainsFunc(noticeWords, func(w string) bool { return strings.Contains(lower, w) })
}

const shortSentence = 8 // runes: shorter ones are the labels of buttons

// endsSentence says whether a text ends as sentences do, perhaps of a quotation.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, "”’」』）)")
	return strings.HasSuffix(text, "。") || strings.HasSuffix(text, "！") || strings.HasSuffix(text, "？")
}

// labels says whether a text begins with a word of furniture and a colon.
func labels(text string) bool {
	for _, start := range slices.Concat(furnitureStarts, wayStarts) {
		if after, ok := strings.CutPrefix(text, start); ok && (strings.HasPrefix(after, "：") || strings.HasPrefix(after, ":")) {
			return true
		}
	}
	return false
}

// noticeWords are those of sentences that speak to the reader, or of the site
// and its texts, in simplified characters: these are furniture wherever they
// stand.
var noticeWords = []string{
	"本网", "本站", "本报", "本文", "本页", "本人", "本刊", "本公众号", "原作者", "小编", "您", "请", "敬请", "欢迎关注", "谢绝", "谢谢",
	"转载", "侵删", "声明", "免责", "不代表", "仅代表", "仅供", "立场", "©", "all rights", "责任自负", "镜像", "违者",
	"扫一扫", "下载", "客户端", "登录", "观看", "查看", "阅读全文", "看全文", "看更多", "看视频", "了解更多", "详情", "收听", "收看", "订阅", "进入专题",
	"让更多人", "分享到", "分享给", "转发给", "更多精彩", "更多内容", "更多新闻", "更多资讯", "更多信息", "长按", "识别", "下方", "上方", "下图", "上图",
	"点击图", "点击大图", "点击放大", "点击播放", "点击视频", "点击链接", "点击进入", "点击这里", "点击关注", "点击阅读", "点击返回", "举报电话：", "举报邮箱：",
	"icp备0", "icp备1", "icp备2", "icp证0", "icp证1", "icp证b", "备案号", "facebook", "google plus", "粉丝专页", "关于我们", "联系我们", "版权声明",
}
