// Package pathmatch matches URL paths against the patterns of robots.txt (RFC
// 9309, 2.2.2), which ai.txt and TDMRep use, too: "*" matches any bytes, "$" at
// the end matches the end of the path, every other byte matches itself.
package pathmatch

import "strings"

// Pattern is a pattern in canonical form, cut at its wildcards. It does not
// change and is safe for concurrent use. The zero value is the pattern "".
type Pattern struct {
	text     string
	parts    []string // must follow in order; the first one starts the path
	anchored bool     // nothing may follow the last part
}

// Compile reads a pattern of any content.
func Compile(pattern string) Pattern {
	p := Pattern{text: canonicalPattern(pattern)}
	pattern, p.anchored = strings.CutSuffix(p.text, "$")
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	p.parts = parts[:1]
	for i, part := range parts[1:] {
		if part != "" || i+1 == last { // "**" says no more than "*"
			p.parts = append(p.parts, part)
		}
	}
	return p
}

// String returns the canonical form; Compile makes the same pattern of it. Its
// length is the pattern's precedence.
func (p *Pattern) String() string { return p.text }

// Match reports whether the pattern matches a path from Path.
//
// It takes the leftmost place for every part. That suffices, as an earlier
// match leaves more room for the next: there is no backtracking, and the time
// is linear in the path, times the cost of one search.
func (p *Pattern) Match(path string) bool {
	if len(p.parts) == 0 {
		return true
	}
	rest, ok := strings.CutPrefix(path, p.parts[0])
	if !ok {
		return false
	}
	last := len(p.parts) - 1
	if last == 0 {
		return !p.anchored || rest == ""
	}
	for _, part := range p.parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	if p.anchored {
		return strings.HasSuffix(rest, p.parts[last])
	}
	return strings.Contains(rest, p.parts[last])
}

// Path returns path and query of an absolute URL or of a path, in the canonical
// form for Match. It returns its own results unchanged.
func Path(rawURL string) string { return canonical(pathOf(rawURL), false) }

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
