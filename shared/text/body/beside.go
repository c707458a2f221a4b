package body

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// yearMonth and dayAlone are the parts of a date that stands in two lines: 28, 2024-05.
var (
	yearMonth = regexp.MustCompile(`^((?:19|20)\d\d)[-./年](\d{1,2})月?$`)
	dayAlone  = regexp.MustCompile(`^(\d{1,2})日?$`)
)

// Beside is the date that one of the lines beside a link in a list tells, written as
// 2024-05-01; "" if none is a date with its year before fetched, or all have much besides.
func Beside(lines string, fetched time.Time) string {
	var month, day []string
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		d, ok := findDate(line)
		if ok && (utf8.RuneCountInString(line)-utf8.RuneCountInString(d.text) <= maxBeside || dateLabel.MatchString(line[:d.at])) {
			return d.listed(fetched)
		}
		if m := yearMonth.FindStringSubmatch(line); m != nil {
			month = m
		}
		if m := dayAlone.FindStringSubmatch(line); m != nil {
			day = m
		}
	}
	if month == nil || day == nil {
		return ""
	}
	return date{year: atoi(month[1]), month: atoi(month[2]), day: atoi(day[1])}.listed(fetched)
}

func (d date) listed(fetched time.Time) string {
	if !d.valid() || d.year < firstYear || d.midnight().After(fetched) {
		return ""
	}
	return d.midnight().Format(time.DateOnly)
}

// Listed is the time of a date of Beside, zero of "".
func Listed(date string) time.Time {
	t, _ := time.ParseInLocation(time.DateOnly, date, chinaTime())
	return t
}

// Day is a date in little memory: days since the beginning of 1970, 0 for none.
type Day int32

const secondsOfDay = 24 * 60 * 60

// DayOf is the day of a date of Beside.
func DayOf(date string) Day {
	if date == "" {
		return 0 // that of most links, whose error time.Parse would have to build
	}
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 0
	}
	return Day(t.Unix() / secondsOfDay)
}

// String is the date, "" for none.
func (d Day) String() string {
	if d == 0 {
		return ""
	}
	return time.Unix(int64(d)*secondsOfDay, 0).UTC().Format(time.DateOnly)
}
