package field

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line may have several values: "By Ann Reid | March 10, 2026", "来源：新华网 2026-03-10
// 08:10 阅读：3". Each ends where another one begins.

// parting are the marks between the values of a line, commas those that sentences have, too.
const parting, commas = "|｜-–—;；·•/", ",，"

var (
	// byName is "by" in front of a name, one in small letters only if it is a single word.
	byName = regexp.MustCompile(`\b(?:[Bb]y|BY) (?:[^\p{Ll}]|[\p{Ll}\d_.-]+(?:$| (?:[|｜·•–—/,-]|on|at) | \d))`)
	// afterName is what ends that name.
	afterName = regexp.MustCompile(` (?:[|｜·•–—/-]|on|at|in|for) | \(`)
	// seconds are those of a time, behind its minutes.
	seconds = regexp.MustCompile(`^:\d{2}`)
	// clockEnd are the minutes or seconds of a time: ISBN-13:978 is none.
	clockEnd = regexp.MustCompile(`^:\d{2}(?:\D|$)`)
)

// labelEnd returns where the first label of a text may end: at a colon, or in a line at the
// blank behind "by"; -1 for nowhere.
func labelEnd(text string) int {
	colon := colonIn(text)
	if len(text) <= maxLead && (strings.Contains(text, "by ") || strings.Contains(text, "By ") || strings.Contains(text, "BY ")) {
		if by := byName.FindStringIndex(text); by != nil && (colon < 0 || by[0] < colon) {
			return by[0] + len("by")
		}
	}
	return colon
}

// colonIn is the first colon of a text that is not that of a time, such as 09:12; -1 for none.
func colonIn(text string) int {
	for from := 0; ; {
		at := strings.IndexAny(text[from:], ":：")
		if at < 0 {
			return -1
		}
		if at += from; at == 0 || !isDigit(text[at-1]) || !clockEnd.MatchString(text[at:]) {
			return at
		}
		from = at + 1
	}
}

// lastPart is where the last value of a line begins: behind a date or a mark.
func lastPart(line string) int {
	start := max(0, strings.LastIndexAny(line, parting+commas+brackets))
	if date, ok := stamp(line); ok {
		start = strings.Index(line, date) + len(date)
	}
	return len(line) - len(strings.TrimLeft(line[start:], marks+brackets))
}

// stamp is the date in a line, if it is a whole one or counts from today.
func stamp(line string) (date string, ok bool) {
	if len(line) > maxLead || !mayStamp(line) {
		return "", false
	}
	v, ok := readDate(line)
	return v.Text, ok && (len(v.Date) >= len("2024-05-01") || ago.MatchString(v.Text))
}

// mayStamp reports whether a line may have a stamp, with the digits of a year: most have none,
// and reading is slow.
func mayStamp(line string) bool {
	return digitsIn(line) >= len("2026") || strings.Contains(line, "ago") || strings.ContainsAny(line, "昨今前刚")
}

// digitsIn is the number of digits of the longest number in a text.
func digitsIn(text string) (most int) {
	n := 0
	for i := range len(text) {
		if n++; !isDigit(text[i]) {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// besideStamp are the texts around the date of a line. It reports false if there is none,
// or it may be a word of a sentence.
func besideStamp(line string) (before, after string, ok bool) {
	date, ok := stamp(line)
	if !ok {
		return "", "", false
	}
	before, after, _ = strings.Cut(line, date)
	if byName.MatchString(before) {
		return before, after, true
	}
	front := strings.TrimRight(before, " ")
	last, _ := utf8.DecodeLastRuneInString(front)
	if front != "" && !strings.ContainsRune(parting+commas+closing+":：", last) && (front == before || !unicode.Is(unicode.Han, last)) {
		return "", "", false
	}
	after = seconds.ReplaceAllString(after, "")
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	label := nextLabel.FindStringIndex(after)
	ok = after == "" || strings.ContainsRune(parting+brackets, next) || label != nil && label[0] == 0 || byName.MatchString(after)
	return before, after, ok
}

// firstPart is the first of the values of a line of which another one is a year or a number:
// "Vintage / 2008 / Paperback".
func firstPart(text string) string {
	first, rest, ok := cutPart(text)
	if !ok || !speaks(strings.Trim(first, digits+marks)) {
		return text
	}
	for part := ""; ok; {
		part, rest, ok = cutPart(rest)
		if part = strings.TrimSpace(part); part != "" && strings.Trim(part, digits+".,") == "" {
			return first
		}
	}
	return text
}

// cutPart cuts a line at its first slash between blanks, else at such a bar, or dot.
func cutPart(line string) (part, rest string, ok bool) {
	for _, mark := range [...]string{" / ", " | ", " · "} {
		if part, rest, ok = strings.Cut(line, mark); ok {
			return part, rest, true
		}
	}
	return line, "", false
}

// dateless is a value without the date in its line.
func dateless(text string) string {
	before, after, ok := besideStamp(text)
	for _, rest := range [...]string{before, after} {
		if rest = strings.Trim(rest, marks); ok && speaks(rest) {
			return rest
		}
	}
	return text
}
