package structure

import (
	"slices"
	"strings"
)

const (
	leastOrdinary = 5   // records that have something in common
	ordinary      = 0.8 // of a list
)

// dropOdd drops from a list what is none of its records by two signs: it has none of the
// classes that these share, and no picture or no digits where all of these have them, such as
// a banner among products.
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
	odd := slices.IndexFunc(records, func(r span) bool { return !common(r) })
	if odd < 0 || !slices.ContainsFunc(records, common) {
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
		return !common(r) && (pictures && f.nodes[r.first].pictures == 0 || numbers && !f.hasDigits(r))
	})
}

func (f *finder) hasDigits(r span) bool {
	return strings.ContainsFunc(Record{f.nodes[r.first].html}.Text(), isDigit)
}
