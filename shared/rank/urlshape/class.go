package urlshape

import "strings"

// Class returns the class of a path part: parts that are alike, such as dates, numbers and
// ids, have one.
func Class(part string) string { return classOf(part) }

// classOf returns the class of a path part, for the path form: digits become
// "#" (so that all dates of one notation are one class, and all numbers), ids
// of mixed letters and digits "*", slugs of four or more words "~". Words,
// separators and extensions are kept: they distinguish sections. Case is
// ignored.
//
//	gn                → gn           9142537.shtml                       → #.shtml
//	03-30             → #-#          article-15188-1.html                → article-#-#.html
//	t20200330_1.html  → t#_#.html    VIDEWhgIDDU7ge09fcLm4bfE231004.shtml → *.shtml
func classOf(text string) string {
	stem, extension := strings.ToLower(text), ""
	if dot := strings.LastIndexByte(stem, '.'); dot > 0 && isWord(stem[dot+1:]) {
		stem, extension = stem[:dot], stem[dot:]
	}
	if isSlug(stem) {
		return "~" + extension
	}
	var b strings.Builder
	for stem != "" {
		n := 0
		for n < len(stem) && isAlphanumeric(stem[n]) {
			n++
		}
		if n > 0 {
			writeRun(&b, stem[:n])
		} else {
			n = 1
			b.WriteByte(stem[0])
		}
		stem = stem[n:]
	}
	b.WriteString(extension)
	return b.String()
}

// writeRun writes the class of a run of letters and digits.
func writeRun(b *strings.Builder, run string) {
	const (
		idLen     = 8 // the shortest id
		idChanges = 3 // and goes to and fro between letters and digits
	)
	changes := 0
	for i := 1; i < len(run); i++ {
		if isDigit(run[i]) != isDigit(run[i-1]) {
			changes++
		}
	}
	if len(run) >= idLen && changes >= idChanges {
		b.WriteByte('*')
		return
	}
	for i := range len(run) {
		switch {
		case !isDigit(run[i]):
			b.WriteByte(run[i])
		case i == 0 || !isDigit(run[i-1]):
			b.WriteByte('#')
		}
	}
}

// isSlug reports whether s is a title in an address: four or more words.
func isSlug(s string) bool {
	words := 0
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' || r == '+' }) {
		if isWord(word) {
			words++
		}
	}
	return words >= 4
}

// isWord reports whether s begins with a letter and has only letters and digits.
func isWord(s string) bool {
	for i := range len(s) {
		if !isAlphanumeric(s[i]) {
			return false
		}
	}
	return s != "" && !isDigit(s[0])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlphanumeric(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }
