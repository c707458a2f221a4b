package body

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sluice/shared/text/segment"
)

// tailSeparators part a headline from the names of site and section.
var tailSeparators = []string{"_", "|", "｜", "-", "–", "—", "－", "・", "»", "<", "::"}

// separators are those of one character, but the dash that may begin a subtitle.
const separators = "_|｜-–－·»"

// siteWords end the names of sites and sections.
var siteWords = []string{
	"网", "網", "网站", "網站", "新闻", "新聞", "频道", "頻道", "日报", "日報", "晚报", "晚報", "时报", "時報", "中心", "在线", "線上", "门户", "资讯", "頭條", "头条", "要闻", "要聞",
	"财经", "体育", "娱乐", "科技", "首页", "博客", "论坛", "社区", "正文", "报", "報", "杂志", "雜誌", "周刊", "电视台", "卫视", "热线", ".com", ".cn", ".net", ".org", " online",
}

// withoutSiteTail cuts "_新浪网", "-中新网", " | BBC" off a title: as long as
// what follows the last separator looks like the name of a site or section, or
// follows a spaced one, and leaves a headline. A dash inside a headline
// stays.
func withoutSiteTail(title string) string { return pageTail{}.cut(title) }

// pageTail is what a page knows of the tail of its title: the name it gives the
// site, "" if none, its host, and its blocks, one of which may be the headline.
type pageTail struct {
	site   string
	host   string
	blocks []block
}

// tailParts is how many names a tail has at most: site and sections.
const tailParts = 4

const maxHeads = 12 // beginnings of a title that are looked for

// cut returns a title without its tail.
func (p pageTail) cut(title string) string {
	title = strings.TrimSpace(title)
	if head := p.shownHead(title); head != "" && !p.shows(title) {
		return head
	}
	for range tailParts {
		head, ok := p.cutSeparated(title)
		if i := strings.LastIndexAny(title, " 　·•"); !ok && i >= 0 {
			_, size := utf8.DecodeRuneInString(title[i:])
			head = strings.TrimSpace(title[:i])
			ok = p.named(head, strings.TrimSpace(title[i+size:]))
		}
		if !ok {
			break
		}
		title = head
	}
	return title
}

// shownHead returns the longest beginning of a title up to a separator that the page
// shows as a line of its own. It returns "" if there is none, or if the page shows more of
// what follows it: then the beginning names the site.
func (p pageTail) shownHead(title string) string {
	head, rest := p.shownBeginning(title, wholeHeadline)
	if head == "" || p.shows(rest) && width(rest) > width(head) {
		return ""
	}
	if more, _ := p.shownBeginning(rest, width(head)+1); more != "" {
		return ""
	}
	return head
}

// shownBeginning returns the longest beginning of a title up to a separator that has a
// width and that the page shows as a line, and what follows the separator.
func (p pageTail) shownBeginning(title string, least int) (head, rest string) {
	end := len(title)
	for range maxHeads {
		if end = strings.LastIndexAny(title[:end], separators); end < 0 {
			break
		}
		if head = strings.TrimSpace(title[:end]); width(head) >= least && p.shows(head) {
			_, n := utf8.DecodeRuneInString(title[end:])
			return head, strings.TrimSpace(title[end+n:])
		}
	}
	return "", ""
}

// withoutFront cuts the name of a site off the front of a title, where the page shows
// the rest as a line: 某某日报数字报-博览会推迟举行.
func (p pageTail) withoutFront(title string) string {
	at := strings.IndexAny(title, separators+":：")
	if at <= 0 || !isSiteName(strings.ToLower(segment.Simplify(strings.TrimSpace(title[:at])))) {
		return title
	}
	_, n := utf8.DecodeRuneInString(title[at:])
	if rest := strings.TrimSpace(title[at+n:]); width(rest) >= wholeHeadline && p.shows(rest) {
		return rest
	}
	return title
}

// cutSeparated cuts what follows the last separator.
func (p pageTail) cutSeparated(title string) (string, bool) {
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
		return title, false
	}
	name := strings.TrimSpace(tail)
	head := strings.TrimRight(title[:cut], " _-|—–:")
	if p.named(head, name) || strings.Count(name, ",") >= 2 && !strings.ContainsAny(name, " 。！？") { // keywords for search engines
		return head, width(head) >= leastHead
	}
	n, kept := width(name), width(head)
	cuts := spaced && n <= kept || n <= shortTail && isSiteName(strings.ToLower(name))
	return head, kept >= leastHead && utf8.RuneCountInString(name) <= longestName && cuts
}

const (
	leastHead     = 4  // width of any headline
	wholeHeadline = 8  // width from which words are a headline without what follows
	shortTail     = 12 // width of a name that needs no space before it
	longestName   = 20 // runes of any name
)

// named says whether the page calls its site so, or shows the rest of the title
// as a line of its own.
func (p pageTail) named(head, name string) bool {
	if name == "" || utf8.RuneCountInString(name) > longestName || width(head) < wholeHeadline {
		return false
	}
	return p.shows(head) || len(name) >= minHostName && strings.Contains(p.host, strings.ToLower(name)) ||
		p.site != "" && (strings.EqualFold(name, p.site) || isSiteName(strings.ToLower(name)) && strings.HasPrefix(name, p.site))
}

// shows says whether the page has the words as a line.
func (p pageTail) shows(words string) bool {
	return slices.ContainsFunc(p.blocks, func(b block) bool { return !b.linked() && sameLine(b.text, words) })
}

// isSiteName says whether a name in lower case ends like those of sites and
// sections do.
func isSiteName(name string) bool {
	return slices.ContainsFunc(siteWords, func(w string) bool { return strings.HasSuffix(name, w) })
}
