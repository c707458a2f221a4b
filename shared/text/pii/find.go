package pii

import "strings"

// finder goes through a text once.
type finder struct {
	text string
	pos  int // what is before it has been read
	last int // end of the last match

	// In a URL, host is where its host starts and urlEnd where it ends.
	host, urlEnd int
}

// trigger is what the first byte of something may be.
type trigger uint8

const (
	digitByte trigger = 1 + iota
	wideByte          // the first byte of full-width forms
	atByte
	colonByte
	aByte
)

// triggers are dense enough for a table: most of a text is passed over at a
// load and a comparison a byte.
var triggers = [256]trigger{
	'0': digitByte, '1': digitByte, '2': digitByte, '3': digitByte, '4': digitByte,
	'5': digitByte, '6': digitByte, '7': digitByte, '8': digitByte, '9': digitByte,
	0xEF: wideByte, '@': atByte, ':': colonByte, 'a': aByte, 'A': aByte,
}

// next returns the next match.
func (f *finder) next() (match, bool) {
	for i := f.pos; i < len(f.text); {
		t := triggers[f.text[i]]
		if t == 0 {
			i++
			continue
		}
		m, next, ok := f.try(t, i)
		if ok {
			f.pos, f.last = m.End, m.End
			return m, true
		}
		i = next
	}
	f.pos = len(f.text)
	return match{}, false
}

// try looks for a match that begins at text[i]; next is where to continue if
// there is none.
func (f *finder) try(t trigger, i int) (m match, next int, ok bool) {
	size := 1
	if t == wideByte {
		var g byte
		g, size = glyphAt(f.text, i)
		switch {
		case isDigit(g):
			t = digitByte
		case g == '@':
			t = atByte
		default:
			return match{}, i + size, false
		}
	}
	switch t {
	case digitByte:
		m, ok = f.number(i)
		return m, skipDigits(f.text, i), ok
	case colonByte:
		f.enterURL(i)
	case atByte:
		m, ok = f.mail(i, i+size)
	case aByte:
		m, ok = f.spelledMail(i)
	}
	return m, i + size, ok
}

func skipDigits(text string, i int) int {
	for {
		g, size := glyphAt(text, i)
		if !isDigit(g) {
			return i
		}
		i += size
	}
}

// enterURL notes where the URL ends whose "://" may be at text[i].
func (f *finder) enterURL(i int) {
	if i < f.urlEnd || !strings.HasPrefix(f.text[i:], "://") || i == 0 || !isLatin(f.text[i-1]) {
		return
	}
	f.host = i + len("://")
	// A masked host is one still.
	f.urlEnd = skipURL(f.text, f.host+len(maskPrefix(f.text[f.host:])))
}

func skipURL(text string, i int) int {
	for i < len(text) && '!' <= text[i] && text[i] <= '~' && strings.IndexByte("<>\"'`{}|\\^", text[i]) < 0 {
		i++
	}
	return i
}

// window is how far, in bytes, text before or behind a match is looked at.
const window = 64

// maskPrefix returns the mask that text starts with, if it does.
func maskPrefix(text string) string {
	for _, k := range [...]Kind{Mobile, IDNumber, Email, BankCard, IP} {
		if strings.HasPrefix(text, string(k)) {
			return string(k)
		}
	}
	return ""
}

// found makes a match of text[start:end], unless a mask is near.
func (f *finder) found(k Kind, start, end int) (match, bool) {
	near := f.text[max(f.last, start-window-len(IP)):min(len(f.text), end+window+len(IP))]
	for {
		i := strings.IndexByte(near, '<')
		if i < 0 {
			return match{k, start, end}, true
		}
		if near = near[i:]; maskPrefix(near) != "" {
			return match{}, false
		}
		near = near[1:]
	}
}
