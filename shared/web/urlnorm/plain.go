package urlnorm

import (
	"net/netip"
	"strings"
)

// The fast path. Most links of a page are canonical as written, or after the
// scheme and host, or the directory, of their page are put in front. The
// functions of this file recognise those in one pass; if they are not sure they
// return false and the slow path decides. A property test checks that both give the
// same results.

// joinPlain resolves ref against u, which may be zero, if the result needs no
// normalising.
func (u URL) joinPlain(ref string) (joined URL, ok bool) {
	switch {
	case !u.IsZero() && strings.HasPrefix(ref, u.s[:u.authEnd+1]):
		return u.same(ref), plainPath(ref[u.authEnd+1:])
	case strings.HasPrefix(ref, "http"):
		if isPlain(ref) {
			return index(ref), true
		}
		if isPlainBare(ref) {
			return index(ref + "/"), true
		}
	case strings.HasPrefix(ref, "//"):
		if s := u.Scheme() + ":" + ref; !u.IsZero() && isPlain(s) {
			return index(s), true
		}
		return URL{}, false
	}
	if u.IsZero() {
		return URL{}, false
	}
	s := ""
	switch {
	case ref == "":
		return u, true
	case ref[0] == '/':
		ok = plainPath(ref[1:])
		s = u.s[:u.authEnd] + ref
	case ref[0] == '?':
		ok = plainQuery(ref[1:])
		s = u.s[:u.pathEnd] + ref
	default:
		ref = strings.TrimPrefix(ref, "./")
		ok = ref != "" && ref[0] != '/' && ref[0] != '?' && !hasSchemeColon(ref) && plainPath(ref)
		s = u.s[:u.authEnd] + u.Path()[:strings.LastIndexByte(u.Path(), '/')+1] + ref
	}
	return u.same(s), ok
}

// same is index for a URL with the scheme and authority of u.
func (u URL) same(s string) URL {
	path, _, _ := strings.Cut(s[u.authEnd:], "?")
	u.s, u.pathEnd = s, u.authEnd+uint16(len(path))
	return u
}

// hasSchemeColon reports whether a colon in the first segment of a relative
// reference could end a scheme.
func hasSchemeColon(ref string) bool {
	scheme, _, colon := strings.Cut(ref, ":")
	return colon && !strings.ContainsAny(scheme, "/?")
}

// isPlain reports whether s is an absolute URL that is evidently canonical.
func isPlain(s string) bool {
	auth, path, hasPath, ok := splitPlain(s)
	return ok && hasPath && plainAuthority(auth, s) && plainPath(path)
}

// isPlainBare reports whether s is isPlain except that it lacks the path "/".
func isPlainBare(s string) bool {
	auth, _, hasPath, ok := splitPlain(s)
	return ok && !hasPath && plainAuthority(auth, s)
}

// splitPlain splits an http or https URL; path is without its "/".
func splitPlain(s string) (auth, path string, hasPath, ok bool) {
	rest, ok := strings.CutPrefix(s, "http://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "https://")
	}
	auth, path, hasPath = strings.Cut(rest, "/")
	return auth, path, hasPath, ok
}

// plainAuthority reports whether auth is host[:port] in canonical form.
func plainAuthority(auth, url string) bool {
	host, port, hasPort := strings.Cut(auth, ":")
	if hasPort && !plainPort(port, strings.HasPrefix(url, "https")) {
		return false
	}
	return plainHost(host)
}

func plainPort(port string, https bool) bool {
	if port == "" || len(port) > 5 || port[0] == '0' {
		return false
	}
	n := 0
	for i := range len(port) {
		if !isDigit(port[i]) {
			return false
		}
		n = n*10 + int(port[i]-'0')
	}
	return n <= 65535 && !(https && n == 443) && !(!https && n == 80)
}

// plainHost reports whether host is an IPv4 address, or a name of lower-case
// labels. Labels with "--" may be punycode, which the slow path checks.
func plainHost(host string) bool {
	if host == "" || len(host) > 253 {
		return false
	}
	start := 0
	for i := 0; i <= len(host); i++ {
		if i == len(host) || host[i] == '.' {
			if i == start || i-start > 63 || host[i-1] == '-' {
				return false
			}
			if i < len(host) {
				start = i + 1
			}
			continue
		}
		c := host[i]
		if c == '-' && (i == start || host[i-1] == '-') {
			return false
		}
		if !('a' <= c && c <= 'z') && !isDigit(c) && c != '-' {
			return false
		}
	}
	if isDigit(host[start]) { // the last label: "0x7f" and "1" are addresses too
		addr, err := netip.ParseAddr(host)
		return err == nil && addr.Is4()
	}
	return true
}

// plainPath reports whether s, the rest of a path from the start of a segment,
// and the query behind it, need no normalising.
func plainPath(s string) bool {
	segment := true // at the start of one
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isAlpha(c), isDigit(c), c == '-', c == '_', c == '~', c == ',', c == '=', c == '+',
			c == '!', c == '$', c == '&', c == '*', c == ':', c == '@':
		case c == '.':
			if segment { // may be a dot segment
				return false
			}
		case c == '%':
			if !plainEscape(s[i:]) {
				return false
			}
			i += 2
		case c == '?':
			return plainQuery(s[i+1:])
		case c != '/':
			return false
		}
		segment = c == '/'
	}
	return true
}

// plainQuery reports whether a query needs no normalising and keeps all parts.
func plainQuery(s string) bool {
	for s != "" {
		n := 0
		for n < len(s) && s[n] != '&' {
			c := s[n]
			switch {
			case isUnreserved(c), c == '=', c == ',', c == '+', c == '!', c == '$',
				c == '*', c == ':', c == '@', c == '/', c == '?', c == '(', c == ')':
			case c == '%':
				if !plainEscape(s[n:]) {
					return false
				}
				n += 2
			default:
				return false
			}
			n++
		}
		if n == 0 || unwanted(s[:n]) {
			return false
		}
		if n == len(s) {
			return true
		}
		s = s[n+1:]
	}
	return false // nothing behind "?", or "&" at the end
}

// plainEscape reports whether s begins with an escape in canonical form.
func plainEscape(s string) bool {
	if len(s) < 3 || !isUpperHex(s[1]) || !isUpperHex(s[2]) {
		return false
	}
	return !isUnreserved(unhex(s[1])<<4 | unhex(s[2]))
}

func isUpperHex(c byte) bool { return isDigit(c) || 'A' <= c && c <= 'F' }
