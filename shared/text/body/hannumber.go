package body

import "strings"

const hanDigits = "〇一二三四五六七八九"

// hanDigit returns the value of one Chinese digit, -1 if it is none.
func hanDigit(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r == '零', r == '○', r == 'Ｏ', r == '０':
		return 0
	}
	i := strings.IndexRune(hanDigits, r)
	if i < 0 {
		return -1
	}
	return i / len("〇")
}

// hanYear reads a year written digit by digit.
func hanYear(s string) int {
	year := 0
	for _, r := range s {
		year = year*10 + max(0, hanDigit(r))
	}
	return year
}

// hanNumber reads 一 to 九十九, also 廿 and 卅.
func hanNumber(s string) int {
	n := 0
	for _, r := range s {
		switch r {
		case '十':
			n = max(n, 1) * 10
		case '廿':
			n = 20
		case '卅':
			n = 30
		default:
			n += max(0, hanDigit(r))
		}
	}
	return n
}
