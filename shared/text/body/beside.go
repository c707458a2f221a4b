package body

import (
	"time"
	"unicode/utf8"
)

// Beside is the date that a text beside a link in a list tells, written as 2024-05-01;
// "" if that is no date with its year before fetched, or has much besides.
func Beside(text string, fetched time.Time) string {
	d, ok := findDate(text)
	if !ok || d.year < firstYear || d.midnight().After(fetched) ||
		utf8.RuneCountInString(text)-utf8.RuneCountInString(d.text) > maxBeside {
		return ""
	}
	return d.midnight().Format(time.DateOnly)
}

// Listed is the time of a date of Beside, zero of "".
func Listed(date string) time.Time {
	t, _ := time.ParseInLocation(time.DateOnly, date, chinaTime())
	return t
}
