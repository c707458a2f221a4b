package hosts

import (
	"cmp"
	"slices"
	"strings"
)

// rule is one Allow or Disallow line, its pattern cut at the wildcards.
type rule struct {
	pattern  string // canonical; its length is its precedence
	allow    bool
	parts    []string // what has to follow in order; the first one starts the path
	anchored bool     // nothing may follow the last part
}

func newRule(pattern string, allow bool) rule {
	r := rule{pattern: pattern, allow: allow}
	pattern, r.anchored = strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	r.parts = parts[:1]
	for i, p := range parts[1:] {
		if p != "" || i+1 == last { // "**" says no more than "*"
			r.parts = append(r.parts, p)
		}
	}
	return r
}

// match takes the leftmost place for every part. That is enough, as a part
// found earlier leaves more room for the next; so no backtracking, and the time
// is linear in the path but for what one search costs.
func (r *rule) match(path string) bool {
	rest, ok := strings.CutPrefix(path, r.parts[0])
	if !ok {
		return false
	}
	last := len(r.parts) - 1
	if last == 0 {
		return !r.anchored || rest == ""
	}
	for _, p := range r.parts[1:last] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	if r.anchored {
		return strings.HasSuffix(rest, r.parts[last])
	}
	return strings.Contains(rest, r.parts[last])
}

// sortRules puts the rule that decides first: longest pattern, then Allow.
func sortRules(rules []rule) []rule {
	slices.SortFunc(rules, func(a, b rule) int {
		if c := cmp.Compare(len(b.pattern), len(a.pattern)); c != 0 {
			return c
		}
		if a.allow != b.allow {
			if a.allow {
				return -1
			}
			return 1
		}
		return strings.Compare(a.pattern, b.pattern)
	})
	return slices.CompactFunc(rules, func(a, b rule) bool { return a.allow == b.allow && a.pattern == b.pattern })
}

// pathOf returns path and query of an absolute URL or of a path.
func pathOf(rawURL string) string {
	s, _, _ := strings.Cut(rawURL, "#")
	if !strings.HasPrefix(s, "/") {
		if _, after, ok := strings.Cut(s, "://"); ok {
			s = after
		}
		start := strings.IndexAny(s, "/?")
		if start < 0 {
			return "/"
		}
		s = s[start:]
	}
	if s[0] == '?' {
		return "/" + s
	}
	return s
}

// canonicalPath writes a path so that equal ones have equal bytes (RFC 9309,
// 2.2.2): percent escapes in upper case, unreserved characters bare, all that a
// URL can't hold escaped. "*" and "$" are escaped, since in patterns their bare
// forms mean something else.
func canonicalPath(s string) string { return canonical(s, false) }

// canonicalPattern does the same with the pattern of a rule, and leaves its
// wildcards and the "$" at its end.
func canonicalPattern(s string) string {
	s, anchored := strings.CutSuffix(s, "$")
	s = canonical(s, true)
	if anchored {
		s += "$"
	}
	return s
}

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

// plain reports whether a byte stands for itself. A "%" never does: one that
// begins no escape becomes "%25".
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
