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
		"分享 分享本文 分享此文 分享给朋友 分享给好友 分享链接 分享海报 转发 转发本文 转发到微博 转发至微博 复制链接 复制网址",
		"打印 打印本页 打印此页 打印本文 打印此文 打印文章 打印本稿 打印稿件 打印正文 打印预览 我要打印 列印 关闭窗口 关闭页面 关闭本页",
		"收藏 收藏本文 收藏此文 收藏文章 收藏本页 收藏此页 收藏本站 加入收藏 加入书签 设为首页 网站地图",
		"返回 返回顶部 回到顶部 返回首页 返回网站首页 返回频道首页 返回主页 返回列表 返回列表页 返回新闻列表 返回目录 返回正文 返回上级 返回上一级 返回上一层 返回上页 返回上一页 返回搜狐",
		"评论 评论区 评论列表 评论须知 评论加载中 评论已关闭 评论功能已关闭 评论内容为空 热门评论 最新评论 全部评论 精彩评论 网友评论 暂无评论 发表评论 我要评论 我有话说 查看评论 查看全部评论 条评论 抢沙发 还没有评论",
		"登录后评论 登录后发表评论 请登录后评论 请登录后发表评论 请先登录 我要纠错 内容纠错 我要举报 人打赏 人点赞 人收藏 人喜欢 人觉得有用",
		"展开全文 展开阅读全文 显示全文 收起全文 阅读全文 点击阅读全文 查看全文 阅读原文 点击阅读原文 查看原文 点击查看原文 原文链接 原文连结 原文网址 点击下载附件",
		"更多 看更多 查看更多 点击查看更多 点击加载更多 加载更多 更多精彩 更多精彩内容 看更多精彩 查看更多精彩内容 更多推荐 更多视频 更多图片 更多专题 更多动态 更多公告 更多活动",
		"识别二维码 长按识别二维码 长按二维码 扫描二维码 扫码关注 长按关注 转载请联系授权 转载请联系作者 如需转载请注明出处",
		"下载app 点我下载app 立即下载app 打开app 打开app阅读全文 打开app查看全文 打开app查看更多 app内打开 打开客户端 下载客户端",
		"加入line好友 加入粉丝团 请加入我们的粉丝团 按赞加入粉丝团 订阅电子报 请继续往下阅读",
		"字号 字体 字级 全文完 本文完 全文共 本文共 阅读约需 预计阅读时间 建议阅读时间",
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

const (
	controlGaps = " 　|丨｜/／·•[]【】()（）<>＞«»›:：…，。,.—-_+↑▲▼✓0123456789" // what may stand between words
	minButtons  = 2                                                  // in brackets, that are controls without a certain word
)

var (
	// controlLine is one in English, where few words tell by themselves, and the
	// mark that a text ends with.
	controlLine = regexp.MustCompile(`^(?i:(?:story continues below )?advertisement|(?:continue|keep) reading(?: below)?|(?:see|load|show|view) (?:more|(?:all )?comments)|(?:leave|add|post) a comment|no comments yet|` +
		`share (?:this(?: (?:article|story|page|post))?|(?:on|via) (?:facebook|twitter|x|linkedin|whatsapp|email))|follow us(?: on (?:facebook|twitter|x|instagram|google news))?|like us on facebook|` +
		`(?:print|email|save) this (?:page|article|story)|(?:log|sign) in to comment|subscribe now|sign up for our newsletter|back to top|skip to (?:main )?content|report this ad|copy link|download our app|end of article)[\s>»›↑…:]*$|` +
		`^[\s—_=\-\[【(（]*END[\s—_=\-\]】)）]*$`)
	// controlForm is one whose words say to what they lead.
	controlForm = regexp.MustCompile(`^(?:返回\s?\pL{0,6}(?:首页|主页|主站|列表|目录|栏目|论坛|图集|上页|前页|搜狐|电脑版|旧版)|更多(?:好文(?:推荐)?|热点|热门|要闻|消息|详情|详细|分享|操作|话题|作品|服务|阅读|专栏|频道|栏目|标签|关于.{0,12})|` +
		`(?:分享|转发|收藏|打印)(?:给微信好友|按钮|成功|该[文页]|该资讯|此文到|本页|本新闻|新闻|文章|微博|微信|朋友圈|页面|内容|当前页|帖子)|评论(?:功能|回复|内容|框|一下|数|排行|精选|专区|共有?\d+条|请文明发言|审核后显示|仅代表网友个人观点)|字号(?:减小|增大|大小|设置|选择))[\s>»›:：…]*$`)
	buttons = regexp.MustCompile(`^[\[【(（][^\[\]【】()（）]+[\]】)）](?:\s*[\[【(（][^\[\]【】()（）]+[\]】)）])+$`)
	// ordinal begins a heading, clockTime is of a date: a line of it and of
	// controls is one of the date.
	ordinal   = regexp.MustCompile(`^[(（]?\d+[.．、)）]`)
	clockTime = regexp.MustCompile(`\d{4}[-/.]\d|\d:\d\d`)
)

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
			return words == 0 && (word[0] < utf8.RuneSelf && controlLine.MatchString(text) || controlForm.MatchString(text))
		}
		words++
		most = max(most, w)
	}
	if most < certain && (words < minButtons || !buttons.MatchString(text)) {
		return false
	}
	gap := func(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune(controlGaps, r) }
	return words > 0 && strings.TrimFunc(text, gap) == "" && !ordinal.MatchString(text) && !clockTime.MatchString(text)
}

// heads says whether a tag is that of a heading.
func heads(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}
