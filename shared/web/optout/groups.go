package optout

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	textunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// ParseRobots reads the lines of a robots.txt that speak of the use of pages,
// nil where there are none. Those about access are the business of others.
func ParseRobots(body []byte, product string) *Lines {
	g := groups{product: fold(product)}
	g.read(body)
	return newLines(g.ours())
}

// ParseAI reads an ai.txt: the format is that of robots.txt, and its Allow and
// Disallow say what may be trained on. A page of HTML in its place says
// nothing.
func ParseAI(body []byte, product string) *Lines {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n\xef\xbb\xbf"), []byte("<")) {
		return nil
	}
	g := groups{product: fold(product), access: true}
	g.read(body)
	return newLines(g.ours())
}

// groups collects the lines of the groups that may concern us. What stands
// before the first User-agent is for everybody.
type groups struct {
	product string
	access  bool // Allow and Disallow are statements

	all, star, named []line
	begun            bool // a User-agent was seen
	inStar, inNamed  bool // the groups that lines belong to now
	closed           bool // the next User-agent starts a new group
	hasNamed         bool
}

func (g *groups) ours() []line {
	if g.hasNamed {
		return append(g.all, g.named...)
	}
	return append(g.all, g.star...)
}

func (g *groups) read(body []byte) {
	if len(body) > MaxFile {
		// Half a line would mean something else.
		body = body[:bytes.LastIndexAny(body[:MaxFile], "\r\n")+1]
	}
	for rest := toUTF8(body); len(rest) > 0; {
		text := rest
		if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
			text, rest = rest[:end], rest[end+1:]
		} else {
			rest = nil
		}
		// A comment may be longer, and in any encoding.
		if text, _, _ = bytes.Cut(text, []byte("#")); len(text) <= maxLine && utf8.Valid(text) {
			g.line(strings.TrimSpace(string(text)))
		}
	}
}

func (g *groups) line(text string) {
	key, value, ok := cutLine(text)
	if !ok {
		return
	}
	switch key {
	case "useragent":
		g.userAgent(value)
		return
	case "allow", "disallow", "crawldelay":
		g.closed = true
		if !g.access {
			return
		}
	}
	if ln, ok := readLine(key, value, text); ok {
		g.closed = true
		g.add(ln)
	}
}

func (g *groups) add(ln line) {
	put := func(to *[]line) {
		if len(*to) < maxRules {
			*to = append(*to, ln)
		}
	}
	if !g.begun {
		put(&g.all)
	}
	if g.inStar {
		put(&g.star)
	}
	if g.inNamed {
		put(&g.named)
	}
}

// userAgent begins a group, or adds another name to it. Groups of the same name
// are one (RFC 9309, 2.2.1).
func (g *groups) userAgent(value string) {
	if g.closed || !g.begun {
		g.inStar, g.inNamed, g.closed, g.begun = false, false, false, true
	}
	name := value
	if end := strings.IndexFunc(value, notInToken); end >= 0 {
		name = value[:end] // "Sluice/1.0" means us
	}
	switch {
	case strings.HasPrefix(value, "*"):
		g.inStar = true
	case fold(name) == g.product:
		g.inNamed, g.hasNamed = true, true
	}
}

func notInToken(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '-' || r == '_')
}

// cutLine splits a line at its colon. The key comes in lower case, and without
// what people put between its words.
func cutLine(text string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text, ":")
	key = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
	return key, strings.TrimSpace(value), ok
}

// toUTF8 undoes UTF-16 and takes away the byte order mark.
func toUTF8(body []byte) []byte {
	if decoded, _, err := transform.Bytes(textunicode.BOMOverride(transform.Nop), body); err == nil {
		return decoded
	}
	return body
}
