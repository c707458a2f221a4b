package body

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sluice/shared/text/segment"
)

var (
	sourceForm = regexp.MustCompile(`(?:稿件来源|信息来源|文章来源|消息来源|新闻来源|来源|來源|稿源|出处|(?:转|轉)(?:载|載)?自)\s*[:：/／]\s*([^\s　|｜,，。;；(（【<>]{2,30})`)
	authorForm = regexp.MustCompile(`(?:^|[^\p{Han}])(?:(?:作者|撰文|撰稿|文)\s*[:：/／]|(?:本报|实习|见习)?(?:记者|記者)(?:\s*[:：]|[\s　]))[\s　]*(?:(?:记者|記者)[\s　]+)?([\p{Han}·]{2,12}|[A-Za-z][A-Za-z.' -]{1,30})`)
	// (记者 张三) and 本报记者 张三 in the text itself: a gap is required, since
	// 记者了解到 is no name.
	reporterForm = regexp.MustCompile(`(?:记者|記者|通讯员)[\s　:：]+(\p{Han}{2,4})(?:[\s　)）、,，]|$)`)
	// (记者郭翔) needs none: the brackets end the name.
	bracketForm = regexp.MustCompile(`[(（]\p{Han}{0,8}(?:记者|記者)[\s　:：]*(\p{Han}{2,4}?)(?:报道|報道)?(?:[\s　、][^，。()（）]{0,30})?[)）]`)
	labelForm   = regexp.MustCompile(`^(?:(?:作者|文|来源|by|By|BY)\s*[:：]|本报记者|本報記者|记者|記者)\s*`)
	nameEnd     = regexp.MustCompile(`(?:责任?编辑|责编|编辑|来源|发布|时间|评论|阅读|浏览).*$`)
	mediumEnd   = regexp.MustCompile(`(?:作者|责任?编辑|责编|编辑|发布时间|时间)\s*[:：].*$|(?:参与互动|我要评论).*$`)
)

// byline finds author and source: the labelled lines near the headline first,
// since metas often name the site or its system, then the metas, then the
// reporter that the first or last paragraph names. 责任编辑 is no author.
func byline(l *layout, below, above []block, m *metas, title, pageURL string) (author, source string) {
	for _, b := range shortLines(below, above) {
		line := b.text
		if source == "" && hasAny(line, "源", "处", "自") {
			if g := sourceForm.FindStringSubmatch(line); g != nil {
				source = mediumName(g[1])
				if end := mediumEnd.FindString(g[1]); end != "" && author == "" {
					if a := authorForm.FindStringSubmatch(end); a != nil {
						author = personName(a[1])
					}
				}
			}
		}
		if author == "" && hasAny(line, "者", "文", "稿") && !strings.ContainsAny(line, "。？") {
			if g := authorForm.FindStringSubmatch(line); g != nil {
				author = personName(g[1])
			}
		}
	}
	if author == "" {
		author = englishAuthor(below, above, title)
	}
	if author == "" && !namesSite(m.author, m.title, title, pageURL) {
		author = m.author
	}
	if author == "" {
		author = reporter(l.blocks)
	}
	if source == "" {
		source = cmp.Or(m.source, mediumBeside(below))
	}
	return author, source
}

// mediumForm matches the names of newspapers, agencies and news sites.
var mediumForm = regexp.MustCompile(`^(?:(?:本文)?(?:来源于|來源於|来自|來自))?([\p{Han}A-Za-z0-9]{1,10}(?:网|網|报|報|社|新闻|新聞|周刊|週刊|杂志|雜誌|电视台|電視台|卫视|客户端))$`)

// otherForm matches the names of sections and other words that end as media do.
var otherForm = regexp.MustCompile(`^(?:国内|国际|社会|时政|财经|体育|娱乐|科技|军事|教育|公司|企业|行业|单位|部门|基层|学校|学院|校园|校内|院内|本地|本市|本县|本站|地方|图片|视频|综合|热点|最新|今日|工作|活动|媒体|重要)新闻$|(?:预|通|简|警)报$|(?:旅行|合作)社$|(?:互联|物联|车联|电|官|内|外)网$`)

// mediumBeside returns the medium that a line of date names right beside the date
// without a label: 2024年03月12日 08:15 青岭日报. "" for none.
func mediumBeside(below []block) string {
	for _, b := range shortLines(below, nil) {
		if b.marks > 0 || b.clues&dateClue == 0 {
			continue
		}
		line := narrowDigits(b.text)
		d, ok := findDate(line)
		if !ok || d.year == 0 {
			continue
		}
		before, after := strings.Fields(line[:d.at]), strings.Fields(line[d.at+len(d.text):])
		for _, near := range [][]string{before[max(0, len(before)-1):], after[:min(1, len(after))]} {
			if g := mediumForm.FindStringSubmatch(strings.Join(near, "")); g != nil && !otherForm.MatchString(segment.Simplify(g[1])) {
				return g[1]
			}
		}
	}
	return ""
}

// hasAny says whether a text has one of the characters, without which an
// expression need not be tried.
func hasAny(text string, characters ...string) bool {
	return slices.ContainsFunc(characters, func(c string) bool { return strings.Contains(text, c) })
}

// namesMaker says whether a line names a source or an author.
func namesMaker(line string) bool {
	return sourceForm.MatchString(line) || authorForm.MatchString(line) || englishByline(line) != ""
}

// namesSite says whether what a page declares for its author is its site: a list
// of words, a name that sites have, one in the tail of the <title>
// after the headline, or in the host.
func namesSite(author, pageTitle, headline, pageURL string) bool {
	lower := strings.ToLower(author)
	if lower == "" || strings.ContainsAny(lower, "_,，") || strings.Contains(lower, "网（") || isSiteName(lower) {
		return true
	}
	if tail, ok := strings.CutPrefix(pageTitle, headline); ok && strings.Contains(strings.ToLower(tail), lower) {
		return true
	}
	return len(lower) >= minHostName && strings.Contains(hostOf(pageURL), lower)
}

// minHostName is the length in bytes from which a name in a host is no accident.
const minHostName = 4

// reporter looks at the first and last paragraphs of prose.
func reporter(blocks []block) string {
	first, last := -1, -1
	for i, b := range blocks {
		if b.prose() {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return ""
	}
	for _, i := range []int{first, last} {
		text := blocks[i].text
		if i == last && len(text) > 200 {
			text = text[len(text)-200:]
		}
		if text = text[:min(len(text), 600)]; !hasAny(text, "记者", "記者", "通讯员") {
			continue // most texts, and the expressions take time
		}
		if name := bracketed(text); name != "" {
			return name
		}
		if g := reporterForm.FindStringSubmatch(text); g != nil {
			return g[1]
		}
	}
	return ""
}

// bracketed returns the first reporter named in brackets. Short phrases stand
// there too, （记者手记）, and the credits of pictures.
func bracketed(text string) string {
	g := bracketForm.FindStringSubmatch(text)
	if g == nil || strings.HasSuffix(g[1], "摄") {
		return ""
	}
	switch g[1] {
	case "手记", "观察", "调查", "摄影", "综合", "整理", "来信", "了解到", "获悉", "注意到", "发现", "报道", "编辑":
		return ""
	}
	return g[1]
}

// personName cleans the name of an author, "" if it is no name.
func personName(s string) string {
	s = nameEnd.ReplaceAllString(labelForm.ReplaceAllString(strings.TrimSpace(s), ""), "")
	s = strings.Trim(s, " 　:：,，|/()（）")
	if n := utf8.RuneCountInString(s); n < 2 || n > 40 || strings.Contains(s, "://") || strings.Contains(s, "@") || strings.Trim(s, "0123456789") == "" {
		return ""
	}
	switch strings.ToLower(s) {
	case "admin", "administrator", "webmaster", "editor", "author", "unknown", "佚名", "未知", "本站", "原创":
		return ""
	}
	return s
}

// mediumName cleans the name of a source.
func mediumName(s string) string {
	s = strings.TrimSpace(labelForm.ReplaceAllString(strings.TrimSpace(s), ""))
	s = strings.Trim(mediumEnd.ReplaceAllString(s, ""), " 　]】)）")
	if strings.HasPrefix(s, "《") {
		s = strings.NewReplacer("《", "", "》", "").Replace(s)
	}
	if n := utf8.RuneCountInString(s); n < 2 || n > 40 || strings.Contains(s, "://") {
		return ""
	}
	return s
}
