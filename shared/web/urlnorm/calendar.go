package urlnorm

import (
	"strconv"
	"strings"
	"time"
)

// earliest is the first year in which the web has dated pages.
const earliest = 1990

// farDate reports whether a path or a query holds a date before earliest or
// more than a year after now.
func farDate(segments []string, query string, now time.Time) bool {
	far := func(d date) bool {
		if !d.valid() {
			return false
		}
		first := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
		return d.year < earliest || first.After(now.AddDate(1, 0, 0))
	}
	return farInPath(segments, far) || farInQuery(query, far)
}

// date is a day, or the first one of a month.
type date struct{ year, month, day int }

func (d date) valid() bool {
	return 1 <= d.month && d.month <= 12 &&
		1 <= d.day && d.day <= time.Date(d.year, time.Month(d.month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// farInPath looks for dates in segments: one of their own (2031-05-02), a month
// and day behind a year (2031/05-02), or one in two or three segments (2031/05).
func farInPath(segments []string, far func(date) bool) bool {
	announced := false // by an earlier segment, such as "calendar"
	for i, segment := range segments {
		if d, ok := parseDate(stem(segment), announced); ok && (announced || plausibleYear(d.year)) && far(d) {
			return true
		}
		if d, ok := spreadDate(segments[i:], announced); ok && (announced || plausibleYear(d.year)) && far(d) {
			return true
		}
		announced = announced || announcesDates(segment)
	}
	return false
}

// plausibleYear bounds the numbers that count as years without further
// evidence: /1234/05/ is more likely an article and its page.
func plausibleYear(year int) bool { return 1900 <= year && year < 2200 }

// announcesDates reports whether a path segment announces dates.
func announcesDates(segment string) bool {
	segment = strings.ToLower(segment)
	switch segment {
	case "date", "day", "week", "month", "year", "agenda", "rili":
		return true
	}
	return strings.Contains(segment, "calendar")
}

// spreadDate reads a date at the head of segments: year, month and day; year
// and month; year and month-day; if announced, a year alone. If not, the last
// number must not look like a page number: 05, or 12 as a directory, but not
// /2031/5/ or /2031/12.html.
func spreadDate(segments []string, announced bool) (date, bool) {
	year, ok := digits(stem(segments[0]), 4, 4)
	if !ok {
		return date{}, false
	}
	if len(segments) == 1 {
		return date{year, 1, 1}, announced && plausibleYear(year)
	}
	if m, d, ok := strings.Cut(stem(segments[1]), "-"); ok {
		month, okMonth := digits(m, 2, 2)
		day, okDay := digits(d, 2, 2)
		return date{year, month, day}, okMonth && okDay
	}
	month, ok := digits(stem(segments[1]), 1, 2)
	if !ok {
		return date{}, false
	}
	if len(segments) > 2 {
		if day, ok := digits(stem(segments[2]), 1, 2); ok {
			return date{year, month, day}, announced || segments[1][0] == '0' || isNumber(segments[2])
		}
	}
	last := segments[1]
	return date{year, month, 1}, announced || last[0] == '0' || len(last) == 2
}

// stem returns a segment without its extension.
func stem(segment string) string {
	segment, _, _ = strings.Cut(segment, ".")
	return segment
}

// parseDate reads a date that fills s: 2031-05-02 or 2031-05, with "-", "_" or
// "/" between; if compact, also 20310502 and 203105.
func parseDate(s string, compact bool) (date, bool) {
	if isNumber(s) {
		if !compact || len(s) != 6 && len(s) != 8 {
			return date{}, false
		}
		s += "01"[:max(0, 8-len(s))]
		s = s[:4] + "-" + s[4:6] + "-" + s[6:8]
	}
	if len(s) < len("2031-05") || strings.IndexByte("-_/", s[4]) < 0 {
		return date{}, false
	}
	year, ok := digits(s[:4], 4, 4)
	if !ok {
		return date{}, false
	}
	m, d, hasDay := strings.Cut(s[5:], s[4:5])
	if !hasDay {
		month, ok := digits(m, 2, 2)
		return date{year, month, 1}, ok
	}
	month, okMonth := digits(m, 1, 2)
	day, okDay := digits(d, 1, 2)
	return date{year, month, day}, okMonth && okDay
}

// farInQuery looks for dates in parameters that are named for them.
func farInQuery(query string, far func(date) bool) bool {
	var year, month int
	named := false // the year's parameter says so in full
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		switch name = strings.ToLower(name); name {
		case "year", "yr", "y":
			if n, ok := digits(value, 4, 4); ok {
				year, named = n, name == "year"
			}
			continue
		case "month", "mon", "m":
			if n, ok := digits(value, 1, 2); ok {
				month = n
				continue
			}
		case "date", "day", "dt", "ym", "ymd", "riqi", "cal", "calendar", "caldate", "cal_date", "eventdate",
			"event_date", "tribe-bar-date", "startdate", "start_date", "enddate", "end_date", "from_date", "to_date":
		default:
			continue
		}
		if d, ok := parseDate(queryDate(value), true); ok && far(d) {
			return true
		}
	}
	switch {
	case year == 0:
		return false
	case month > 0:
		return far(date{year, month, 1})
	default: // films of 1985 are a list, those of 2085 are not
		return named && far(date{max(year, earliest), 1, 1})
	}
}

// queryDate returns the date part of a parameter's value: "%2F" read as "/",
// without a time of day.
func queryDate(value string) string {
	value = strings.ReplaceAll(value, "%2F", "/")
	if i := strings.IndexAny(value, "T+ %"); i >= 0 {
		value = value[:i]
	}
	return value
}

// digits returns s as a number if it consists of shortest to longest digits.
func digits(s string, shortest, longest int) (int, bool) {
	if len(s) < shortest || len(s) > longest || !isNumber(s) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
