package pii

// maxDigits is more than any number here has with its prefixes, so that a
// longer one shows.
const maxDigits = 24

// number is a chain of digits and of the gaps between them: what may be one
// number, or begin with one.
type number struct {
	start int
	lead  int // start, or where the + before it is, or the bracket around a prefix
	plus  bool
	n     int // digits
	digit [maxDigits]byte
	end   [maxDigits]int
	gap   [maxDigits]byte // before each digit: 0 or a gap
	more  bool            // another digit follows the last at once
}

// A gap is a space, a hyphen or a point, or this one: a bracket of those around
// a prefix, with spaces or hyphens about it or not.
const bracketGap = '('

// read reads the number at text[x.start], where a digit is. Behind a first group
// that is too short for any number, unless it is a country code, it stops.
func (x *number) read(text string) {
	i := x.start
	var gap byte
	for {
		g, end := showing(text, i)
		if !isDigit(g) {
			if x.n == 0 || gap != 0 {
				return
			}
			if x.n < 3 && !x.plus && !x.has(0, "86") {
				return
			}
			if gap, i = readGap(text, i); gap == 0 {
				return
			}
			continue
		}
		if x.n == maxDigits {
			x.more = gap == 0
			return
		}
		x.digit[x.n], x.end[x.n], x.gap[x.n] = g, end, gap
		x.n++
		gap, i = 0, end
	}
}

// readGap reads a separator of two digits: one space, hyphen or point, or a
// bracket with up to one of those on either side; it returns 0 for anything
// else.
func readGap(text string, i int) (gap byte, end int) {
	for range 4 {
		g, next := showing(text, i)
		switch {
		case isDigit(g):
			return gap, i
		case (g == '(' || g == ')') && gap != bracketGap:
			gap = bracketGap
		case (g == ' ' || g == '-' || g == '.') && gap == 0:
			gap = g
		case (g == ' ' || g == '-') && gap == bracketGap:
		default:
			return 0, i
		}
		i = next
	}
	return 0, i
}

// ends says whether the first n digits may be all of the number.
func (x *number) ends(n int) bool {
	return n < x.n && x.gap[n] != 0 || n == x.n && !x.more
}

// group returns how many digits from the i-th on, before the end-th, have no
// gap between them.
func (x *number) group(i, end int) int {
	n := 1
	for i+n < end && x.gap[i+n] == 0 {
		n++
	}
	return n
}

// The shape of some digits is the sizes of their groups, one a byte, first
// highest: 0x030404 is 138 0013 8000.
type shape uint64

// maxGroups is how many groups a shape can hold.
const maxGroups = 8

// shape returns how digits from..to-1 are grouped and by which gap; ok says
// whether all gaps are the same.
func (x *number) shape(from, to int) (s shape, gap byte, ok bool) {
	groups := 0
	for i := from; i < to; {
		if i > from {
			if gap != 0 && gap != x.gap[i] {
				return 0, 0, false
			}
			gap = x.gap[i]
		}
		n := x.group(i, to)
		s = s<<8 | shape(n)
		groups++
		i += n
	}
	return s, gap, groups <= maxGroups && gap != bracketGap
}

// value is the number that digits from..to-1 write.
func (x *number) value(from, to int) int {
	v := 0
	for _, d := range x.digit[from:to] {
		v = v*10 + int(d-'0')
	}
	return v
}

// has says whether digits from the i-th on are these.
func (x *number) has(i int, digits string) bool {
	return i+len(digits) <= x.n && string(x.digit[i:i+len(digits)]) == digits
}

// number looks for a match that starts with the digit at text[i], or with a +
// before it.
func (f *finder) number(i int) (match, bool) {
	if i < f.urlEnd && i != f.host {
		return match{}, false
	}
	if m, ok := f.ip(i); ok || i < f.urlEnd {
		return m, ok
	}
	x := number{start: i}
	x.lead, x.plus = f.plus(i)
	x.read(f.text)
	if x.n < 8 {
		return match{}, false
	}
	if m, ok := f.idNumber(&x); ok {
		return m, ok
	}
	if m, ok := f.bankCard(&x); ok {
		return m, ok
	}
	return f.mobile(&x)
}

// plus looks for the + before the digit at text[start]; at is where the number
// starts with it, and with the bracket before it or before the digit, as in
// (+86) and (138).
func (f *finder) plus(start int) (at int, found bool) {
	g, at := showingBefore(f.text, start)
	if g == '(' && at >= f.last && f.closes(start) {
		return at, false
	}
	if g != '+' || at < f.last {
		return start, false
	}
	before, bracket := showingBefore(f.text, at)
	if isWordly(before) || before == ')' {
		return start, false
	}
	if before == '(' && bracket >= f.last && f.closes(start) {
		return bracket, true
	}
	return at, true
}

// closes says whether a bracket closes behind at most four digits.
func (f *finder) closes(i int) bool {
	for range 5 {
		g, next := showing(f.text, i)
		if !isDigit(g) {
			return g == ')'
		}
		i = next
	}
	return false
}
