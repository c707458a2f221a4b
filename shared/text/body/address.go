package body

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"sluice/shared/web/urlnorm"
)

const (
	maxAddressed = 60 // runes of a line
	maxAround    = 20 // runes of it beside the address
)

// markAddresses marks lines as furniture that name the site's own address and
// little else: 青岭新闻网，www.example.com.
func (l *layout) markAddresses(pageURL string) {
	domain := urlnorm.RegistrableDomain(hostOf(pageURL))
	if domain == "" {
		return
	}
	for i := range l.blocks {
		if b := &l.blocks[i]; b.runes <= maxAddressed && b.tag != atom.Pre && strings.Contains(b.text, ".") {
			b.furniture = b.furniture || addressed(b.text, domain)
		}
	}
}

// addressed says whether a line is an address of the domain with a few words. An
// e-mail address is none.
func addressed(line, domain string) bool {
	line = strings.ToLower(line)
	at := strings.Index(line, domain)
	if at < 0 {
		return false
	}
	from, to := at, at+len(domain)
	for from > 0 && inAddress(line[from-1]) {
		from--
	}
	for to < len(line) && inAddress(line[to]) {
		to++
	}
	if strings.Contains(line[from:to], "@") {
		return false
	}
	rest := strings.TrimFunc(line[:from]+line[to:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return utf8.RuneCountInString(rest) <= maxAround && !strings.ContainsAny(rest, "，。！？；")
}

// inAddress says whether addresses have a byte. Chinese text may follow without a
// space.
func inAddress(c byte) bool {
	return c > ' ' && c < utf8.RuneSelf && !strings.ContainsRune(`"'()<>[],`, rune(c))
}
