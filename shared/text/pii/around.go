package pii

// stands reports whether the number at text[start:end], whose groups are
// separated by gap, is separate: not part of a longer number, a word, a path or
// a file name.
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
		return endsWithAny(f.before(start), fields)
	case isWordly(g), g == '_', g == '%', g == '\\', g == '^', g == '$':
		return false
	}
	before, beforeAt := showingBefore(f.text, at)
	if beforeAt < f.last {
		return true
	}
	switch g {
	case '.', ellipsis, '-', '=', '/':
		if g == '/' && isDigit(before) || g == '.' && endsWithAny(f.before(at), fields) {
			return true // the next of a list; Tel.
		}
		return !isWordly(before) && before != '/' && before != '_' && before != '%'
	case ' ':
		return gap != ' ' || !isDigit(before)
	}
	return true
}

// fields are Latin words that may touch a number.
var fields = []string{"tel", "phone", "mobile", "call", "wechat", "whatsapp", "qq", "e-mail", "email", "fax", "card", "ip"}

// endsBefore judges what is behind a number.
func (f *finder) endsBefore(end int, gap byte) bool {
	g, next := showing(f.text, end)
	switch {
	case isLatin(g):
		return startsWith(f.behind(end), fields...)
	case isWordly(g), g == '_', g == '%', g == '@' && domain(f.text, next) > 0:
		return false
	}
	behind, _ := showing(f.text, next)
	switch g {
	case '.', ellipsis, '+', '=', '#':
		return !isWordly(behind)
	case '-':
		return !isWordly(behind)
	case '/':
		return !isLetter(behind)
	case ' ':
		return gap != ' ' || !isDigit(behind) || f.startsPhone(next)
	}
	return true
}

// startsPhone says whether the digits at text[i] may be the next of a list of
// phone numbers.
func (f *finder) startsPhone(i int) bool {
	first, next := showing(f.text, i)
	second, _ := showing(f.text, next)
	return first == '0' && isDigit(second) || first == '1' && '3' <= second && second <= '9'
}
