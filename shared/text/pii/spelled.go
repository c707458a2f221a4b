package pii

import (
	"strings"
	"unicode"
)

// A spelled sign is a word that stands for one: in brackets and in any case,
// as in name[at]host[dot]cn, or bare in capitals between spaces, as in name AT
// host DOT cn. Spaces are part of it.

// spelledMail judges what is around an at as an e-mail address, whose a may be
// at text[i].
func (f *finder) spelledMail(i int) (Match, bool) {
	if i+1 >= len(f.text) || f.text[i+1]|0x20 != 't' || i < f.urlEnd {
		return Match{}, false
	}
	at := signStart(f.text, i)
	next := signAt(f.text, at, "at")
	if next == 0 || at < f.last {
		return Match{}, false
	}
	start := f.spelledLocal(at)
	if start == at || start < f.urlEnd {
		return Match{}, false
	}
	end := spelledDomain(f.text, at, next)
	if end == 0 {
		return Match{}, false
	}
	return f.found(Email, start, end)
}

// spelledLocal is local for a local part whose points may be spelled.
func (f *finder) spelledLocal(end int) int {
	start := f.local(end)
	if start == end {
		return end
	}
	for {
		dot := dotBefore(f.text, start)
		if dot <= f.last {
			return start
		}
		first := f.local(dot)
		if first == dot || end-first > maxLocal {
			return start
		}
		start = first
	}
}

// spelledDomain returns the end of the domain at text[next:] behind the at of
// text[at:next], 0 if there is none. Behind a bare AT a point must be spelled,
// too: LOOK AT HOST.COM is prose.
func spelledDomain(text string, at, next int) int {
	end := longestDomain(text, next, true)
	if isBare(text[at:next]) && end == domain(text, next) {
		return 0
	}
	return end
}

// isBare says whether a sign has no brackets.
func isBare(sign string) bool {
	g, _ := glyphAt(sign, skipSpace(sign, 0))
	return isLatin(g)
}

// signAt returns the end of the sign at text[i:] that the word spells, 0 if
// there is none.
func signAt(text string, i int, word string) (end int) {
	start := skipSpace(text, i)
	spaced := start > i
	inside := start + bracket(text[start:], opening)
	bracketed := inside > start
	if bracketed {
		inside = skipSpace(text, inside)
	}
	end = inside + len(word)
	if end > len(text) || !strings.EqualFold(text[inside:end], word) {
		return 0
	}
	behind := skipSpace(text, end)
	if bracketed {
		size := bracket(text[behind:], closing)
		if size == 0 {
			return 0
		}
		return skipSpace(text, behind+size)
	}
	if !spaced || behind == end || strings.ContainsFunc(text[inside:end], unicode.IsLower) {
		return 0
	}
	return behind
}

// signStart returns where the sign starts whose word is at text[i].
func signStart(text string, i int) int {
	i = skipSpaceBefore(text, i)
	for _, b := range opening {
		if strings.HasSuffix(text[:i], b) {
			return skipSpaceBefore(text, i-len(b))
		}
	}
	return i
}

// dotBefore returns where the spelled point starts that ends at text[end], 0
// if there is none.
func dotBefore(text string, end int) int {
	i := skipSpaceBefore(text, end)
	for _, b := range closing {
		if strings.HasSuffix(text[:i], b) {
			i = skipSpaceBefore(text, i-len(b))
			break
		}
	}
	if i -= len("dot"); i < 0 {
		return 0
	}
	start := signStart(text, i)
	if signAt(text, start, "dot") != end {
		return 0
	}
	return start
}

// The brackets that people put around signs.
var (
	opening = []string{"(", "[", "{", "<", "（", "【", "［", "｛", "〔", "《"}
	closing = []string{")", "]", "}", ">", "）", "】", "］", "｝", "〕", "》"}
)

// bracket returns the size of the bracket that s starts with, 0 if it does not.
func bracket(s string, brackets []string) int {
	for _, b := range brackets {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	return 0
}

func isSpace(text string, i int) bool {
	g, _ := glyphAt(text, i)
	return g == ' '
}

// skipSpace returns the end of the space at text[i], i if there is none.
func skipSpace(text string, i int) int {
	if g, size := glyphAt(text, i); g == ' ' {
		return i + size
	}
	return i
}

// skipSpaceBefore returns the start of the space that ends at text[i], i if
// there is none.
func skipSpaceBefore(text string, i int) int {
	if g, size := glyphBefore(text, i); g == ' ' {
		return i - size
	}
	return i
}
