package pii

import "strings"

// Numbers of Hong Kong, Macau and Taiwan as they are written at home prove
// little: eight digits are a mainland's landline, too. But for Taiwan's usual
// 0912-345-678, they need a phone's label, as they do with a country code that
// lacks its +.

// The groups in which they are written.
const (
	taiwanUsual shape = 0x04_03_03
	taiwanTwo   shape = 0x04_06
	taiwanWhole shape = 10
)

// Labels and places of eight digits that are a mobile phone's: handheld alone,
// traditional written at once or with a space, since Taiwan's landlines have a
// hyphen there; any other phone's where the line names the place.
var (
	handheld    = []string{"手機", "手提", "手提電話", "流動電話", "whatsapp", "signal"}
	traditional = []string{"電話", "致電", "請電", "來電", "聯絡", "查詢", "撥打"}
	places      = []string{"香港", "澳門", "澳门", "港澳", "hong kong", "macau", "macao"}
)

// atHome judges the number as one of Hong Kong, Macau or Taiwan without the + of
// its country code: n is how many digits it has, 0 if it is none.
func (f *finder) atHome(x *number) (n int, gap byte) {
	if x.plus {
		return 0, 0
	}
	if n = neighbour(x, 0); n > 0 && labelOf(f.before(x.lead)).isCalled() {
		return n, 0
	}
	if n, gap = f.taiwanese(x); n == 0 {
		n, gap = f.eight(x)
	}
	return n, gap
}

// isNext says whether the number at text[start] is the next of a list, behind
// one that atHome found.
func (f *finder) isNext(start int) bool {
	return f.last > 0 && f.home == f.last && start-f.last < window &&
		strings.Trim(f.text[f.last:start], " /、,，;；或") == ""
}

func (f *finder) taiwanese(x *number) (n int, gap byte) {
	if x.n < 10 || !x.has(0, "09") || !x.ends(10) {
		return 0, 0
	}
	s, gap, ok := x.shape(0, 10)
	switch {
	case !ok || gap == '.':
		return 0, 0
	case s == taiwanUsual && gap == '-':
		return 10, gap
	case s == taiwanWhole, s == taiwanTwo, s == taiwanUsual:
		if labelOf(f.before(x.start)).isCalled() || f.isNext(x.start) {
			return 10, gap
		}
	}
	return 0, 0
}

// eight judges eight digits, of which landlines start with 2, 3 or 8.
func (f *finder) eight(x *number) (n int, gap byte) {
	if x.n < 8 || strings.IndexByte("5679", x.digit[0]) < 0 || !x.ends(8) {
		return 0, 0
	}
	s, gap, ok := x.shape(0, 8)
	if !ok || gap == '.' || s != mobileEight && s != mobileRest {
		return 0, 0
	}
	before, behind := f.before(x.start), strings.TrimLeft(f.behind(x.end[7]), " ")
	if startsWith(behind, moneyUnits...) || isCounted(before, behind) {
		return 0, 0
	}
	named := labelOf(before)
	name, _ := cutAny(named.name, "号码", "號碼")
	if f.isNext(x.start) || endsWithAny(name, handheld) || gap != '-' && endsWithAny(name, traditional) || named.isCalled() && mentions(before, places) {
		return 8, gap
	}
	return 0, 0
}
