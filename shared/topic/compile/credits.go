package compile

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Parts of a text that say where it is from, not what it is about. In them are
// no words to learn.
var credits = []*regexp.Regexp{
	// URLs, addresses of mail, and host names.
	regexp.MustCompile(`(?i)\b(?:https?|ftp)://[^\s\p{Han}，。；、）】》"'<>]+`),
	regexp.MustCompile(`(?i)[\w.+-]+@[\w-]+(?:\.[\w-]+)+`),
	regexp.MustCompile(`(?i)\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/[\w./?=&%#~+-]*)?`),
	// 新华社北京3月5日电（记者张三）, 中新网３月５日讯 and the like.
	regexp.MustCompile(`(?m)^[\s　【（(]*[^\n，。]{0,30}?[\d０-９一二三四五六七八九十]\s*日\s*(?:[\p{Han}]{0,4})[电電讯訊][】）)]?`),
	regexp.MustCompile(`[\d０-９]\s*日\s*[电電讯訊]`),
	regexp.MustCompile(`(?m)^\s*\p{Lu}[\p{L} .,/]{1,40}\((?:Reuters|AP|AFP|UPI|Xinhua)\)\s*[-–—]`),
	// (记者 张三 李四), [责任编辑：王五]
	regexp.MustCompile(`[（(\[【][^（(\[【\n]{0,12}(?:记者|記者|编辑|編輯|作者|通讯员|责编|来源|來源|实习生|摄影|撰文)[^）)\]】\n]{0,60}[）)\]】]`),
	// 本报记者 张三
	regexp.MustCompile(`(?:本报|本网|本社|本刊|新华社|中新社|人民网)\p{Han}{0,6}记者[\s　:：]*\p{Han}{2,4}(?:、\p{Han}{2,3})*`),
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
		text = part.ReplaceAllString(text, "\n")
	}
	var lines strings.Builder
	for line := range strings.Lines(text) {
		if !creditLine.MatchString(line) || utf8.RuneCountInString(line) > creditRunes {
			lines.WriteString(line)
		}
	}
	return lines.String()
}
