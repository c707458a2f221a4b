package page

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
	"golang.org/x/net/html"

	"sluice/shared/web/urlnorm"
)

// visibleText measures and digests the visible text as it streams by. White
// space is folded across tokens, so the mark-up between two words leaves no
// trace in the digest.
type visibleText struct {
	hash  *xxh3.Hasher
	buf   []byte
	any   bool // something was written
	space bool // white space is pending
}

// add takes the next text and returns its runes, white space not counted.
func (v *visibleText) add(text string) int {
	v.buf = v.buf[:0]
	runes := 0
	for len(text) > 0 {
		if n := spaceLen(text); n > 0 {
			v.space = v.any
			text = text[n:]
			continue
		}
		if v.space {
			v.buf = append(v.buf, ' ')
			v.space = false
		}
		word, n := nextWord(text, len(text))
		v.buf = append(v.buf, word...)
		v.any = true
		runes += n
		text = text[len(word):]
	}
	if len(v.buf) > 0 {
		// A Hasher never fails.
		_, _ = v.hash.Write(v.buf)
	}
	return runes
}

// spaceLen returns the length of the white space character at the start of
// text; 0: there is none.
func spaceLen(text string) int {
	if r, n := utf8.DecodeRuneInString(text); isSpace(r) {
		return n
	}
	return 0
}

// nextWord returns the start of valid text up to white space, at most limit runes,
// and the number of these.
func nextWord(text string, limit int) (word string, runes int) {
	at := 0
	for ; at < len(text) && runes < limit; runes++ {
		c := text[at]
		if 0xE4 <= c && c <= 0xE9 { // U+4000 to U+9FFF: nearly all of Chinese, no white space
			at += 3
			continue
		}
		if ' ' < c && c < 0x7F {
			at++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if isSpace(r) {
			break
		}
		at += n
	}
	return text[:min(at, len(text))], runes
}

func isSpace(r rune) bool {
	switch {
	case r <= ' ':
		return true
	case r < 0x80:
		return r == 0x7F
	case r > 0x3000: // nearly all of Chinese
		return r == 0xFEFF
	case r == 0xA0, r == 0x3000, r == 0x200B:
		return true
	case r < 0x1680:
		return r == 0x85
	}
	return unicode.IsSpace(r)
}

// folded collects text with white space folded, up to a number of runes; the
// rest is dropped as it arrives, so a megabyte costs no memory.
type folded struct {
	limit int
	runes int
	space bool
	buf   []byte
}

func (f *folded) reset(limit int) {
	f.limit, f.runes, f.space, f.buf = limit, 0, false, f.buf[:0]
}

func (f *folded) add(text string) {
	for len(text) > 0 && f.runes < f.limit {
		if n := spaceLen(text); n > 0 {
			f.breakWord()
			text = text[n:]
			continue
		}
		if f.space && f.runes+1 < f.limit {
			f.buf = append(f.buf, ' ')
			f.runes++
		}
		f.space = false
		word, n := nextWord(text, f.limit-f.runes)
		f.buf = append(f.buf, word...)
		f.runes += n
		text = text[len(word):]
	}
}

func (f *folded) breakWord() { f.space = f.runes > 0 }

func (f *folded) String() string { return string(f.buf) }

// fold returns s with white space folded, at most limit runes.
func fold(s string, limit int) string {
	if s == "" {
		return ""
	}
	var f folded
	f.reset(limit)
	f.add(s)
	return f.String()
}

// Visible returns the visible text of a page as it was fetched, that of links included,
// with white space folded: at most so many runes, and none if it is not text; and the links,
// as Parse does.
func Visible(body []byte, contentType string, most int, base urlnorm.URL) (string, []Link) {
	text, charset := Decode(body, contentType)
	if binary(text) {
		return "", nil
	}
	p := parser{page: &Page{}, visible: visibleText{hash: xxh3.New()}, links: newLinkSet()}
	p.links.around = newAround(most)
	p.run(html.NewTokenizer(bytes.NewReader(text)))
	p.links.closeAnchor()
	visible := p.links.around.text.String()
	p.links.around = nil // no contexts
	encode := queryEncoder(charset)
	return visible, p.links.resolve(p.base(base, encode), encode)
}

// keywords splits the content of a keywords <meta>: at commas and semicolons of
// both scripts, 、 and |; and at spaces between Chinese words, since Chinese
// text has none ("machine learning" stays whole).
func keywords(content string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(s string) {
		s = strings.TrimSpace(s)
		if s == "" || len(out) == maxKeywords || utf8.RuneCountInString(s) > maxKeyword || seen[s] {
			return
		}
		seen[s] = true
		out = append(out, s)
	}
	for item := range strings.FieldsFuncSeq(content, func(r rune) bool { return strings.ContainsRune(",，、;；|｜", r) }) {
		words := strings.FieldsFunc(item, isSpace)
		var latin []string
		flush := func() { add(strings.Join(latin, " ")); latin = latin[:0] }
		for _, w := range words {
			if strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				flush()
				add(w)
			} else {
				latin = append(latin, w)
			}
		}
		flush()
	}
	return out
}
