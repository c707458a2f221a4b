package pathmatch

import "strings"

// canonicalPattern writes a pattern as canonical writes a path, and leaves its
// wildcards and the "$" at its end.
func canonicalPattern(s string) string {
	s, anchored := strings.CutSuffix(s, "$")
	s = canonical(s, true)
	if anchored {
		s += "$"
	}
	return s
}

// canonical writes a path so that equal ones have equal bytes (RFC 9309,
// 2.2.2): percent escapes in upper case, unreserved characters bare, all that a
// URL can't hold escaped. "*" and "$" are escaped, since in patterns their bare
// forms mean something else.
func canonical(s string, wildcards bool) string {
	i := 0
	for i < len(s) && plain(s[i], wildcards) {
		i++
	}
	if i == len(s) {
		return s
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:i])
	for ; i < len(s); i++ {
		c := s[i]
		if plain(c, wildcards) {
			b.WriteByte(c)
			continue
		}
		if v, ok := escaped(s[i:]); ok {
			i += 2
			if unreserved(v) {
				b.WriteByte(v)
				continue
			}
			c = v
		}
		b.WriteString(string([]byte{'%', hex[c>>4], hex[c&15]}))
	}
	return b.String()
}

// plain reports whether a byte represents itself. A "%" never does: one that
// starts no escape becomes "%25".
func plain(c byte, wildcards bool) bool {
	switch c {
	case '/', '?', ':', '@', '!', '&', '\'', '(', ')', '+', ',', ';', '=', '[', ']':
		return true
	case '*':
		return wildcards
	}
	return unreserved(c)
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

// escaped reads the percent escape that s begins with.
func escaped(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	hi, lo := unhex(s[1]), unhex(s[2])
	return hi<<4 | lo, hi < 16 && lo < 16
}

// unhex returns the value of a hexadecimal digit, 16 and more for others.
func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
