package urlnorm

import (
	"strings"
	"time"
)

// The rules of Trap.
const (
	TrapPathRepeats  = "path_repeats"
	TrapPathTooDeep  = "path_too_deep"
	TrapQueryTooLong = "query_too_long"
	TrapCalendar     = "calendar"
)

const (
	maxSegments   = 20   // real paths have up to about twelve
	maxParameters = 20   // facets of a search, each link adding one
	maxQuery      = 1024 // bytes; a hundred escaped Chinese characters fit
)

// Trap returns the rule by which u looks like one of endlessly many URLs that a
// site generates, "" for none:
//   - path_repeats: a segment, or a sequence of up to ten segments, three times
//     in a row (numbers: four times, since /2011/11/11/11 is a date and an id),
//     or a segment that is no number four times anywhere;
//   - path_too_deep: more than 20 segments, empty ones counted;
//   - query_too_long: more than 20 parameters or 1024 bytes;
//   - calendar: a date before 1990 or more than a year after now, written as
//     dates are: /2031/05/, 2031-05-02, ?year=2045&month=3. Digits that merely
//     could be one (/20931205/) count after a segment like "calendar" only.
//
// A URL longer than MaxLen is refused by Parse.
func Trap(u URL, now time.Time) string {
	if u.IsZero() {
		return ""
	}
	segments := strings.Split(strings.Trim(u.Path(), "/"), "/")
	switch {
	case repeats(segments):
		return TrapPathRepeats
	case strings.Count(u.Path(), "/") > maxSegments+1 || len(segments) > maxSegments:
		return TrapPathTooDeep
	case len(u.Query()) > maxQuery || strings.Count(u.Query(), "&") >= maxParameters:
		return TrapQueryTooLong
	case farDate(segments, u.Query(), now):
		return TrapCalendar
	}
	return ""
}

// repeats is the rule path_repeats. Its work is linear in the segments.
func repeats(segments []string) bool {
	const longestCycle = 10
	for cycle := 1; cycle <= longestCycle; cycle++ {
		run := 0        // how many segments in a row equal the one a cycle before
		numbers := true // whether all are numbers
		for i := cycle; i < len(segments); i++ {
			if segments[i] == "" || segments[i] != segments[i-cycle] {
				run, numbers = 0, true
				continue
			}
			run++
			numbers = numbers && isNumber(segments[i])
			if run >= 3*cycle || run >= 2*cycle && !numbers {
				return true
			}
		}
	}
	seen := make(map[string]int, len(segments))
	for _, s := range segments {
		if s != "" && !isNumber(s) {
			if seen[s]++; seen[s] >= 4 {
				return true
			}
		}
	}
	return false
}

// isNumber reports whether s consists of at least one digit.
func isNumber(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
