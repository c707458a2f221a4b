package textfile

import (
	"html"
	"strings"
)

// plainText returns the prose of wikitext, a paragraph a line: without
// templates, tables, files, references, formulas and mark-up. It keeps the text
// of links, and of variants of Chinese (-{zh-hans:…;zh-hant:…}-) the simplified
// one.
//
// It is a stripper, not a parser: one pass, linear in the input for any
// nesting. Elements that are never closed count as text, except for tables,
// which end with the page.
func plainText(wikitext string) string {
	s := stripper{src: wikitext, out: make([]byte, 0, len(wikitext)/2)}
	s.run()
	return tidy(html.UnescapeString(string(s.out)))
}

// construct is a kind of mark-up that nests.
type construct int

const (
	template   construct = iota // {{…}}
	table                       // {|…|} at the beginning of lines
	link                        // [[…]]
	conversion                  // -{…}-
	constructs
)

// maxOpen bounds the nesting that is looked at; each level may copy its text.
const maxOpen = 100

// opening is a construct that is still open; its text is out[start:].
type opening struct {
	kind  construct
	start int
}

type stripper struct {
	src      string
	pos      int
	out      []byte
	open     []opening
	count    [constructs]int // of open, by kind
	external int             // [http://… links open on this line
	missing  map[string]bool // elements that are not closed any more
}

func (s *stripper) run() {
	for s.pos < len(s.src) {
		n := plainRun(s.src[s.pos:])
		s.literal(n)
		if s.pos == len(s.src) {
			break
		}
		switch s.src[s.pos] {
		case '{':
			s.openBraces()
		case '}':
			s.closeBraces()
		case '|':
			s.bar()
		case '[':
			s.openBrackets()
		case ']':
			s.closeBrackets()
		case '<':
			s.tag()
		case '-':
			s.hyphen()
		case '\'':
			if n := s.runOf('\''); n > 1 {
				s.pos += n
			} else {
				s.literal(1)
			}
		case 'h':
			s.address()
		case '\n':
			s.external = 0
			s.literal(1)
		}
	}
	for _, o := range s.open {
		if o.kind == table {
			s.out = s.out[:o.start]
			break
		}
	}
}

// plainRun returns the length of the text before the next byte that may mean
// something.
func plainRun(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '}', '|', '[', ']', '<', '-', '\'', 'h', '\n':
			return i
		}
	}
	return len(text)
}

// literal copies n bytes to the output.
func (s *stripper) literal(n int) {
	s.out = append(s.out, s.src[s.pos:s.pos+n]...)
	s.pos += n
}

// runOf returns how often c is repeated here.
func (s *stripper) runOf(c byte) int {
	n := 0
	for s.pos+n < len(s.src) && s.src[s.pos+n] == c {
		n++
	}
	return n
}

// follows reports whether text is n bytes ahead.
func (s *stripper) follows(n int, text string) bool {
	return s.pos+n <= len(s.src) && strings.HasPrefix(s.src[s.pos+n:], text)
}

// begin opens a construct.
func (s *stripper) begin(kind construct) {
	if len(s.open) < maxOpen {
		s.open = append(s.open, opening{kind, len(s.out)})
		s.count[kind]++
	}
}

// end closes the innermost construct of a kind and returns its text, which is
// taken off the output. What was opened inside it and not closed is text.
func (s *stripper) end(kind construct) string {
	for {
		last := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.count[last.kind]--
		if last.kind == kind {
			text := string(s.out[last.start:])
			s.out = s.out[:last.start]
			return text
		}
	}
}

// lineStart reports whether only white space and indentation precede the
// current byte on its line.
func (s *stripper) lineStart() bool {
	i := s.pos
	for i > 0 && (s.src[i-1] == ' ' || s.src[i-1] == '\t' || s.src[i-1] == ':') {
		i--
	}
	return i == 0 || s.src[i-1] == '\n'
}

// openBraces reads {{ and {|. Braces in pairs are templates; the third one of
// a parameter {{{…}}} is dropped on both sides.
func (s *stripper) openBraces() {
	n := s.runOf('{')
	switch {
	case n > 1:
		for range min(n/2, maxOpen) {
			s.begin(template)
		}
		s.pos += n
	case s.follows(1, "|") && s.lineStart():
		s.begin(table)
		s.pos += len("{|")
	default:
		s.literal(1)
	}
}

// closeBraces reads }} and }-.
func (s *stripper) closeBraces() {
	n := s.runOf('}')
	rest := n
	for ; rest > 1 && s.count[template] > 0; rest -= 2 {
		s.end(template)
	}
	if rest == 1 && s.count[conversion] > 0 && s.follows(n, "-") {
		s.pos += n + len("-")
		s.out = append(s.out, variant(s.end(conversion))...)
		return
	}
	if n == 1 {
		s.out = append(s.out, '}')
	}
	s.pos += n
}

// bar reads |}, which ends a table; |}} rather ends a template.
func (s *stripper) bar() {
	if s.follows(1, "}") && s.count[table] > 0 && s.lineStart() &&
		(!s.follows(2, "}") || s.follows(3, "}")) {
		s.end(table)
		s.pos += len("|}")
		return
	}
	s.literal(1)
}

// hyphen reads -{.
func (s *stripper) hyphen() {
	if s.follows(1, "{") && (!s.follows(2, "{") || s.follows(3, "{")) {
		s.begin(conversion)
		s.pos += len("-{")
		return
	}
	s.literal(1)
}

// openBrackets reads [[ and [http://….
func (s *stripper) openBrackets() {
	if s.follows(1, "[") {
		s.begin(link)
		s.pos += len("[[")
		return
	}
	for _, scheme := range []string{"http://", "https://", "//", "ftp://", "mailto:"} {
		if s.follows(1, scheme) {
			s.pos += 1 + len(scheme)
			s.pos += addressRun(s.src[s.pos:])
			s.external++
			return
		}
	}
	s.literal(1)
}

// closeBrackets reads ]] and ].
func (s *stripper) closeBrackets() {
	switch {
	case s.follows(1, "]") && s.count[link] > 0:
		s.pos += len("]]")
		s.out = append(s.out, linkText(s.end(link))...)
	case s.external > 0:
		s.external--
		s.pos++
	default:
		s.literal(1)
	}
}

// address skips a URL in the text.
func (s *stripper) address() {
	for _, scheme := range []string{"http://", "https://"} {
		if s.follows(0, scheme) {
			s.pos += len(scheme)
			s.pos += addressRun(s.src[s.pos:])
			return
		}
	}
	s.literal(1)
}

// addressRun returns the length of the rest of a URL.
func addressRun(text string) int {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("[]|{}<>\"", c) >= 0 {
			return i
		}
	}
	return len(text)
}

// tidy divides stripped text into paragraphs, without marks of lists, headings
// and rules, and without the lines that remain of broken templates and tables.
func tidy(text string) string {
	text = strings.NewReplacer("（）", "", "()", "", "\u00a0", " ").Replace(text)
	out := make([]byte, 0, len(text))
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "*#:;"))
		if len(line) > 1 && line[0] == '=' && line[len(line)-1] == '=' {
			line = strings.TrimSpace(strings.Trim(line, "="))
		}
		magic := len(line) > 4 && strings.HasPrefix(line, "__") && strings.HasSuffix(line, "__")
		if line == "" || line[0] == '|' || magic || strings.Trim(line, "-=") == "" {
			continue
		}
		out = append(append(out, line...), '\n')
	}
	return strings.TrimSuffix(string(out), "\n")
}
