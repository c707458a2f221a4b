package pii

import "strings"

// The groups in which eleven digits are written behind a phone's label only: 138
// 20240315 is a count and a date elsewhere.
const mobileSix shape = 0x05_06

// isLoose says whether digits that a phone's label is before are grouped as
// those of a mobile phone may be there.
func isLoose(s shape, gap byte) bool {
	switch s {
	case mobileLong, mobilePrefix, mobileFive, mobileSix:
		return gap == ' ' || gap == '-'
	}
	return false
}

// parted judges the number, of three digits so far, as one of a mobile phone whose
// groups signs part: 138·0013·8000. With slashes, which part dates and sizes,
// too, it needs a phone's label.
func (f *finder) parted(x *number) (Match, bool) {
	if x.plus || !isMobile(x, 0) {
		return Match{}, false
	}
	sign := signOf(f.text[x.end[2]:])
	if sign == "" || strings.HasSuffix(f.text[f.last:x.start], sign) {
		return Match{}, false
	}
	end := x.end[2]
	for range 2 {
		if !strings.HasPrefix(f.text[end:], sign) {
			return Match{}, false
		}
		if end = fourDigits(f.text, end+len(sign)); end == 0 {
			return Match{}, false
		}
	}
	if strings.HasPrefix(f.text[end:], sign) {
		return Match{}, false
	}
	if sign == "/" && !labelOf(f.before(x.start)).isCalled() {
		return Match{}, false
	}
	return f.phone(x.start, end, 0)
}

// signOf returns the sign at the start of s that may part a number, "" if there
// is none.
func signOf(s string) string {
	for _, sign := range [...]string{"/", "·", "•", "・", "‧"} {
		if strings.HasPrefix(s, sign) {
			return sign
		}
	}
	return ""
}

// fourDigits returns where four digits at text[i] end, 0 if there are not as
// many, or more.
func fourDigits(text string, i int) int {
	for range 4 {
		g, next := showing(text, i)
		if !isDigit(g) {
			return 0
		}
		i = next
	}
	if g, _ := showing(text, i); isDigit(g) {
		return 0
	}
	return i
}

// hasExtension says whether a phone's extension is behind a number that ends at
// text[end] and has no hyphens itself: 13800138000-801. With a zero first it
// counts something: 13800138000-001.
func (f *finder) hasExtension(end int, gap byte) bool {
	g, i := showing(f.text, end)
	if g != '-' || gap != 0 {
		return false
	}
	n := 0
	for n <= 4 {
		digit, next := showing(f.text, i)
		if !isDigit(digit) || n == 0 && digit == '0' {
			g = digit
			break
		}
		n++
		i = next
	}
	return (n == 3 || n == 4) && !isWordly(g) && strings.IndexByte("-_/%.", g) < 0
}

// isItem says whether the number at text[start] is the text of a list's item,
// with its ordinal and a point before it: the first, or the next to that of the
// line before. Elsewhere the two are a decimal fraction.
func (f *finder) isItem(start int) bool {
	g, i := showingBefore(f.text, start)
	if g != '.' || i < f.last {
		return false
	}
	line := f.text[max(0, i-len("99")):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	first := i - len(line)
	if first > 0 && f.text[first-1] != '\n' {
		return false
	}
	n, _ := ordinal(line)
	if n < 2 || first == 0 {
		return n == 1
	}
	previous := f.text[:first-1]
	m, rest := ordinal(previous[strings.LastIndexByte(previous, '\n')+1:])
	return m == n-1 && strings.HasPrefix(rest, ".")
}

// ordinal reads the one or two digits that s starts with; n is 0 if it doesn't.
func ordinal(s string) (n int, rest string) {
	for i := range 2 {
		if i == len(s) || !isDigit(s[i]) {
			return n, s[i:]
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, s[2:]
}
