package textfile

import "strings"

// tag reads a construct that starts with "<": a comment, an element, or the
// character.
func (s *stripper) tag() {
	if s.follows(0, "<!--") {
		_, after, ok := strings.Cut(s.src[s.pos:], "-->")
		if !ok {
			after = ""
		}
		s.pos = len(s.src) - len(after)
		return
	}
	rest := s.src[s.pos+1:]
	end := strings.IndexAny(rest, "<>")
	name := tagName(rest)
	if name == "" || end < 0 || rest[end] == '<' {
		s.literal(1)
		return
	}
	closing, empty := rest[0] == '/', rest[end-1] == '/'
	s.pos += 1 + end + len(">")
	switch {
	case breaks(name):
		s.out = append(s.out, '\n')
	case closing || empty:
	case name == "nowiki":
		if inside, ok := s.element(name); ok {
			s.out = append(s.out, inside...)
		}
	case noProse(name):
		s.element(name)
	}
}

// element skips to the end of the element whose tag was just read and returns
// what was inside. Without an end tag nothing is skipped.
func (s *stripper) element(name string) (string, bool) {
	if s.missing[name] {
		return "", false
	}
	for from := s.pos; ; {
		i := strings.Index(s.src[from:], "</")
		if i < 0 {
			break
		}
		at := from + i
		from = at + len("</")
		if tagName(s.src[at+1:]) != name {
			continue
		}
		inside := s.src[s.pos:at]
		s.pos = len(s.src)
		if end := strings.IndexByte(s.src[from:], '>'); end >= 0 {
			s.pos = from + end + 1
		}
		return inside, true
	}
	// Looked for once only: else a page of open tags would take forever.
	if s.missing == nil {
		s.missing = make(map[string]bool)
	}
	s.missing[name] = true
	return "", false
}

// tagName returns the name, in lower case, of a tag without its "<"; "" if it
// is not a tag.
func tagName(text string) string {
	const longest = len("syntaxhighlight")
	text = strings.TrimPrefix(text, "/")
	n := 0
	for n < len(text) && n <= longest && isLetterOrDigit(text[n]) {
		n++
	}
	if n == 0 || text[0] <= '9' {
		return ""
	}
	return strings.ToLower(text[:n])
}

func isLetterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// noProse names the elements that go with all they hold.
func noProse(name string) bool {
	switch name {
	case "ref", "references", "math", "chem", "ce", "gallery", "source", "syntaxhighlight", "timeline", "score",
		"imagemap", "graph", "mapframe", "maplink", "templatedata", "hiero", "style", "script", "table", "includeonly":
		return true
	}
	return false
}

// breaks names the elements that end a line.
func breaks(name string) bool {
	switch name {
	case "br", "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "hr", "blockquote", "center", "h1", "h2", "h3", "h4", "h5", "h6":
		return true
	}
	return false
}
