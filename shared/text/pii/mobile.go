package pii

import "strings"

// The groups in which eleven digits are written: at once or as 138-0013-8000,
// 1380-013-8000, 138-00138000, 1380013-8000, 138-001-38000; and those of the
// eight behind (138).
const (
	mobileWhole  shape = 11
	mobileUsual  shape = 0x03_04_04
	mobileOther  shape = 0x04_03_04
	mobileLong   shape = 0x03_08
	mobilePrefix shape = 0x07_04
	mobileFive   shape = 0x03_03_05
	mobileRest   shape = 0x04_04
	mobileEight  shape = 8
)

// mobile judges the number as one of a mobile phone.
func (f *finder) mobile(x *number) (Match, bool) {
	if n := foreign(x); n > 0 {
		return f.phone(x.lead, x.end[n-1], 0)
	}
	if n, gap := f.atHome(x); n > 0 {
		m, ok := f.phone(x.lead, x.end[n-1], gap)
		if ok {
			f.home = m.End
		}
		return m, ok
	}
	for _, prefix := range [...]string{"", "86", "0086", "0"} { // 0 was dialled to other cities
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
		if gap, ok := isBracketed(x, from); ok {
			return f.phone(x.lead, x.end[n-1], gap)
		}
		s, gap, ok := x.shape(from, n)
		start := x.start
		if prefix != "" {
			start = x.lead
		}
		usual := isMobileShape(s, gap) && (prefix != "0" || s != mobileWhole) // goods have twelve digits, too
		if !ok || !usual && (!isMobileShape(s, gap) && !isLoose(s, gap) || !labelOf(f.before(start)).isCalled()) {
			continue
		}
		return f.phone(start, x.end[n-1], gap)
	}
	return Match{}, false
}

// isBracketed says whether the first three of the eleven digits from the
// from-th on are in brackets, and what parts the others.
func isBracketed(x *number, from int) (gap byte, ok bool) {
	opens := x.lead < x.start && !x.plus
	if from > 0 {
		opens = x.gap[from] == bracketGap
	}
	if !opens || x.gap[from+3] != bracketGap || x.group(from, from+11) != 3 {
		return 0, false
	}
	s, gap, ok := x.shape(from+3, from+11)
	return gap, ok && (s == mobileRest || s == mobileEight)
}

// phone makes a match of a number that stands by itself and is no amount.
func (f *finder) phone(start, end int, gap byte) (Match, bool) {
	if !f.startsAfter(start, gap) && !f.isItem(start) || !f.endsBefore(end, gap) && !f.hasExtension(end, gap) || !f.isPhone(start, end) {
		return Match{}, false
	}
	return f.found(Mobile, start, end)
}

// isPhone says whether nothing around a number says that it is another's.
func (f *finder) isPhone(start, end int) bool {
	before := f.before(start)
	named := labelOf(before)
	return !named.is(impersonal, phoneless) && !named.isOther() && !named.isCount() && !f.isAmount(start, end) &&
		(!named.is(vague) || mentions(before, phoneWords) || strings.EqualFold(before, "No.")) &&
		(!f.isFile(end) || !isFiled(before))
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
