package pii

import "time"

// The groups in which identity numbers are written.
const (
	idWhole   shape = 18
	idParts   shape = 0x06_08_04
	idFours   shape = 0x06_04_04_04
	idThrees  shape = 0x03_03_04_04_04
	idOld     shape = 15
	idOldPart shape = 0x06_06_03
)

// idNumber judges the number as one of GB 11643: 18 digits, of which the last
// may be an X, with a place, a date of birth and a checksum; or 15 of the form
// of before 1999, without century and checksum, next to a word that says so:
// by place and date alone one number of a hundred would be one. Behind such a
// word the 18 digits may be in any groups.
func (f *finder) idNumber(x *number) (Match, bool) {
	if !isPlace(x) {
		return Match{}, false
	}
	n, end := 0, 0
	before := f.before(x.start)
	said := mentions(before, identityWords)
	switch {
	case x.n >= 18 && x.ends(18):
		n, end = 18, x.end[17]
	case x.n == 17 && !x.more:
		n, end = 17, f.checkX(x.end[16], said)
	case x.n >= 15 && x.ends(15):
		return f.oldIDNumber(x, said)
	}
	if end == 0 || !isBirth(x.value(6, 10), x.value(10, 12), x.value(12, 14)) || !isChecked(x, n) {
		return Match{}, false
	}
	s, gap, ok := x.shape(0, n)
	if n == 17 {
		s++ // the X, in the last group
	}
	if !ok || !said && s != idWhole && s != idParts && s != idFours && s != idThrees {
		return Match{}, false
	}
	named := labelOf(before)
	if !f.stands(x.start, end, gap) || !said && (named.is(impersonal) || named.isOther()) {
		return Match{}, false
	}
	return f.found(IDNumber, x.start, end)
}

// checkX returns the end of the X at text[i], with a space or a hyphen before it
// where that may be; 0 if there is none.
func (f *finder) checkX(i int, apart bool) int {
	g, end := showing(f.text, i)
	if apart && (g == ' ' || g == '-') {
		g, end = showing(f.text, end)
	}
	if g|0x20 == 'x' {
		return end
	}
	return 0
}

func (f *finder) oldIDNumber(x *number, said bool) (Match, bool) {
	if !isBirth(1900+x.value(6, 8), x.value(8, 10), x.value(10, 12)) {
		return Match{}, false
	}
	s, gap, ok := x.shape(0, 15)
	end := x.end[14]
	if !said || !ok || s != idOld && s != idOldPart || !f.stands(x.start, end, gap) {
		return Match{}, false
	}
	return f.found(IDNumber, x.start, end)
}

// isPlace says whether the number starts with the code of a province (GB/T
// 2260), or with one behind the 9 of foreigners' permits.
func isPlace(x *number) bool {
	if x.n < 15 {
		return false
	}
	code := x.value(0, 2)
	if code/10 == 9 {
		code = x.value(1, 3)
	}
	switch code / 10 {
	case 1, 5:
		return code == 50 || code%10 >= 1 && code%10 <= 5 && code != 55
	case 2:
		return code >= 21 && code <= 23
	case 3:
		return code >= 31 && code <= 37
	case 4:
		return code >= 41 && code <= 46
	case 6:
		return code >= 61 && code <= 65
	}
	return code == 71 || code >= 81 && code <= 83
}

// isBirth says whether there was such a day, and not before 1900.
func isBirth(year, month, day int) bool {
	if year < 1900 || month < 1 || month > 12 || day < 1 {
		return false
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return date.Day() == day && date.Before(time.Now())
}

// isChecked says whether the last of 18 digits checks the others (ISO 7064 MOD
// 11-2); with n = 17 it is an X.
func isChecked(x *number, n int) bool {
	sum := 0
	for _, d := range x.digit[:17] {
		sum = (sum + int(d-'0')) * 2 % 11
	}
	check := byte('X')
	if v := (12 - sum) % 11; v < 10 {
		check = '0' + byte(v)
	}
	if n == 17 {
		return check == 'X'
	}
	return check == x.digit[17]
}
