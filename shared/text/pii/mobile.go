package pii

import "strings"

// The groups in which eleven digits are written: at once or as 138-0013-8000,
// 1380-013-8000, 138-00138000, 1380013-8000, 138-001-38000.
const (
	mobileWhole  shape = 11
	mobileUsual  shape = 0x03_04_04
	mobileOther  shape = 0x04_03_04
	mobileLong   shape = 0x03_08
	mobilePrefix shape = 0x07_04
	mobileFive   shape = 0x03_03_05
	mobileTaiwan shape = 0x04_03_03
)

// mobile judges the number as one of a mobile phone.
func (f *finder) mobile(x *number) (match, bool) {
	if n := abroad(x); n > 0 {
		return f.phone(x.lead, x.end[n-1], 0)
	}
	if s, gap, ok := x.shape(0, min(x.n, 10)); ok && s == mobileTaiwan && gap == '-' && x.has(0, "09") && x.ends(10) {
		return f.phone(x.lead, x.end[9], gap)
	}
	for _, prefix := range [...]string{"", "86", "0086"} {
		from := len(prefix)
		n := from + 11
		if !x.has(0, prefix) || n > x.n || !isMobile(x, from) {
			continue
		}
		if !x.ends(n) {
			if prefix == "" && f.meetsMonth(x, n) && f.startsAfter(x.start, 0) && f.isPhone(x.start, x.end[n-1]) {
				return f.found(Mobile, x.start, x.end[n-1])
			}
			continue
		}
		s, gap, ok := x.shape(from, n)
		start := x.start
		if prefix != "" {
			start = x.lead
		}
		if !ok || !isMobileShape(s, gap) {
			continue
		}
		return f.phone(start, x.end[n-1], gap)
	}
	return match{}, false
}

// phone makes a match of a number that is separate and not an amount.
func (f *finder) phone(start, end int, gap byte) (match, bool) {
	if !f.stands(start, end, gap) || !f.isPhone(start, end) {
		return match{}, false
	}
	return f.found(Mobile, start, end)
}

// isPhone says whether nothing around a number says that it is another's.
func (f *finder) isPhone(start, end int) bool {
	return !endsWithAny(labelOf(f.before(start)), impersonal, phoneless) && !f.isAmount(start, end)
}

// meetsMonth says whether the month of a date touches the first n digits, as in
// tables that lost their cells.
func (f *finder) meetsMonth(x *number, n int) bool {
	if x.group(0, n) < n {
		return false
	}
	for i := n; i < x.n && i < n+2 && x.gap[i] == 0; i++ {
		if x.ends(i + 1) {
			month := x.value(n, i+1)
			return 1 <= month && month <= 12 && strings.HasPrefix(f.text[x.end[i]:], "月")
		}
	}
	return false
}

// isMobile says whether a prefix that China gave to mobile phones, those of
// virtual operators and satellites too, is at the digit from.
func isMobile(x *number, from int) bool {
	switch v := x.value(from, from+3); v / 10 {
	case 13, 18:
		return true
	case 14:
		return v >= 145
	case 15:
		return v != 154
	case 16:
		return v == 162 || v >= 165 && v <= 167
	case 17:
		return v <= 178
	case 19:
		return v != 194
	}
	return false
}

func isMobileShape(s shape, gap byte) bool {
	switch s {
	case mobileWhole, mobileUsual:
		return true
	case mobileOther:
		return gap != '.'
	case mobileLong, mobilePrefix, mobileFive:
		return gap == '-'
	}
	return false
}
