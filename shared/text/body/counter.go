package body

import (
	"regexp"
	"strings"
	"unicode"
)

// Counters say how often a page was read, and are made of nothing but that: 阅读
// 1.2万 评论 35. Their figures are others on every page, so no comparison of pages
// finds them, while their form is closed: a verb of readers and a figure. A
// sentence that tells how often something was read has other words, and one
// figure alone has to be of what readers do with a page: 播放 12次 may be a row of
// a table.
const (
	maxCounter = 60 // runes

	counterEdge = `[\s【\[(（<>《》|丨｜]*`
	counterGap  = `[\s　,，、|丨｜/／·•;；]*`
	figure      = `\d[\d,.]*\s*[万萬wWkK]?\+?`
	readWords   = `(?:阅读|閱讀|浏览|瀏覽|阅览|点击|點擊|访问|訪問|评论|評論|点赞|點讚|跟帖|跟贴|回复|回覆)(?:总?量|总?次?数|總?次?數|人[数數]|人次)?`
	otherWords  = `(?:查看|观看|觀看|播放|转发|轉發|分享|收藏|下载|热度|熱度|人气|人氣|喜欢|在看|围观|推荐|弹幕|赞|讚)(?:总?量|次?数|次?數|人[数數]|人次)?`
	countUnit   = `\s*(?:人次|次|个|個|条|條|人)?`
	pageWords   = `(?:(?:本文|本页|本頁|本帖|本稿|文章|页面|此文)[已被的]*)?(?:已|总|總|累计|共)?`
	pageButtons = `(?:打印|列印|关闭|分享|收藏|举报|转发|点赞|复制链接|返回顶部)`
)

var (
	readCounter  = counterOf(readWords)
	anyCounter   = counterOf(`(?:` + readWords + `|` + otherWords + `)`)
	loneCounter  = regexp.MustCompile(`^` + counterEdge + readCounter + counterEnd)
	manyCounters = regexp.MustCompile(`^` + counterEdge + anyCounter + `(?:` + counterGap + `[\[【(（]?(?:` + anyCounter + `|` + pageButtons + `)[\]】)）]?)+` + counterEnd)
	// A script fills in the figure: 浏览次数： 次
	emptyCounter = regexp.MustCompile(`^` + counterEdge + pageWords + `(?:阅读|閱讀|浏览|瀏覽|点击|點擊|访问|訪問)(?:次数|次數|数|數)\s*[:：]\s*次?` + counterEnd)
)

const counterEnd = `[\s】\])）>。]*$`

// counterOf returns the expression of one counter, its words before or after its
// figure.
func counterOf(words string) string {
	return `(?:` + pageWords + words + `\s*[:：]?\s*[(（\[]?\s*` + figure + countUnit + `[)）\]]?|(?:已有|共有|共)?` + figure + `\s*(?:人次|次|个|個|条|條|人|位网友)?\s*` + words + `)`
}

// isCounter says whether a block of so many runes is a line of counters.
func isCounter(text string, runes int) bool {
	if runes > maxCounter || !beginsCounter(text) {
		return false
	}
	if !strings.ContainsAny(text, "0123456789") {
		return strings.ContainsAny(text, ":：") && emptyCounter.MatchString(text)
	}
	return loneCounter.MatchString(text) || manyCounters.MatchString(text)
}

// beginsCounter says whether the first character of a text, its edge aside, may
// begin a counter.
func beginsCounter(text string) bool {
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9', strings.ContainsRune(counterFirst, r):
			return true
		case !unicode.IsSpace(r) && !strings.ContainsRune(counterEdges, r):
			return false
		}
	}
	return false
}

const (
	counterEdges = "【[(（<>《》|丨｜"
	// counterFirst begins pageWords, the words of counters, or 已有 and 共有.
	counterFirst = "本文页頁面此已总總累共阅閱浏瀏览點点访訪评評跟回查观觀播转轉分收下热熱人喜在围推弹赞讚"
)
