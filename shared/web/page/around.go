package page

import (
	"strings"
	"unicode/utf8"
)

// around holds the visible text of a page, to cut the contexts of links from. A nil
// one holds nothing.
type around struct{ text folded }

// newAround holds so many runes at most.
func newAround(most int) *around {
	a := &around{}
	a.text.reset(most)
	return a
}

func (a *around) add(text string) {
	if a != nil {
		a.text.add(text)
	}
}

func (a *around) breakWord() {
	if a != nil {
		a.text.breakWord()
	}
}

// here is the place of the text that comes next.
func (a *around) here() int {
	if a == nil {
		return 0
	}
	return len(a.text.buf)
}

// context returns the text before and behind an anchor.
func (a *around) context(from, to int) string {
	if a == nil {
		return ""
	}
	start, end := from, to
	for n := 0; n < maxAround && start > 0; n++ {
		_, size := utf8.DecodeLastRune(a.text.buf[:start])
		start -= size
	}
	for n := 0; n < maxAround && end < len(a.text.buf); n++ {
		_, size := utf8.DecodeRune(a.text.buf[end:])
		end += size
	}
	return strings.TrimSpace(string(a.text.buf[start:from]) + " " + strings.TrimSpace(string(a.text.buf[to:end])))
}
