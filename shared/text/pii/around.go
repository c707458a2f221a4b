package pii

import "strings"

// stands says whether the number at text[start:end], whose groups gap parts,
// stands by itself: is no part of a longer number, of a word, a path, a name of
// a file.
func (f *finder) stands(start, end int, gap byte) bool {
	return f.startsAfter(start, gap) && f.endsBefore(end, gap)
}

// startsAfter judges what is before a number.
func (f *finder) startsAfter(start int, gap byte) bool {
	g, at := showingBefore(f.text, start)
	if at < f.last {
		return true
	}
	switch {
	case isLatin(g):
		return f.followsLabel(start)
	case isWordly(g), g == '_', g == '%', g == '\\', g == '^', g == '$':
		return false
	}
	before, beforeAt := showingBefore(f.text, at)
	if beforeAt < f.last {
		return true
	}
	switch g {
	case '.', ellipsis, '-', '=', '/':
		if isLatin(before) {
			return f.followsLabel(at)
		}
		if g == '/' && isDigit(before) {
			return f.isLong(at)
		}
		return !isWordly(before) && before != '/' && before != '_' && before != '%'
	case ' ':
		return gap != ' ' || !isDigit(before)
	}
	return true
}

// labels are Latin words that a number may follow without a space.
var labels = map[string]bool{
	"tel": true, "phone": true, "mobile": true, "mob": true, "cell": true, "cellphone": true, "telephone": true,
	"call": true, "sms": true, "contact": true, "whatsapp": true, "wechat": true, "weixin": true, "wx": true, "vx": true,
	"m": true, "t": true, "p": true, "h": true, "hp": true,
	"id": true, "no": true, "card": true, "visa": true, "mastercard": true, "amex": true, "unionpay": true, "jcb": true,
	"ip": true, "host": true, "server": true, "addr": true, "address": true,
}

// followsLabel says whether the Latin word that ends at text[end] is a label.
func (f *finder) followsLabel(end int) bool {
	return labels[f.wordBefore(end)]
}

// wordBefore returns the Latin word that ends at text[end], in lower case; "" if
// it is longer than any label.
func (f *finder) wordBefore(end int) string {
	var buf [16]byte
	n := len(buf)
	start := end
	for {
		g, at := showingBefore(f.text, start)
		if !isLatin(g) {
			break
		}
		if n == 0 || at < f.last {
			return ""
		}
		n--
		buf[n], start = g|0x20, at
	}
	if g, _ := showingBefore(f.text, start); isWordly(g) || g == '_' {
		return ""
	}
	return string(buf[n:])
}

// isLong says whether the digits that end at text[end] are a phone number's.
func (f *finder) isLong(end int) bool {
	for n := 0; n < 7; n++ {
		g, at := showingBefore(f.text, end)
		if !isDigit(g) {
			return false
		}
		end = at
	}
	return true
}

// endsBefore judges what is behind a number.
func (f *finder) endsBefore(end int, gap byte) bool {
	g, next := showing(f.text, end)
	switch {
	case isLatin(g):
		return f.precedesLabel(end)
	case isWordly(g), g == '_', g == '%', g == '@' && domain(f.text, next) > 0:
		return false
	}
	behind, _ := showing(f.text, next)
	switch g {
	case '.', ellipsis, '+', '=', '#':
		return !isWordly(behind)
	case '-', '/':
		if isDigit(behind) {
			return f.startsLong(next)
		}
		return !isLetter(behind)
	case ' ':
		if gap == ' ' && isDigit(behind) && !f.startsPhone(next) {
			return false
		}
	}
	return !isLocal(f.text, end)
}

// precedesLabel says whether the Latin word at text[i] is another field's name
// that lost its space.
func (f *finder) precedesLabel(i int) bool {
	for _, label := range [...]string{"qq", "tel", "e-mail", "email", "mail", "fax", "wechat", "weixin", "mobile", "phone", "msn"} {
		if end := i + len(label); end <= len(f.text) && strings.EqualFold(f.text[i:end], label) {
			g, _ := glyphAt(f.text, end)
			return !isWordly(g)
		}
	}
	return false
}

// startsLong says whether a phone number's digits are at text[i].
func (f *finder) startsLong(i int) bool {
	n := 0
	for g, next := showing(f.text, i); isDigit(g) && n < 7; g, next = showing(f.text, next) {
		n++
	}
	return n == 7
}

// startsPhone says whether the digits at text[i] look like the next of a list
// of phone numbers.
func (f *finder) startsPhone(i int) bool {
	first, next := showing(f.text, i)
	second, next := showing(f.text, next)
	third, next := showing(f.text, next)
	if first == '0' {
		return isDigit(second) && isDigit(third)
	}
	behind, _ := showing(f.text, next)
	return first == '1' && '3' <= second && second <= '9' && isDigit(third) && (!isDigit(behind) || f.startsLong(i))
}
