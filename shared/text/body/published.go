package body

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

const (
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
	below, above := l.aroundTitle(title)
	visible, ok := visibleDate(below, above, hasHan(title), plausible)
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

// visibleDate returns the date of publication among the lines below and above
// the headline: the first that a label makes one, as long as no paragraph of the
// text stands before it, else the first plausible one. Chinese is whether the
// headline is.
func visibleDate(below, above []block, chinese bool, plausible func(date) bool) (date, bool) {
	var seen sightings
	for _, lines := range [][]block{below, above} {
		before := len(leading(lines, 1))
		for i, b := range lines {
			if seen.best.month != 0 && i >= before {
				break
			}
			line := narrowDigits(b.text[:min(len(b.text), maxDateSearch)])
			if b.tellsEvents() && !dateWords.MatchString(line) || seen.best.month != 0 && !publishingWords.MatchString(line) {
				continue // most blocks, and to find dates takes time
			}
			for _, d := range lineDates(line, chinese) {
				r := rankOf(d, line)
				if r == otherDay || r == timed && hasVenue(lines, i) || !b.dates(d) || d.year != 0 && !plausible(d) {
					continue
				}
				if seen.add(d, r); seen.rank == announced {
					return seen.best, true
				}
			}
		}
	}
	return seen.date()
}

// sightings are the dates seen on a page that may be that of publication.
type sightings struct {
	best    date
	rank    rank // of the best
	partial date // the first without a year
	late    date // the first of a revision
}

// add takes another date in. One with a year is better than one without, unless
// that comes first and alone knows the time of day.
func (s *sightings) add(d date, r rank) {
	switch {
	case d.year == 0:
		if s.partial.month == 0 && r > revision {
			s.partial = d
		}
	case r == revision:
		if s.late.month == 0 {
			s.late = d
		}
	case s.best.month == 0 && s.partial.clock && !d.clock && r == plain:
		s.best, s.rank = s.partial, r
	case s.best.month == 0, r == announced, r > s.rank && !d.after(s.best):
		s.best, s.rank = d, r
	}
}

// date returns the best of them, that of a revision as the last resort.
func (s *sightings) date() (date, bool) {
	for _, d := range []date{s.best, s.partial, s.late} {
		if d.month != 0 {
			return d, true
		}
	}
	return date{}, false
}

// after says whether d is a later day than other. 时间： alone is of an event
// then, since pages are written before the day that they show.
func (d date) after(other date) bool {
	return other.year != 0 && d.time().Sub(other.time()) >= 24*time.Hour
}

// dateWords are in every label that makes a date stated, publishingWords in
// those of any rank above plain.
var (
	dateWords       = regexp.MustCompile(`时间|日期|時間`)
	publishingWords = regexp.MustCompile(`时间|日期|時間|发布|發布|發佈|发表|發表|刊发|发稿|[Pp]ublished|[Pp]osted|PUBLISHED|POSTED`)
)

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
	return d.label != unlabeled || beside <= maxBeside || namesMaker(b.text)
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
