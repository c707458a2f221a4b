package body

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"sluice/shared/page"
)

// headline returns the title of the document: the heading on the page that the
// <title> begins with, else the <title> without the site's tail, else the
// first <h1>.
func headline(l *layout, m *metas, hint *page.Page) string {
	title := hint.Title
	if title == "" {
		title = m.title
	}
	firstH1 := ""
	for _, b := range l.blocks {
		if b.tag != atom.H1 && b.tag != atom.H2 && b.tag != atom.H3 || b.aside {
			continue
		}
		if b.tag == atom.H1 && firstH1 == "" {
			firstH1 = b.text
		}
		if n := utf8.RuneCountInString(b.text); n >= 5 && strings.HasPrefix(title, b.text) {
			return b.text
		}
	}
	if title == "" {
		return firstH1
	}
	return withoutSiteTail(title)
}

// tailSeparators part a headline from the names of site and section.
var tailSeparators = []string{"_", "|", "｜", "-", "–", "—", "－", "・", "»", "<"}

// siteWords end the names of sites and sections.
var siteWords = []string{
	"网", "網", "网站", "網站", "新闻", "新聞", "频道", "頻道", "日报", "日報", "晚报", "晚報", "时报", "時報", "中心", "在线", "線上", "门户", "资讯", "頭條", "头条", "要闻", "要聞",
	"财经", "体育", "娱乐", "科技", "首页", "博客", "论坛", "社区", "正文", "报", "報", "杂志", "雜誌", "周刊", "电视台", "卫视", ".com", ".cn", ".net", ".org", " online",
}

// withoutSiteTail cuts "_新浪网", "-中新网", " | BBC" off a title: as long as
// what follows the last separator looks like the name of a site or section, or
// stands behind a spaced one, and leaves a headline. A dash inside a headline
// stays.
func withoutSiteTail(title string) string {
	title = strings.TrimSpace(title)
	for range 4 {
		cut, spaced := -1, false
		var tail string
		for _, sep := range tailSeparators {
			i := strings.LastIndex(title, sep)
			if i <= cut {
				continue
			}
			cut, tail = i, title[i+len(sep):]
			spaced = strings.HasPrefix(tail, " ") && strings.HasSuffix(title[:i], " ") || sep == "_"
		}
		if cut < 0 {
			return title
		}
		tail = strings.ToLower(strings.TrimSpace(tail))
		head := strings.TrimRight(title[:cut], " _-|—–")
		n, kept := width(tail), width(head)
		site := isSiteName(tail)
		if kept < 4 || !keywords(tail) && (utf8.RuneCountInString(tail) > 20 || !(site && n <= 12 || spaced && n <= kept)) {
			return title
		}
		title = head
	}
	return title
}

// isSiteName says whether a name in lower case ends like those of sites and
// sections do.
func isSiteName(name string) bool {
	return slices.ContainsFunc(siteWords, func(w string) bool { return strings.HasSuffix(name, w) })
}

// width is the length of a text in Chinese characters; others are half as wide.
func width(text string) int {
	half := 0
	for _, r := range text {
		half++
		if unicode.Is(unicode.Han, r) {
			half++
		}
	}
	return (half + 1) / 2
}

// keywords says whether the tail of a title is a list of them, which some sites
// put there for search engines: commas, and no space or sentence.
func keywords(tail string) bool {
	return strings.Count(tail, ",") >= 2 && !strings.ContainsAny(tail, " 。！？!?，")
}
