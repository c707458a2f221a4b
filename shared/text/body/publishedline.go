package body

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// rank is how much a date near the headline is to be believed as that of
// publication.
type rank int

const (
	otherDay  rank = iota // of an event or a term, or of the visit: 今天是
	revision              // 更新时间：
	plain                 // nothing said of it
	timed                 // 时间： alone, which events have as well
	announced             // 发布时间：
)

// What the words before a date say of it, beyond the labels of any date.
var (
	// Sites show the day of the visit in their heads.
	visitLabel = regexp.MustCompile(`(?i)(?:今天是|今日是|现在是|現在是|(?:现在|現在|当前|當前|目前|系统|系統)(?:时间|日期|時間)|(?:^|[^\p{Han}])(?:今日|今天)|\btoday(?: is|'s date)?)[\s　:：,，]*(?:(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]|[a-z]+day)?[\s　,，]*$`)
	termLabel  = regexp.MustCompile(`(?i)(?:(?:截止|截至)(?:到|于|於|日)?|[至自]|\b(?:deadline|due(?: date| by)?|expires?(?: on)?|until|event date))[\s　]*[:：]?[\s　]*$`)
	termEnd    = regexp.MustCompile(`^(?:之?前|起)|^[\s　]*(?:截?止|[至到][\s　]*\d)`)
	// 会议时间：, 报名日期：. A label follows no other: 来源： 新华网时间： is two.
	namedLabel = regexp.MustCompile(`(?:^|[^:：\s　][\s　]+|[|｜；;，,。（(【\[][\s　]*)(\p{Han}{2,16})(?:时间|日期|時間)[\s　]*[:：]?[\s　]*[(（\[【]?$`)
	// pageLabel ends the names of dates that are the page's own.
	pageLabel = regexp.MustCompile(`(?:发布|發布|發佈|发表|發表|公开|公開|公布|公佈|公告|刊发|刊登|刊载|发稿|發稿|登载|出版|见报|上传|录入|添加|创建|入库|上线|上网|推送|收录|采集|转载|轉載|` +
		`发文|發文|印发|成文|制发|签发|生成|产生|撰写|撰文|写作|投稿|供稿|更新|修改|修订|编辑|編輯|审核|審核|北京|文章|新闻|新聞|信息|稿件|本文|日志|发帖|日期|首发|撰稿|报道|報導|资讯)$`)
	publicLabel = regexp.MustCompile(`(?:^|[^\p{Han}])(?:信息|文章|稿件|新闻|新聞)?(?:公开|公開|公布|公佈|公告|刊登|刊载|登载|上传|录入|添加|上网)(?:时间|日期|時間)[\s　]*[:：][\s　]*[(（\[【]?$`)
	bareLabel   = regexp.MustCompile(`(?:^|[^\p{Han}])(?:时间|日期|時間)[\s　]*[:：][\s　]*[(（\[【]?$`)
	englishDay  = regexp.MustCompile(`(?i)\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s*$`)
	venueLabel  = regexp.MustCompile(`(?i)(?:地点|地點|会场|會場|主讲人?|主講人?|嘉宾|嘉賓|\bvenue|\blocation)[\s　]*[:：]`)
)

const maxLabelSearch = 60 // bytes before a date that may label it

// rankOf reads what a line says of a date in it.
func rankOf(d date, line string) rank {
	before := line[max(0, d.at-maxLabelSearch):d.at]
	if visitLabel.MatchString(before) || termLabel.MatchString(before) || termEnd.MatchString(line[min(len(line), d.at+len(d.text)):]) {
		return otherDay
	}
	if g := namedLabel.FindStringSubmatch(before); g != nil && !pageLabel.MatchString(g[1]) && !isSiteName(g[1]) {
		return otherDay
	}
	switch {
	case d.label == revised:
		return revision
	case d.label == issued && bareLabel.MatchString(before):
		return timed
	case d.label >= issued:
		return announced
	}
	return plain
}

// hasVenue says whether line i, or one beside it, names the place of an event.
func hasVenue(lines []block, i int) bool {
	return slices.ContainsFunc(lines[max(0, i-1):min(len(lines), i+2)], func(b block) bool {
		return b.runes <= maxDateLine && venueLabel.MatchString(b.text)
	})
}

// lineDates returns the dates of a line near the headline, the best first: also
// those in forms that mean a date there only. Chinese is whether the page is,
// where a year of two digits comes first.
func lineDates(line string, chinese bool) []date {
	dates := findDates(line)
	for i, d := range dates {
		dates[i].label = lineLabel(d.label, line[:d.at])
	}
	if strings.ContainsAny(line, "0123456789") {
		dates = append(dates, numericDates(line, chinese)...)
	}
	slices.SortStableFunc(dates, func(a, b date) int { return int(b.label) - int(a.label) })
	return dates
}

// lineLabel returns the label of a date behind the given text.
func lineLabel(known label, before string) label {
	before = before[max(0, len(before)-maxLabelSearch):]
	switch {
	case known != unlabeled:
		return known
	case publicLabel.MatchString(before):
		return stated
	}
	return labelBefore(englishDay.ReplaceAllString(before, ""))
}

var (
	// 24-03-15 08:32
	shortDate = regexp.MustCompile(`(?:^|[\s　:：|｜(（\[【])((\d\d)([-/])(\d\d)([-/])(\d\d))\b` + clockForm)
	// 113/03/15, 113年3月15日: years of the Republic of China
	minguoDate = regexp.MustCompile(`(?:^|[^\d])((1\d\d)\s*([-/.年])\s*(\d{1,2})\s*([-/.月])\s*(\d{1,2})\b)\s*日?` + clockForm)
	// 03/15/2024, 15.03.2024
	yearLast = regexp.MustCompile(`(?:^|[^\d./-])((\d{1,2})([-/.])(\d{1,2})([-/.])((?:19|20)\d\d)\b)` + englishTime)
)

// numericDates returns the dates of a line in digits whose order or era only
// their surroundings tell. Those that stay ambiguous, 03/04/2024, are none.
func numericDates(line string, chinese bool) []date {
	var found []date
	add := func(expr *regexp.Regexp, read func(g []string, l label) date) {
		for _, m := range expr.FindAllStringSubmatchIndex(line, maxDates) {
			l := lineLabel(labelBefore(line[:m[2]]), line[:m[2]])
			d := read(groups(line, m), l)
			d.at, d.label, d.text = m[2], l, strings.TrimSpace(line[m[2]:m[1]])
			if d.valid() {
				found = append(found, d)
			}
		}
	}
	if chinese {
		add(shortDate, func(g []string, l label) date {
			d := date{year: 2000 + atoi(g[2]), month: atoi(g[4]), day: atoi(g[6])}
			d.setClock(g[7:])
			if g[3] != g[5] || !d.clock && l < issued {
				return date{} // a score, a number of something
			}
			return d
		})
		add(minguoDate, func(g []string, l label) date {
			if paired := g[3] == g[5] || g[3] == "年" && g[5] == "月"; !paired || l < issued && !namesMaker(line) {
				return date{}
			}
			d := date{year: 1911 + atoi(g[2]), month: atoi(g[4]), day: atoi(g[6])}
			d.setClock(g[7:])
			return d
		})
	}
	add(yearLast, func(g []string, _ label) date {
		month, day := atoi(g[2]), atoi(g[4])
		if month > 12 {
			month, day = day, month
		} else if day <= 12 && day != month {
			return date{}
		}
		if g[3] != g[5] || month < 1 || month > 12 {
			return date{}
		}
		return englishDate(g[6], time.Month(month).String()[:3], strconv.Itoa(day), g[7:])
	})
	return found
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
