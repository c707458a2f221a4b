package body

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// creditLine matches the lines that name who made the page; their content goes
// to Author and Source, or nowhere.
var creditLine = regexp.MustCompile(`^[\s(（【\[]*(责任?编辑|責任?編輯|责编|責編|编辑|編輯|校对|监制|编审|审核|值班主任|来源|稿源|消息来源|(?:本文|文章|新闻)来源|作者|发布时间|發布時間|发布日期|更新时间|` +
	`图片来源|圖片來源|图源|圖源|(?:新闻|爆料|报料)(?:热线|电话))\s*[:：]|^[(（]\p{Han}{2,4}[\s　]*(编辑|編輯)[)）]$`)

// originalTitle begins the headline under which a text stood elsewhere; tagLabel
// the tags of a page, where they stand at an end of its text: elsewhere 关键词
// begins headings.
var (
	originalTitle = regexp.MustCompile(`^[\s(（【\[]*原[标標][题題]\s*[:：]`)
	tagLabel      = regexp.MustCompile(`^(?:标签|標籤|关键[词字]|關鍵[詞字]|(?i:tags?))\s*[:：]`)
)

// Rolls of credits have names only, with or without colons: 责编 赵某 校对 周某.
// One role without a colon has to be the editor's own word: 编辑 工作 is a heading.
const (
	creditName = `(?:[\p{Han}·]{1,6}|[A-Za-z][A-Za-z.]{1,14})`
	creditPair = `\p{Han}{2,4}(?:[、\s　]+\p{Han}{2,4})?`
	creditGap  = `(?:[\s　]*[:：/／丨|｜][\s　]*|[\s　]+)`
	creditRole = `(?:责任编辑|責任編輯|(?:执行|執行|值班|实习|见习|本期|图片|图文|视频|新媒体|微信|美术|文字)?(?:编辑|編輯)|责编|責編|美编|美編|图编|文编|编审|編審|(?:责任)?校[对對核]|` +
		`[初复複终終一二三][审審]|审[核校读签定]|審[核校讀簽]|签发|簽發|(?:总)?监制|總?監製|出品人?|总?策划|統籌|统筹|(?:副|执行|值班)?主编|(?:副|執行|值班)?主編|值班(?:主任|总编|编委)|总编辑|` +
		`排版|制图|製圖|制作|製作|设计|設計|剪辑|剪輯|摄影|攝影|摄像|视频|海报|配音|播音|主播|记者|記者|通讯员|作者|撰文|撰稿|供稿|供图|采写|編譯|编译|来源|稿源|文字?|图片?|文/图)`
	creditEntry = creditRole + creditGap + creditName + `(?:[、,，\s　]+` + creditName + `){0,3}`
)

var (
	creditRoll = regexp.MustCompile(`^[\s(（【\[]*` + creditEntry + `(?:[\s　;；,，|丨｜/／]+` + creditEntry + `)+[\s)）】\]。]*$`)
	editorLine = regexp.MustCompile(`^[\s(（【\[]*(?:责任编辑|責任編輯|责编|責編|值班编辑)` + creditGap + creditPair + `[\s)）】\]。]*$`)
	namedRole  = regexp.MustCompile(`^[\s(（【\[]*(?:\p{Han}{2,3}(?:编辑|編輯)|签发|簽發|评论员|評論員|总?策划|统筹|統籌)\s*[:：]\s*` + creditPair + `[\s)）】\]]*$`)
	editorRole = regexp.MustCompile(`责编|責編|编辑|編輯|校[对對]|[审審][核校]|[初终終][审審]|[编編][审審]|监制|監製|签发|簽發|主[编編]`)
)

const (
	maxCredit = 40 // runes of one with a label and anything after it
	maxRoll   = 80 // and of several in a row
	maxTitled = 60 // of one with a headline
)

// credit says whether a block names who made the page, and nothing else. Most
// blocks have none of the characters that such lines have.
func (b block) credit() bool {
	short := b.runes <= maxCredit && b.clues&closeClue != 0
	if short && creditLine.MatchString(b.text) {
		return !saysAfterLabel(b.text)
	}
	if b.runes <= maxTitled && b.clues&originClue != 0 && originalTitle.MatchString(b.text) {
		return true
	}
	if short && namedRole.MatchString(b.text) {
		return true
	}
	return b.runes <= maxRoll && b.clues&roleClue != 0 && editorRole.MatchString(b.text) && (creditRoll.MatchString(b.text) || editorLine.MatchString(b.text))
}

// tags says whether a block lists the tags of its page.
func (b block) tags() bool {
	return b.runes <= maxCredit && b.clues&closeClue != 0 && !heads(b.tag) && tagLabel.MatchString(b.text) && !saysAfterLabel(b.text)
}

// saysAfterLabel says whether a sentence follows what looks like the label of a
// credit: 编辑：这个职业正在消失吗？
func saysAfterLabel(text string) bool {
	_, after, _ := strings.Cut(strings.Replace(text, "：", ":", 1), ":")
	return endsSentence(after) && utf8.RuneCountInString(after) > maxName && !strings.ContainsAny(after, ":： 　")
}

const maxName = 6 // runes of the name in a credit, and its full stop
