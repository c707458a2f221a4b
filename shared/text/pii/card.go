package pii

import "strings"

// The groups in which card numbers are written, except for groups of four.
const (
	cardAmex   shape = 0x04_06_05
	cardDiners shape = 0x04_06_04
)

// bankCard judges the number as one of a payment card: Luhn's checksum behind
// the prefix of an issuer with numbers of this length.
func (f *finder) bankCard(x *number) (match, bool) {
	for n := min(x.n, 19); n >= 14; n-- {
		if !x.ends(n) || !isIssued(x, n) || !isLuhn(x, n) {
			continue
		}
		s, gap, ok := x.shape(0, n)
		if !ok || !isCardShape(s, n) || gap == '.' {
			continue
		}
		if m, ok := f.card(x, n, gap); ok {
			return m, ok
		}
	}
	return match{}, false
}

func (f *finder) card(x *number, n int, gap byte) (match, bool) {
	end := x.end[n-1]
	if !f.stands(x.start, end, gap) || endsWithAny(labelOf(f.before(x.start)), impersonal) || f.isAmount(x.start, end) || f.isTerm(x.start, end) {
		return match{}, false
	}
	return f.found(BankCard, x.start, end)
}

// isTerm says whether the number is part of a formula.
func (f *finder) isTerm(start, end int) bool {
	before := strings.TrimRight(f.before(start), " ")
	return startsWith(strings.TrimLeft(f.behind(end), " "), "/", "*", "+", "^", "×", "÷") ||
		endsWith(before, "+") || endsWith(before, "*") || endsWith(before, "×")
}

// isIssued says whether an issuer has numbers of n digits with this prefix
// (ISO/IEC 7812).
func isIssued(x *number, n int) bool {
	two, three, four := x.value(0, 2), x.value(0, 3), x.value(0, 4)
	switch {
	case two == 62: // UnionPay
		return n >= 16
	case two/10 == 4: // Visa
		return n == 16 || n == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720: // Mastercard
		return n == 16
	case two == 34, two == 37: // American Express
		return n == 15
	case two == 35: // JCB
		return n == 16 && four >= 3528 && four <= 3589
	case two == 36, two == 38, two == 39, three >= 300 && three <= 305: // Diners Club
		return n == 14
	case four == 6011, two == 65, three >= 644 && three <= 649: // Discover
		return n == 16
	}
	return false
}

// isLuhn says whether the last of n digits checks the others (ISO/IEC 7812-1,
// annex B).
func isLuhn(x *number, n int) bool {
	sum := 0
	for i, d := range x.digit[:n] {
		v := int(d - '0')
		if (n-i)%2 == 0 {
			v *= 2
		}
		sum += v/10 + v%10
	}
	return sum%10 == 0
}

// isCardShape says whether n digits are in one group, in fours with a shorter
// last one, in a prefix of six and the rest, or as two issuers print them.
func isCardShape(s shape, n int) bool {
	if s == shape(n) || s == 6<<8|shape(n-6) || s == cardAmex || s == cardDiners {
		return true
	}
	if last := s & 0xFF; last > 4 {
		return false
	}
	for s >>= 8; s > 0; s >>= 8 {
		if s&0xFF != 4 {
			return false
		}
	}
	return true
}
