package body

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxDateSearch = 400 // bytes of a line that are searched for a date
	maxBeside     = 15  // runes beside the date of a line that tells little more than it
	beginsDate    = 20  // bytes before the date that a line begins with, perhaps after a label
)

// firstYear is the first that a page can have been published in.
const firstYear = 1990

// published finds the date of publication: in the metas and JSON-LD, then in
// the lines near the headline, below before above, then in the URL. A line
// with day and month alone takes the declared year, the one in the URL, or the latest that does not
// lie in the future. Dates before 1990 or more than a day after the fetch are not
// believed.
func published(below, above []block, m *metas, pageURL string, fetched time.Time) (time.Time, string) {
	plausible := func(d date) bool {
		return d.year >= firstYear && d.time().Before(fetched.Add(24*time.Hour))
	}
	var declared date
	for _, s := range m.dates {
		if d, ok := findDate(s); ok && plausible(d) {
			declared = d
			break
		}
	}
	if declared.clock {
		return declared.time(), declared.text
	}
	visible, ok := visibleDate(slices.Concat(below, above), plausible)
	if ok && visible.year == 0 {
		inURL, _ := urlDate(pageURL)
		if visible.year = cmp.Or(declared.year, inURL.year); visible.year == 0 {
			visible, ok = visible.withYear(fetched)
		}
	}
	if declared.month != 0 && !(ok && visible.day == declared.day && visible.month == declared.month && visible.year == declared.year) {
		return declared.time(), declared.text
	}
	if ok {
		return visible.time(), visible.text
	}
	if d, ok := urlDate(pageURL); ok && plausible(d) {
		return d.time(), d.text
	}
	return time.Time{}, ""
}

// visibleDate returns the first plausible date among the lines near
// the headline, before others one with a year and not of a revision.
func visibleDate(near []block, plausible func(date) bool) (date, bool) {
	var second date
	for _, b := range near {
		if b.tellsEvents() {
			continue
		}
		line := narrowDigits(b.text[:min(len(b.text), maxDateSearch)])
		for _, d := range findDates(line) {
			before := line[:d.at]
			switch {
			case !b.dates(d, before), d.year != 0 && !plausible(d), otherDay.MatchString(before):
			case d.year != 0 && !revised.MatchString(before):
				return d, true
			case second.month == 0:
				second = d
			}
		}
	}
	return second, second.month != 0
}

// What is right before dates of the page, of events and the visit, and of revisions.
var (
	dateLabel = regexp.MustCompile(`(?:发布|发表|公开|[^\p{Han}])(?:时间|日期|時間)[\s:：]*$`)
	otherDay  = regexp.MustCompile(`(?:今天是\s*|现在是\s*|截[止至][^\d]{0,9}|(?:会议|活动|报名|开标|比赛)(?:时间|日期)[\s:：]*|(?i:today is|deadline:)\s*)$`)
	revised   = regexp.MustCompile(`(?:(?:更新|修改)(?:时间|日期|時間|于|於)?|编辑于|(?i:updated|modified)(?: on)?)[\s:：]*$`)
)

// withYear completes a day whose year is not written by the latest year that puts
// it on a day there is, no later than the fetch.
func (d date) withYear(fetched time.Time) (date, bool) {
	for back := range 9 { // eight years hold a 29th of February, but around 2100
		if d.year = fetched.In(chinaTime()).Year() - back; d.valid() && !d.midnight().After(fetched) {
			return d, true
		}
	}
	return d, false
}

// tellsEvents says whether the dates in a block are those of events.
func (b *block) tellsEvents() bool {
	return b.furniture || b.runes > maxDateLine || b.prose() && strings.ContainsAny(b.text, "。！？")
}

// dates says whether a date in a block, behind the given text, can be the page's. In prose it is
// one of the events told of, unless the block is a line of date and source, which
// may be as long as a sentence.
func (b *block) dates(d date, before string) bool {
	if !b.prose() || d.at <= beginsDate || dateLabel.MatchString(before) {
		return true
	}
	beside := b.runes - utf8.RuneCountInString(d.text)
	return !strings.Contains(b.text, "，") && (beside <= maxBeside || d.year != 0 && d.clock && b.marks == 0 || namesMaker(b.text))
}

// The dates that many sites put into the path of an article: /2020/3/30/,
// /2020/03-30/, /2020/0330/, t20200330_.
var (
	urlSlashDate   = regexp.MustCompile(`/((?:19|20)\d\d)[-/_](\d\d?)[-/_](\d\d?)(?:[/_.-]|$)`)
	urlCompactDate = regexp.MustCompile(`(?:^|[^\d])((?:19|20)\d\d)[-/_]?(\d\d)[-/_]?(\d\d)(?:[^\d]|$)`)
)

// urlDate reads the date in the path of a URL.
func urlDate(pageURL string) (date, bool) {
	path, _, _ := strings.Cut(pageURL, "?")
	for _, form := range []*regexp.Regexp{urlSlashDate, urlCompactDate} {
		for _, m := range form.FindAllStringSubmatch(path, 4) {
			d := date{year: atoi(m[1]), month: atoi(m[2]), day: atoi(m[3]), text: m[1] + "-" + m[2] + "-" + m[3]}
			if d.valid() {
				return d, true
			}
		}
	}
	return date{}, false
}
