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

// published finds the date of publication: in the metas and JSON-LD, then in
// the lines near the headline, below before above, then in the URL. A line
// with day and month alone takes the year of the URL or of the next date
// around; without either it is returned as text only. Dates before 1990 or
// more than a day after the fetch are not believed.
func published(l *layout, m *metas, title, pageURL string, fetched time.Time) (time.Time, string) {
	plausible := func(d date) bool {
		return d.year >= 1990 && d.time().Before(fetched.Add(24*time.Hour))
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
	inURL, urlOK := urlDate(pageURL)
	urlOK = urlOK && plausible(inURL)
	visible, ok := visibleDate(l.nearTitle(title), func(d date) (date, bool) {
		if d.year == 0 && urlOK {
			d.year = inURL.year
		}
		return d, d.year == 0 || plausible(d)
	})
	switch {
	case len(declared) > 0:
		// The line on the page may know the time of the declared day.
		if d := declared[0]; !ok || visible.year != d.year || visible.month != d.month || visible.day != d.day {
			return d.time(), d.text
		}
		return visible.time(), visible.text
	case ok && visible.year != 0:
		return visible.time(), visible.text
	case urlOK:
		return inURL.time(), inURL.text
	case ok:
		return time.Time{}, visible.text
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

// visibleDate returns the first acceptable date of the lines; one with a year
// is better than one without. Prose is not searched: its dates are those of
// the events it tells.
func visibleDate(lines []block, accept func(date) (date, bool)) (date, bool) {
	var partial date
	for _, b := range lines {
		d, found := findDate(b.text)
		if !found || b.prose() && !dateFirst(b.text, d) {
			continue
		}
		d, ok := accept(d)
		switch {
		case !ok:
		case d.year != 0:
			return d, true
		case partial.month == 0:
			partial = d
		}
	}
	return partial, partial.month != 0
}

// dateFirst says whether a line begins with its date, as those of date and
// source do, perhaps after a label.
func dateFirst(line string, d date) bool {
	i := strings.Index(narrowDigits(line), d.text)
	return i >= 0 && i <= len("发布时间：　")+2 && !strings.Contains(line, "。")
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
