package pii

import (
	"regexp"
	"strings"
)

// Brackets that people put around a spelled sign, as in name[at]host[dot]cn.
const (
	opening = `[(\[{<（【［]`
	closing = `[)\]}>）】］]`
)

var (
	spelledAt  = regexp.MustCompile(`^ ?` + opening + ` ?(?i:at) ?` + closing + ` ?`)
	spelledDot = regexp.MustCompile(` ?` + opening + ` ?(?i:dot) ?` + closing + ` ?|\.`)
	spelledEnd = regexp.MustCompile(`^[0-9A-Za-z-]+(?:(?:` + spelledDot.String() + `)[0-9A-Za-z-]+)+`)
)

// spelledMail judges what is around an at in brackets, whose a may be at
// text[i], as an e-mail address.
func (f *finder) spelledMail(i int) (match, bool) {
	if i+1 >= len(f.text) || f.text[i+1]|0x20 != 't' || i < f.urlEnd {
		return match{}, false
	}
	at := skipSpaceBefore(f.text, i)
	if _, size := glyphBefore(f.text, at); at > 0 {
		at = skipSpaceBefore(f.text, at-size)
	}
	start := at
	if at > f.last {
		start = f.local(at)
	}
	if start == at || start < f.urlEnd {
		return match{}, false
	}
	next := at + len(spelledAt.FindString(f.text[at:min(len(f.text), i+window)]))
	if next == at {
		return match{}, false
	}
	host := spelledEnd.FindString(f.text[next:min(len(f.text), next+maxDomain)])
	if host == "" {
		return match{}, false
	}
	if plain := spelledDot.ReplaceAllString(host, "."); domain(plain, 0) != len(plain) {
		return match{}, false
	}
	return f.found(Email, start, next+len(host))
}

// skipSpaceBefore returns the start of the space that ends at text[i], i if
// there is none.
func skipSpaceBefore(text string, i int) int {
	return i - (len(text[:i]) - len(strings.TrimSuffix(text[:i], " ")))
}
