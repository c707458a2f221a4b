package structure

import (
	"slices"
	"strings"
)

const (
	leastOrdinary = 5   // records that have something in common
	ordinary      = 0.8 // of a list
)

// dropOdd drops what is in a list and no record of it, such as a banner among products. Two
// signs tell it: it has no class that most records have, and it has no picture, or no digits,
// where all records with such a class have them.
func (f *finder) dropOdd(records []span) []span {
	times := make(map[string]int)
	for _, r := range records {
		for _, c := range distinctFields(Attr(f.nodes[r.first].html, "class")) {
			times[c]++
		}
	}
	common := func(r span) bool {
		return slices.ContainsFunc(classes(f.nodes[r.first].html.Attr), func(c string) bool {
			return times[c] >= leastOrdinary && float64(times[c]) >= ordinary*float64(len(records))
		})
	}
	odd := func(r span) bool { return !common(r) }
	if !slices.ContainsFunc(records, odd) || !slices.ContainsFunc(records, common) {
		return records
	}
	pictures, numbers := true, true
	for _, r := range records {
		if common(r) {
			pictures = pictures && f.nodes[r.first].pictures > 0
			numbers = numbers && f.hasDigits(r)
		}
	}
	return slices.DeleteFunc(slices.Clone(records), func(r span) bool {
		return odd(r) && (pictures && f.nodes[r.first].pictures == 0 || numbers && !f.hasDigits(r))
	})
}

func (f *finder) hasDigits(r span) bool {
	return strings.ContainsFunc(Record{f.nodes[r.first].html}.Text(), isDigit)
}
