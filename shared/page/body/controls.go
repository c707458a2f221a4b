package body

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Controls are what a page offers its readers beside the text: to print it and
// to close it, to praise it, to sign in, to read on elsewhere. Their lines have
// nothing but such words, and figures: 点赞(3) 收藏 转发.
const maxControl = 40 // runes

// weight says how much a word makes a control of its line.
type weight uint8

const (
	possible weight = iota + 1 // it may stand beside one
	likely                     // it is one, if there is another word; alone it may be a heading
	certain                    // it is one
)

var controlWords = weigh(map[weight]string{
	certain: "分享 转发 收藏 打印 评论 评论内容为空 字号 更多 返回 打印本页 打印本文 打印文章 打印此页 关闭窗口 关闭页面 关闭本页 收藏本文 收藏文章 收藏本页 加入收藏 加入书签 设为首页 返回顶部 回到顶部 返回首页 返回列表 返回上页 返回上一页 网站地图 " +
		"我要纠错 内容纠错 我要举报 我要评论 我有话说 热门评论 最新评论 全部评论 精彩评论 网友评论 暂无评论 发表评论 查看评论 查看全部评论 条评论 登录后发表评论 登录后评论 请登录后评论 请登录后发表评论 请先登录 还没有评论 抢沙发 " +
		"人打赏 人点赞 人收藏 人喜欢 人觉得有用 展开全文 展开阅读全文 显示全文 收起全文 阅读全文 点击阅读全文 查看全文 阅读原文 点击阅读原文 查看原文 点击查看原文 原文链接 原文连结 原文网址 " +
		"查看更多 点击查看更多 点击加载更多 加载更多 看更多 更多精彩 更多精彩内容 看更多精彩 查看更多精彩内容 复制链接 复制网址 点击下载附件 " +
		"长按识别二维码 识别二维码 长按二维码 扫描二维码 扫码关注 长按关注 下载app 打开app 点我下载app 立即下载app 打开app阅读全文 打开app查看全文 打开app查看更多 app内打开 打开客户端 下载客户端 " +
		"加入line好友 加入粉丝团 请加入我们的粉丝团 按赞加入粉丝团 订阅电子报 请继续往下阅读 转载请联系授权 转载请联系作者 如需转载请注明出处 " +
		"全文完 本文完 全文共 本文共 阅读约需 预计阅读时间 建议阅读时间",
	likely:   "列印 关闭 点赞 举报 纠错 打赏 留言 字体 字级 附件下载 手机看 朋友圈 qq空间 新浪微博 腾讯微博",
	possible: "赞 踩 顶 喜欢 关注 收起 展开 在看 推荐 登录 注册 首页 上一篇 下一篇 没有了 大 中 小 特大 超大 放大 缩小 默认 正常 微信 微博 微信好友 qq 豆瓣 facebook twitter line 此页 本页 窗口 人 次 条 个 字 约 需 分钟 秒",
})

// controlLine is one in English, where few words tell by themselves, and the
// mark that a text ends with.
var controlLine = regexp.MustCompile(`^(?i:[^\pL]*(?:(?:story continues below )?advertisement|(?:continue|keep) reading(?: below)?|(?:see|load|show|view) (?:more|(?:all )?comments)|(?:leave|add|post) a comment|no comments yet|` +
	`share (?:this(?: (?:article|story|page|post))?|(?:on|via) (?:facebook|twitter|x|linkedin|whatsapp|email))|follow us(?: on (?:facebook|twitter|x|instagram|google news))?|like us on facebook|` +
	`(?:print|email|save) this (?:page|article|story)|(?:log|sign) in(?: to comment)?|subscribe now|sign up for our newsletter|back to top|skip to (?:main )?content|report this ad|copy link|download (?:the|our) app|end of article)[^\pL]*)$|^[^\pL\d]*END[^\pL\d]*$`)

func weigh(lists map[weight]string) map[string]weight {
	weights := make(map[string]weight)
	for w, words := range lists {
		for word := range strings.FieldsSeq(words) {
			weights[word] = w
		}
	}
	return weights
}

// isControl says whether a block of so many runes, in simplified characters, is
// a line of controls.
func isControl(text string, runes int) bool {
	if runes > maxControl {
		return false
	}
	words, most := 0, weight(0)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		w := controlWords[strings.ToLower(word)]
		if w == 0 {
			return word[0] < utf8.RuneSelf && words == 0 && controlLine.MatchString(text)
		}
		words++
		most = max(most, w)
	}
	return most == certain || most == likely && words > 1
}
