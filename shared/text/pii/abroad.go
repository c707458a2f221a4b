package pii

import "slices"

// abroad returns how many digits a number in international format has (E.164),
// of any country but China, whose numbers have stricter rules; 0 if x is not
// such a number.
func abroad(x *number) int {
	code := countryCode(x)
	switch {
	case !x.plus, code == 0, x.has(0, "86"), x.has(code, "800"):
		return 0
	case code == 1 && x.digit[0] == '1':
		return american(x)
	}
	if x.n < 10 || x.n > 15 || x.more {
		return 0
	}
	return x.n
}

// american returns 11 for a number of the North American plan that no callee
// pays for.
func american(x *number) int {
	if x.n < 11 || !x.ends(11) || x.digit[1] < '2' || x.digit[4] < '2' {
		return 0
	}
	switch x.value(1, 4) {
	case 800, 833, 844, 855, 866, 877, 888, 900:
		return 0
	}
	return 11
}

// countryCode returns how many digits the country code has (ITU-T E.164), 0 if
// there is none.
func countryCode(x *number) int {
	if x.digit[0] == '1' || x.digit[0] == '7' {
		return 1
	}
	switch v := x.value(0, 3); v / 10 {
	case 21:
		return three(v, 211, 212, 213, 216, 218)
	case 29:
		return three(v, 290, 291, 297, 298, 299)
	case 38:
		return three(v, 380, 381, 382, 383, 385, 386, 387, 389)
	case 42:
		return three(v, 420, 421, 423)
	case 85:
		return three(v, 850, 852, 853, 855, 856)
	case 88:
		return three(v, 880, 886)
	case 99:
		return three(v, 992, 993, 994, 995, 996, 998)
	case 22, 23, 24, 25, 26, 35, 37, 50, 59, 67, 68, 69, 96, 97:
		return 3
	case 28, 80, 83, 87, 89:
		return 0
	}
	if x.digit[0] == '0' {
		return 0
	}
	return 2
}

// three returns 3 if v is one of the codes, else 0.
func three(v int, codes ...int) int {
	if slices.Contains(codes, v) {
		return 3
	}
	return 0
}
