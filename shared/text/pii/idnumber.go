package pii

import "time"

// identityWords occur near identity numbers.
var identityWords = []string{"身份", "身分", "证件", "證件", "公民", "ID card", "identity"}

// The groups in which identity numbers are written.
const (
	idWhole  shape = 18
	idParts  shape = 0x06_08_04
	idFours  shape = 0x06_04_04_04
	idThrees shape = 0x03_03_04_04_04
)

// idNumber judges the number as one of GB 11643: 18 digits, the last of which
// may be an X, with a place, a date of birth and a checksum.
func (f *finder) idNumber(x *number) (match, bool) {
	if !isPlace(x) {
		return match{}, false
	}
	n, end := 0, 0
	switch {
	case x.n >= 18 && x.ends(18):
		n, end = 18, x.end[17]
	case x.n == 17 && !x.more:
		if g, behind := showing(f.text, x.end[16]); g|0x20 == 'x' {
			n, end = 17, behind
		}
	}
	if end == 0 || !isBirth(x.value(6, 10), x.value(10, 12), x.value(12, 14)) || !isChecked(x, n) {
		return match{}, false
	}
	s, gap, ok := x.shape(0, n)
	if n == 17 {
		s++ // the X, in the last group
	}
	if !ok || s != idWhole && s != idParts && s != idFours && s != idThrees || !f.stands(x.start, end, gap) {
		return match{}, false
	}
	if before := f.before(x.start); endsWithAny(labelOf(before), impersonal) && !mentions(before, identityWords) {
		return match{}, false
	}
	return f.found(IDNumber, x.start, end)
}

// isPlace says whether the number starts with the code of a province (GB/T
// 2260), or with one behind the 9 of foreigners' permits.
func isPlace(x *number) bool {
	if x.n < 17 {
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
