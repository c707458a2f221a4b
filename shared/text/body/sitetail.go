package body

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tailSeparators part a headline from the names of site and section.
var tailSeparators = []string{"_", "|", "｜", "-", "–", "—", "－", "・", "»", "<", "::"}

// siteWords end the names of sites and sections.
var siteWords = []string{
	"网", "網", "网站", "網站", "新闻", "新聞", "频道", "頻道", "日报", "日報", "晚报", "晚報", "时报", "時報", "中心", "在线", "線上", "门户", "资讯", "頭條", "头条", "要闻", "要聞",
	"财经", "体育", "娱乐", "科技", "首页", "博客", "论坛", "社区", "正文", "报", "報", "杂志", "雜誌", "周刊", "电视台", "卫视", "热线", ".com", ".cn", ".net", ".org", " online",
}

// withoutSiteTail cuts "_新浪网", "-中新网", " | BBC" off a title: as long as
// what follows the last separator looks like the name of a site or section, or
// stands behind a spaced one, and leaves a headline. A dash inside a headline
// stays.
func withoutSiteTail(title string) string { return pageTail{}.cut(title) }

// pageTail is what a page knows of the tail of its title: the name it gives the
// site, "" if none, its host, and its blocks, which tell a name that looks like
// no other from words of the headline.
type pageTail struct {
	site   string
	host   string
	blocks []block
}

// tailParts is how many names a tail has at most: site, sections, keywords.
const tailParts = 4

// cut returns a title without its tail.
func (p pageTail) cut(title string) string {
	title = strings.TrimSpace(title)
	if p.shows(title) {
		return title
	}
	for range tailParts {
		head, ok := p.cutSeparated(title)
		if !ok {
			head, ok = p.cutSet(title)
		}
		if !ok {
			break
		}
		title = head
	}
	return title
}

// cutSeparated cuts what stands behind the last separator.
func (p pageTail) cutSeparated(title string) (string, bool) {
	cut, spaced := -1, false
	var tail, by string
	for _, sep := range tailSeparators {
		i := strings.LastIndex(title, sep)
		if i <= cut {
			continue
		}
		cut, tail, by = i, title[i+len(sep):], sep
		spaced = strings.HasPrefix(tail, " ") && strings.HasSuffix(title[:i], " ") || sep == "_"
	}
	if cut < 0 {
		return title, false
	}
	name := strings.TrimSpace(tail)
	head := strings.TrimRight(title[:cut], " _-|—–:")
	if p.named(head, name) || by != "—" && p.foreign(head, name) {
		return head, true
	}
	name = strings.ToLower(name)
	n, kept := width(name), width(head)
	site := isSiteName(name)
	if kept < 4 || !keywords(name) && (utf8.RuneCountInString(name) > 20 || !(site && n <= 12 || spaced && n <= kept)) {
		return title, false
	}
	return head, true
}

// cutSet cuts a name that is set apart by a space, a dot or brackets, as words
// of a headline may be: 《某某日报》, " 某某网".
func (p pageTail) cutSet(title string) (string, bool) {
	for _, brackets := range [][2]string{{"《", "》"}, {"【", "】"}, {"[", "]"}} {
		inner, ok := strings.CutSuffix(title, brackets[1])
		i := strings.LastIndex(inner, brackets[0])
		if !ok || i < 0 {
			continue
		}
		head, name := strings.TrimSpace(inner[:i]), inner[i+len(brackets[0]):]
		apart := strings.TrimRight(head, bookVerbs) == head
		if p.named(head, name) || apart && width(head) >= wholeHeadline && isSiteName(name) && !p.tells(name) {
			return head, true
		}
		return title, false
	}
	if i := strings.LastIndexAny(title, "·•"); i >= 0 {
		_, size := utf8.DecodeRuneInString(title[i:])
		head, name := strings.TrimSpace(title[:i]), strings.TrimSpace(title[i+size:])
		if p.named(head, name) || p.foreign(head, name) {
			return head, true
		}
	}
	if i := strings.LastIndexAny(title, " 　"); i >= 0 {
		head, name := strings.TrimSpace(title[:i]), strings.TrimSpace(title[i:])
		if p.named(head, name) || p.press(head, name) {
			return head, true
		}
	}
	return title, false
}

// bookVerbs end a headline that goes on with the name of a paper: 刊于《某某日报》.
const bookVerbs = "于在上登刊载见读写办订阅创致给向由对与和及、的"

const (
	wholeHeadline = 8  // width from which words are a headline without what follows
	shortName     = 4  // runes of a name that needs no word of siteWords
	latinName     = 20 // and of one in Latin letters behind a Chinese headline
	longestName   = 20 // runes of any name
)

// named says whether the page calls its site so, or shows the rest of the title
// as a line of its own, or names its owner so below.
func (p pageTail) named(head, name string) bool {
	if name == "" || utf8.RuneCountInString(name) > longestName || width(head) < wholeHeadline {
		return false
	}
	if p.shows(head) || len(name) >= minHostName && strings.Contains(p.host, strings.ToLower(name)) {
		return true
	}
	if p.site != "" && (strings.EqualFold(name, p.site) || isSiteName(strings.ToLower(name)) && strings.HasPrefix(name, p.site)) {
		return true
	}
	return slices.ContainsFunc(p.blocks, func(b block) bool {
		return b.furniture && utf8.RuneCountInString(name) > 2 && isSiteName(name) && strings.Contains(b.text, name)
	})
}

// shows says whether the page has the words as a line.
func (p pageTail) shows(words string) bool {
	return slices.ContainsFunc(p.blocks, func(b block) bool { return !b.linked() && sameLine(b.text, words) })
}

// press says whether a name behind a space is that of a paper or a site, which
// the text of the page does not know.
func (p pageTail) press(head, name string) bool {
	site := strings.HasSuffix(name, "网") && utf8.RuneCountInString(name) == 3 ||
		slices.ContainsFunc(pressWords, func(w string) bool { return strings.HasSuffix(name, w) })
	return site && len(p.blocks) > 0 && width(head) >= wholeHeadline && width(name) <= wholeHeadline && !p.tells(name)
}

// pressWords end the names of papers and sites, and nothing else.
var pressWords = []string{"日报", "日報", "晚报", "晚報", "时报", "時報", "晨报", "新闻网", "新聞網", "门户网站", "电视台"}

// foreign says whether a short name has nothing to do with the headline before
// it, which is one without it: the text of the page does not know it.
func (p pageTail) foreign(head, name string) bool {
	if len(p.blocks) == 0 || width(head) < wholeHeadline || p.tells(name) {
		return false
	}
	han, latin, other := 0, 0, 0
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case r < utf8.RuneSelf && unicode.IsLetter(r):
			latin++
		case !unicode.IsDigit(r) && r != ' ':
			other++
		}
	}
	n := utf8.RuneCountInString(name)
	switch {
	case other > 0 || strings.ContainsAny(name, serials):
		return false
	case han > 0:
		return n >= 2 && n <= shortName && !strings.Contains(name, " ")
	}
	first, _ := utf8.DecodeRuneInString(name)
	return latin >= 3 && n <= latinName && unicode.IsUpper(first) && width(head)*4 > utf8.RuneCountInString(head)*3
}

// serials are in the names of the parts of a series: 上篇, 第二集, 之三.
const serials = "篇集第之期部章节"

// tells says whether the text of the page has the words.
func (p pageTail) tells(words string) bool {
	return slices.ContainsFunc(p.blocks, func(b block) bool { return b.prose() && strings.Contains(b.text, words) })
}

// isSiteName says whether a name in lower case ends like those of sites and
// sections do.
func isSiteName(name string) bool {
	return slices.ContainsFunc(siteWords, func(w string) bool { return strings.HasSuffix(name, w) })
}

// keywords says whether the tail of a title is a list of them, which some sites
// put there for search engines: commas, and no space or sentence.
func keywords(tail string) bool {
	return strings.Count(tail, ",") >= 2 && !strings.ContainsAny(tail, " 。！？!?，")
}
