package pii

import (
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// maxLocal is how long the part before the @ may be (RFC 5321).
const maxLocal = 64

// maxDomain is how long a domain may be, in bytes: 253 characters, wide ones
// included only as long as they are few.
const maxDomain = 253

// mail judges what is around the @ at text[at:next] as an e-mail address.
func (f *finder) mail(at, next int) (Match, bool) {
	start := f.local(at)
	if start == at || isSpace(f.text, next) {
		return f.spacedMail(at, next)
	}
	end := domain(f.text, next)
	if end == 0 || at < f.urlEnd && !f.inQuery(at) || f.isRemote(start, at, end) || isSource(f.text[start:at], f.text[next:end]) {
		return Match{}, false
	}
	return f.found(Email, start, end)
}

// local returns where the local part starts that ends at text[end]: end if
// there is none. It is read as people write it: letters, digits and ._%+-, of
// ASCII, which Chinese characters may touch.
func (f *finder) local(end int) int {
	if g, _ := showingBefore(f.text, end); !isWordly(g) && g != '_' && g != '-' {
		return end
	}
	start := end // after the last character that an address may start with
	i := end
	for n := 0; ; n++ {
		g, at := showingBefore(f.text, i)
		if at < f.last || g == 0 || !isDigit(g) && !isLatin(g) && strings.IndexByte("._%+-", g) < 0 {
			if g == '@' && at >= f.last { // a name on a service: @name@host
				return end
			}
			return start
		}
		if n == maxLocal {
			return end
		}
		if isDigit(g) || isLatin(g) || g == '_' {
			start = at
		}
		i = at
	}
}

// inQuery says whether a query starts, not far before text[i], in the URL that
// is there. In the rest of URLs an @ is before a host, a name or a version.
func (f *finder) inQuery(i int) bool {
	return strings.IndexByte(f.text[max(f.host, i-window):i], '?') >= 0
}

// isRemote says whether text[start:end], with an @ at text[at], is what git and
// scp call a remote: git@github.com:owner/name.
func (f *finder) isRemote(start, at, end int) bool {
	switch f.text[start:at] {
	case "git", "svn", "hg":
		return true
	}
	path, isPath := strings.CutPrefix(f.behind(end), ":")
	if !isPath || path == "" {
		return false
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '/', c == '~' && i == 0:
			return true
		case !isWordly(c) && strings.IndexByte("._-", c) < 0:
			return false
		}
	}
	return false
}

// isSource says whether local@host is what is left of code, a capitalised
// annotation behind a word with a capital, before the ending of a source file:
// Foo@Override.java.
func isSource(local, host string) bool {
	name, suffix, _ := strings.Cut(host, ".")
	switch suffix {
	case "java", "py", "rs", "sh":
		return isCapital(local) && isCapital(name)
	}
	return false
}

func isCapital(word string) bool {
	return len(word) > 1 && 'A' <= word[0] && word[0] <= 'Z' && 'a' <= word[1] && word[1] <= 'z'
}

// domain returns the end of the domain at text[i:], the longest that ends in a
// top-level domain; 0 if there is none.
func domain(text string, i int) int {
	return longestDomain(text, i, false)
}

// longestDomain is domain, for domains whose points are spelled too or not.
func longestDomain(text string, i int, spelled bool) int {
	text = text[:min(len(text), i+maxDomain)]
	best := 0
	for labels := 0; ; labels++ {
		end, next := domainLabel(text, i)
		if end == i {
			return best
		}
		if labels > 0 {
			if tld := topLevel(text[i:end]); tld > 0 {
				best = i + tld
			}
		}
		if next == end && spelled {
			next = max(end, signAt(text, end, "dot"))
		}
		if next == end { // no point behind it
			return best
		}
		i = next
	}
}

// domainLabel returns where the label at text[i:] ends, and where the next one
// starts, if there is a point: at end if not. A label is Chinese or not: the
// text behind an address may be, without a space.
func domainLabel(text string, i int) (end, next int) {
	end = i
	hanLabel := false
	for {
		g, after := showing(text, end)
		switch {
		case g == '.' && end > i:
			return end, after
		case g == han:
			if end == i {
				hanLabel = true
			} else if !hanLabel {
				return end, end
			}
		case isWordly(g), g == '-' && end > i:
			if hanLabel {
				return end, end
			}
		default:
			return end, end
		}
		end = after
	}
}

// topLevel returns how much of a label is a top-level domain that exists, or is
// reserved for examples (RFC 2606), 0 if none: what a hyphen parts from it, or
// a capital after small letters, is text that lost its space.
func topLevel(label string) int {
	const longest = len("xn--vermgensberatung-pwb")
	var name []byte
	end := 0
	for end < len(label) {
		g, next := showing(label, end)
		if g == '-' && !strings.HasPrefix(strings.ToLower(label), "xn--") {
			break
		}
		if 'A' <= g && g <= 'Z' && end > 0 && 'a' <= label[end-1] && label[end-1] <= 'z' {
			break
		}
		if g < none {
			if 'A' <= g && g <= 'Z' {
				g |= 0x20
			}
			name = append(name, g)
		} else {
			name = append(name, label[end:next]...)
		}
		if end = next; len(name) > longest {
			return 0
		}
	}
	switch ascii, err := idna.ToASCII(string(name)); {
	case err != nil:
		return 0
	case ascii == "example", ascii == "test", ascii == "invalid":
		return end
	default:
		if _, exists := publicsuffix.PublicSuffix("x." + ascii); !exists {
			return 0
		}
		return end
	}
}
