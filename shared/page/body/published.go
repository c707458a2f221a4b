package body

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	aboveTitle  = 4   // blocks above the headline that may hold the date
	belowTitle  = 16  // and below it
	maxDateLine = 120 // runes of a line that may be one of date and source
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
	visible, ok := visibleDate(l.nearTitle(title), plausible)
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

// nearTitle returns the short lines around the headline in the order they are
// to be trusted, without the headline itself (it may hold a date of its own).
// Without a headline on the page these are its first lines.
func (l *layout) nearTitle(title string) []block {
	at := slices.IndexFunc(l.blocks, func(b block) bool { return sameLine(b.text, title) && !b.linked() })
	below := l.blocks[at+1 : min(len(l.blocks), at+1+belowTitle)]
	above := l.blocks[max(0, at-aboveTitle):max(0, at)]
	var lines []block
	for _, b := range append(below[:len(below):len(below)], above...) {
		if b.runes <= maxDateLine && !b.linked() && !b.furniture {
			lines = append(lines, b)
		}
	}
	return lines
}

// visibleDate returns the first plausible date of the lines. One with a year is
// better than one without, unless that comes first and alone knows the time of
// day; a date of revision is the last resort. Prose is not searched: its dates
// are those of the events it tells.
func visibleDate(lines []block, plausible func(date) bool) (date, bool) {
	var partial, late date
	for _, b := range lines {
		dates := findDates(b.text)
		if b.prose() && !dateLed(b.text, dates) {
			continue
		}
		for _, d := range dates {
			switch {
			case d.year == 0:
				if partial.month == 0 && d.label != revised {
					partial = d
				}
			case !plausible(d):
			case d.label == revised:
				if late.month == 0 {
					late = d
				}
			case partial.clock && !d.clock && d.label != issued:
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

// dateLed says whether a line begins with a date, as those of date and source
// do, perhaps after a label.
func dateLed(line string, dates []date) bool {
	return !strings.Contains(line, "。") && slices.ContainsFunc(dates, func(d date) bool {
		return d.at <= len("发布时间：　")+2
	})
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
