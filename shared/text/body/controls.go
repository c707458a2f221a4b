package body

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// Controls are what a page offers its readers beside the text: to print it and
// to close it, to praise it, to sign in, to read on elsewhere. Their lines have
// nothing but such words, and figures: 点赞(3) 收藏 转发. A heading, the item of a
// list and the cell of a table of data are none: a text that explains an app has
// such words there.
const maxControl = 40 // runes

// weight says how much a word makes a control of its line.
type weight uint8

const (
	possible weight = iota + 1 // it may stand beside one
	certain                    // it is one
)

var controlWords = weigh(map[weight][]string{
	certain: {
		"分享 分享本文 转发 转发本文 复制链接 打印 打印本页 打印本文 关闭窗口 关闭本页 收藏 收藏本文 加入收藏 设为首页 网站地图",
		"返回 返回顶部 回到顶部 返回首页 返回列表 返回目录 返回上一页",
		"评论 热门评论 最新评论 全部评论 网友评论 暂无评论 发表评论 我要评论 我有话说 查看评论 条评论 登录后评论 请先登录 我要纠错 我要举报",
		"展开全文 阅读全文 点击阅读全文 查看全文 阅读原文 查看原文 原文链接 更多 查看更多 点击查看更多 加载更多 更多精彩",
		"长按识别二维码 扫码关注 打开app 打开app阅读全文 打开app查看全文 下载app 打开客户端 下载客户端 字号 字体 全文完 本文完",
	},
	possible: {
		"关闭 点赞 赞 踩 顶 举报 纠错 打赏 喜欢 关注 留言 收起 展开 在看 推荐 登录 注册 复制 附件下载 首页 上一篇 下一篇 没有了 手机看",
		"大 中 小 特大 超大 放大 缩小 增大 减小 默认 正常 t a 此页 本页 窗口",
		"微信 微博 微信好友 朋友圈 qq qq空间 新浪微博 腾讯微博 豆瓣 facebook twitter line",
		"人 次 条 个 字 约 需 分钟 秒 more",
	},
})

func weigh(lists map[weight][]string) map[string]weight {
	weights := make(map[string]weight)
	for w, lines := range lists {
		for word := range strings.FieldsSeq(strings.Join(lines, " ")) {
			weights[word] = w
		}
	}
	return weights
}

// controlGaps may stand between words.
const controlGaps = " 　|丨｜/／·•[]【】()（）<>＞«»›:：…，。,.—-_+↑▲▼✓0123456789"

// controlLine is one in English, where few words tell by themselves, and the
// mark that a text ends with.
var controlLine = regexp.MustCompile(`^(?i:(?:story continues below )?advertisement|(?:leave|add|post) a comment|share this(?: (?:article|story|page|post))?|sign up for our newsletter|back to top)[\s>»›↑…:]*$|` +
	`^[\s—_=\-\[【(（]*END[\s—_=\-\]】)）]*$`)

// clockTime is of a date: a line of it and of controls is one of the date.
var clockTime = regexp.MustCompile(`\d{4}[-/.]\d|\d:\d\d`)

// isControl says whether a block of so many runes, in simplified characters, is
// a line of controls.
func isControl(text string, runes int, tag atom.Atom) bool {
	if runes > maxControl || heads(tag) || tag == atom.Li || !beginsControl(text) {
		return false
	}
	words, most := 0, weight(0)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		w := controlWords[strings.ToLower(word)]
		if w == 0 {
			return words == 0 && word[0] < utf8.RuneSelf && controlLine.MatchString(text)
		}
		words++
		most = max(most, w)
	}
	gap := func(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune(controlGaps, r) }
	return most == certain && strings.TrimFunc(text, gap) == "" && !clockTime.MatchString(text)
}

// heads says whether a tag is that of a heading.
func heads(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}
