package body

import (
	"regexp"
	"time"
)

const (
	yearBlocks = 400 // blocks of a page that are searched for a year
	yearPrefix = 600 // and bytes of each
	yearSpan   = 10  // days between a page and the recent events it tells of
)

// urlYears are the years that stand alone in a path, or with a month.
var urlYears = regexp.MustCompile(`[/_-]((?:19|20)\d\d)[/_-]?(?:0[1-9]|1[0-2])?[/_-]`)

// withYear completes a day whose year is not written. The first year wins that
// puts it on a day there is, no later than the fetch: that of the URL, of
// another date on the page, the latest possible one.
func (l *layout) withYear(d date, pageURL, title string, fetched time.Time) (date, bool) {
	today := fetched.In(chinaTime())
	try := func(year int) (date, bool) {
		dated := d
		dated.year = year
		day := time.Date(year, time.Month(d.month), d.day, 0, 0, 0, 0, chinaTime())
		return dated, dated.valid() && year >= firstYear && !day.After(today)
	}
	var years []int
	if in, ok := urlDate(pageURL); ok {
		years = append(years, in.year)
	}
	for _, m := range urlYears.FindAllStringSubmatch(pageURL, 4) {
		years = append(years, atoi(m[1]))
	}
	years = append(years, l.yearsAround(d, title)...)
	for back := range 9 { // eight years hold a 29th of February, but around 2100
		years = append(years, today.Year()-back)
	}
	for _, year := range years {
		if dated, ok := try(year); ok {
			return dated, true
		}
	}
	return d, false
}

// yearsAround returns the years of the other dates on the page: of the lines
// near the headline, of other lines, then of the text, there only those of
// dates close to the day, since the rest may be history.
func (l *layout) yearsAround(d date, title string) []int {
	var lines, text []int
	for _, b := range l.nearTitle(title) {
		if !b.prose() {
			lines = append(lines, fullYears(b.text)...)
		}
	}
	for _, b := range l.blocks[:min(len(l.blocks), yearBlocks)] {
		switch {
		case !b.plain():
		case !b.prose():
			lines = append(lines, fullYears(b.text[:min(len(b.text), yearPrefix)])...)
		default:
			for _, other := range findDates(b.text[:min(len(b.text), yearPrefix)]) {
				if other.year != 0 && other.near(d) {
					text = append(text, other.year)
				}
			}
		}
	}
	return append(lines, text...)
}

func fullYears(s string) (years []int) {
	for _, d := range findDates(s) {
		if d.year != 0 {
			years = append(years, d.year)
		}
	}
	return years
}

// near says whether d lies within yearSpan days of a day in the same year.
func (d date) near(day date) bool {
	day.year = d.year
	gap := d.time().Sub(day.time())
	return gap.Abs() <= yearSpan*24*time.Hour
}
