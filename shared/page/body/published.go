package body

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	aboveTitle  = 4   // blocks above the headline that may hold the date
	belowTitle  = 16  // and below it
	maxDateLine = 120 // runes of a line that may be one of date and source

	maxDateSearch = 1200 // bytes of a block that are searched for a date
	maxBeside     = 15   // runes beside the date of a line that tells little more than it
)

// firstYear is the first that a page can have been published in.
const firstYear = 1990

// published finds the date of publication: in the metas and JSON-LD, then in
// the lines near the headline, below before above, then in the URL. A line
// with day and month alone takes the year of the URL, of another date on the
// page, or the latest that does not lie in the future. Dates before 1990 or
// more than a day after the fetch are not believed.
func published(l *layout, m *metas, title, pageURL string, fetched time.Time) (time.Time, string) {
	plausible := func(d date) bool {
		return d.year >= firstYear && d.time().Before(fetched.Add(24*time.Hour))
	}
	var declared []date
	for _, s := range m.dates {
		if d, ok := findDate(s); ok && plausible(d) {
			declared = append(declared, d)
		}
	}
	if len(declared) > 0 && declared[0].clock {
		return declared[0].time(), declared[0].text
	}
	visible, ok := visibleDate(l.aroundTitle(title), plausible)
	if ok && visible.year == 0 {
		if len(declared) > 0 {
			visible.year = declared[0].year
		} else {
			visible, ok = l.withYear(visible, pageURL, title, fetched)
		}
	}
	if len(declared) > 0 {
		// The line on the page may know the time of the declared day.
		if d := declared[0]; !ok || visible.year != d.year || visible.month != d.month || visible.day != d.day {
			return d.time(), d.text
		}
	}
	if ok {
		return visible.time(), visible.text
	}
	if d, ok := urlDate(pageURL); ok && plausible(d) {
		return d.time(), d.text
	}
	return time.Time{}, ""
}

// nearTitle returns the short lines around the headline, in the order they are
// to be trusted.
func (l *layout) nearTitle(title string) []block {
	return slices.DeleteFunc(l.aroundTitle(title), func(b block) bool { return b.runes > maxDateLine || b.furniture })
}

// aroundTitle returns the blocks around the headline, those below it first,
// without links and without the headline itself (it may hold a date of its own).
// Without a headline on the page these are its first blocks.
func (l *layout) aroundTitle(title string) []block {
	at := slices.IndexFunc(l.blocks, func(b block) bool { return sameLine(b.text, title) && !b.linked() })
	below := l.blocks[at+1 : min(len(l.blocks), at+1+belowTitle)]
	above := l.blocks[max(0, at-aboveTitle):max(0, at)]
	return slices.DeleteFunc(slices.Concat(below, above), func(b block) bool { return b.linked() })
}

// visibleDate returns the first plausible date of the lines. One with a year is
// better than one without, unless that comes first and alone knows the time of
// day; a date of revision is the last resort.
func visibleDate(lines []block, plausible func(date) bool) (date, bool) {
	var partial, late date
	for _, b := range lines {
		line := b.text[:min(len(b.text), maxDateSearch)]
		if b.tellsEvents() && !dateWords.MatchString(line) {
			continue // most blocks, and to find dates takes time
		}
		for _, d := range findDates(line) {
			switch {
			case !b.dates(d):
			case d.year == 0:
				if partial.month == 0 && d.label != revised {
					partial = d
				}
			case !plausible(d):
			case d.label == revised:
				if late.month == 0 {
					late = d
				}
			case partial.clock && !d.clock && d.label < issued:
				return partial, true
			default:
				return d, true
			}
		}
	}
	if partial.month != 0 {
		return partial, true
	}
	return late, late.month != 0
}

// dateWords are in every label that makes a date stated.
var dateWords = regexp.MustCompile(`时间|日期|時間`)

// tellsEvents says whether the dates in a block without such a label are those
// of events.
func (b block) tellsEvents() bool {
	return b.furniture || b.runes > maxDateLine || b.prose() && strings.ContainsAny(b.text, "。！？")
}

// dates says whether a date in a block can be that of the page. In prose and
// furniture it is one of the events told of, unless its label says otherwise or
// the block is a line of date and source, which may be as long as a sentence.
func (b block) dates(d date) bool {
	switch {
	case d.label == stated:
		return true
	case b.tellsEvents():
		return false
	case !b.prose():
		return true
	case d.at <= len("发布时间：　")+2: // the line begins with it, perhaps after a label
		return true
	case strings.Contains(b.text, "，"):
		return false
	}
	beside := b.runes - utf8.RuneCountInString(d.text)
	return d.label != unlabeled || beside <= maxBeside || sourceForm.MatchString(b.text) || authorForm.MatchString(b.text)
}

var (
	urlSlashDate   = regexp.MustCompile(`/((?:19|20)\d\d)[-/_]?(\d\d?)[-/_](\d\d?)(?:[/_.-]|$)`)
	urlMixedDate   = regexp.MustCompile(`/((?:19|20)\d\d)/?(\d\d)[-/]?(\d\d)(?:[/_.-]|$)`)
	urlCompactDate = regexp.MustCompile(`(?:^|[^\d])((?:19|20)\d\d)(\d\d)(\d\d)(?:[^\d]|$)`)
)

// urlDate reads the date that many sites put into the path of an article:
// /2020/03-30/, /2020/0330/, /2020-03/30/, t20200330_.
func urlDate(pageURL string) (date, bool) {
	path, _, _ := strings.Cut(pageURL, "?")
	for _, form := range []*regexp.Regexp{urlSlashDate, urlMixedDate, urlCompactDate} {
		for _, m := range form.FindAllStringSubmatch(path, 4) {
			d := date{year: atoi(m[1]), month: atoi(m[2]), day: atoi(m[3]), text: m[1] + "-" + m[2] + "-" + m[3]}
			if d.valid() {
				return d, true
			}
		}
	}
	return date{}, false
}
