package compile

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// credit is a part of a text that says where it is from, not what it is about. In it
// are no words to learn.
type credit struct {
	may  func(text string) bool // whether the text may have one: to run the expression takes long
	expr *regexp.Regexp
}

var credits = []credit{
	// URLs, addresses of mail, and host names.
	{has("://"), regexp.MustCompile(`(?i)\b(?:https?|ftp)://[^\s\p{Han}，。；、）】》"'<>]+`)},
	{has("@"), regexp.MustCompile(`(?i)[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)},
	{mayHaveHost, regexp.MustCompile(`(?i)\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/[\w./?=&%#~+-]*)?`)},
	// 新华社北京3月5日电（记者张三）, 中新网３月５日讯 and the like.
	{mayHaveDateline, regexp.MustCompile(`(?m)^[\s　【（(]*[^\n，。]{0,30}?[\d０-９一二三四五六七八九十]\s*日\s*(?:[\p{Han}]{0,4})[电電讯訊][】）)]?`)},
	{mayHaveDateline, regexp.MustCompile(`[\d０-９]\s*日\s*[电電讯訊]`)},
	{has("(Reuters)", "(AP)", "(AFP)", "(UPI)", "(Xinhua)"), regexp.MustCompile(`(?m)^\s*\p{Lu}[\p{L} .,/]{1,40}\((?:Reuters|AP|AFP|UPI|Xinhua)\)\s*[-–—]`)},
	// (记者 张三 李四), [责任编辑：王五]
	{has(makers...), regexp.MustCompile(`[（(\[【][^（(\[【\n]{0,12}(?:` + strings.Join(makers, "|") + `)[^）)\]】\n]{0,60}[）)\]】]`)},
	// 本报记者 张三
	{has("记者"), regexp.MustCompile(`(?:本报|本网|本社|本刊|新华社|中新社|人民网)\p{Han}{0,6}记者[\s　:：]*\p{Han}{2,4}(?:、\p{Han}{2,3})*`)},
}

// makers are what a byline in brackets calls those who made the text.
var makers = []string{"记者", "記者", "编辑", "編輯", "作者", "通讯员", "责编", "来源", "來源", "实习生", "摄影", "撰文"}

// has returns the condition that a text has one of the words.
func has(words ...string) func(string) bool {
	return func(text string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
}

// mayHaveHost says whether a text has a dot that a letter follows.
func mayHaveHost(text string) bool {
	for _, after, ok := strings.Cut(text, "."); ok; _, after, ok = strings.Cut(after, ".") {
		if r, _ := utf8.DecodeRuneInString(after); unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}

// mayHaveDateline says whether a text has a day with the word for a report behind at
// most four Chinese characters.
func mayHaveDateline(text string) bool {
	for _, after, ok := strings.Cut(text, "日"); ok; _, after, ok = strings.Cut(after, "日") {
		between := 0
		for _, r := range strings.TrimLeftFunc(after, unicode.IsSpace) {
			if strings.ContainsRune("电電讯訊", r) {
				return true
			}
			if between++; between > 4 || !unicode.Is(unicode.Han, r) {
				break
			}
		}
	}
	return false
}

// creditLine is a line that names author, editor or source.
var creditLine = regexp.MustCompile(`(?i)^[\s　【（(\[]*(?:(?:新闻|文章|稿件|信息|内容)?来源|作者|记者|編輯|编辑|责任编辑|责编|主编|原标题|撰文|撰稿|通讯员|校对|审核|翻译|译者|摄影|文/|图/|文\s*[|｜:：]|via\b|by\s+\p{Lu}|written by|posted by|(?:author|editor|source)s?\s*:)`)

// creditRunes is the longest line that is a byline as a whole; of a longer one
// only the name at its beginning is.
const creditRunes = 60

// withoutCredits returns a text without datelines, bylines, URLs and the names
// of hosts.
func withoutCredits(text string) string {
	for _, part := range credits {
		if part.may(text) {
			text = part.expr.ReplaceAllString(text, "\n")
		}
	}
	var lines strings.Builder
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > creditRunes || !creditLine.MatchString(line) {
			lines.WriteString(line)
		}
	}
	return lines.String()
}
