package pii

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// maxLocal is how long the part before the @ may be (RFC 5321).
const maxLocal = 64

// maxDomain is how long a domain may be, in bytes (RFC 1035).
const maxDomain = 253

// mail judges what is around the @ at text[at:next] as an e-mail address.
func (f *finder) mail(at, next int) (match, bool) {
	start := f.local(at)
	end := domain(f.text, next)
	if start == at || end == 0 || at < f.urlEnd || f.isRemote(start, at, end) {
		return match{}, false
	}
	return f.found(Email, start, end)
}

// local returns the start of the local part that ends at text[end]; end if
// there is none. It is read as people write it: ASCII letters, digits and
// ._%+-, which Chinese characters may touch.
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

// domain returns the end of the domain at text[i:], the longest that ends in a
// top-level domain; 0 if there is none.
func domain(text string, i int) int {
	text = text[:min(len(text), i+maxDomain)]
	best := 0
	for labels := 0; ; labels++ {
		end := i
		for {
			g, after := showing(text, end)
			if !isDigit(g) && !isLatin(g) && (g != '-' || end == i) {
				break
			}
			end = after
		}
		if end == i {
			return best
		}
		if labels > 0 {
			if tld := topLevel(text[i:end]); tld > 0 {
				best = i + tld
			}
		}
		g, next := showing(text, end)
		if g != '.' {
			return best
		}
		i = next
	}
}

// topLevel returns how much of a label is a top-level domain that exists, or is
// reserved for examples (RFC 2606), 0 if none: a capital after small letters is
// text that lost its space.
func topLevel(label string) int {
	const longest = len("xn--vermgensberatung-pwb")
	var name [longest]byte
	n, end := 0, 0
	for end < len(label) {
		g, next := showing(label, end)
		if 'A' <= g && g <= 'Z' && end > 0 && 'a' <= label[end-1] && label[end-1] <= 'z' {
			break
		}
		if n == longest {
			return 0
		}
		if 'A' <= g && g <= 'Z' {
			g |= 0x20
		}
		name[n] = g
		n, end = n+1, next
	}
	switch tld := string(name[:n]); tld {
	case "example", "test", "invalid":
		return end
	default:
		if _, exists := publicsuffix.PublicSuffix("x." + tld); !exists {
			return 0
		}
		return end
	}
}
