// Package robotstxt reads the lines and groups of robots.txt (RFC 9309) and of
// files in its format, such as ai.txt.
package robotstxt

import (
	"bytes"
	"strings"
	"unicode"

	textunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// MaxFile is how many bytes of a file are read (RFC 9309, 2.5).
const MaxFile = 500 << 10

// Line is a line that states something.
type Line struct {
	// Key is one of "allow", "disallow", "crawldelay", "sitemap",
	// "allowaitraining", "disallowaitraining", "contentsignal", "contentusage".
	Key   string
	Value string // as written, without the spaces around it
	Text  string // the whole line, without its comment

	// Ours reports whether the line is in the group for the product, or, if no
	// group names the product, in that for "*". A list of User-agent lines ends
	// at Allow or Disallow (RFC 9309, 2.2.1), so it may contain a line of
	// another kind. For OursStrict a list ends at any statement except Sitemap,
	// and every name that starts with "*" is "*".
	Ours, OursStrict bool
	Before           bool // before the first User-agent
}

// Read reads a file with any content: it skips lines that state nothing, and
// everything beyond MaxFile. It understands UTF-8, with or without a byte order
// mark, and UTF-16 with one.
func Read(body []byte, product string) []Line {
	if len(body) > MaxFile {
		// A truncated line would forbid more than the whole one.
		body = body[:bytes.LastIndexAny(body[:MaxFile], "\r\n")+1]
	}
	var lines []Line
	var audiences []audience
	list, strict := group{product: product}, group{product: product, anyStar: true}
	for text := range strings.FieldsFuncSeq(string(UTF8(body)), func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, ok := Parse(text)
		switch {
		case !ok:
			continue
		case line.Key == "useragent":
			list.agent(line.Value)
			strict.agent(line.Value)
			continue
		case line.Key == "allow", line.Key == "disallow":
			list.closed, strict.closed = true, true
		case line.Key != "sitemap":
			strict.closed = true
		}
		line.Before = !list.begun
		lines = append(lines, line)
		audiences = append(audiences, audience{list.members, strict.members})
	}
	for i, a := range audiences {
		lines[i].Ours, lines[i].OursStrict = a.list.star, a.strict.star
		if list.named {
			lines[i].Ours, lines[i].OursStrict = a.list.product, a.strict.product
		}
	}
	return lines
}

// members says which relevant agents a group is for.
type members struct{ product, star bool }

type audience struct{ list, strict members }

// group follows the User-agent lines.
type group struct {
	product string
	anyStar bool // "*bot" counts as "*"
	members
	begun  bool // there was a User-agent line
	closed bool // the next one starts a new group
	named  bool // some group names the product
}

// agent starts a group, or adds a name to it. Groups of the same name are one.
func (g *group) agent(name string) {
	if g.closed {
		g.members, g.closed = members{}, false
	}
	g.begun = true
	if name == "*" || g.anyStar && strings.HasPrefix(name, "*") || strings.HasPrefix(name, "* ") || strings.HasPrefix(name, "*\t") {
		g.star = true
		return
	}
	if end := strings.IndexFunc(name, notInToken); end >= 0 {
		name = name[:end] // "Sluice/1.0" is "sluice"
	}
	if strings.EqualFold(name, g.product) {
		g.members.product, g.named = true, true
	}
}

// notInToken accepts digits and points, which RFC 9309 does not: "sluice2" is
// another product.
func notInToken(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '.' || r == '_')
}

// Parse parses one line; ok is false if it states nothing.
func Parse(text string) (line Line, ok bool) {
	text, _, _ = strings.Cut(text, "#")
	text = strings.TrimFunc(strings.ReplaceAll(text, "\x00", ""), isBlank)
	key, value, found := strings.Cut(text, ":")
	if !found { // some forget the colon
		words := strings.Fields(text)
		if len(words) != 2 {
			return Line{}, false
		}
		key, value = words[0], words[1]
	}
	if key = kind(key); key == "" {
		return Line{}, false
	}
	return Line{Key: key, Value: strings.TrimFunc(value, isBlank), Text: text}, true
}

// kinds are the keys by prefix, as in Google's parser, including typos. The
// first match counts.
var kinds = []struct{ prefix, key string }{
	{"useragent", "useragent"}, {"sitemap", "sitemap"}, {"crawldelay", "crawldelay"},
	{"contentsignal", "contentsignal"}, {"contentusage", "contentusage"},
	{"allowaitraining", "allowaitraining"}, {"disallowaitraining", "disallowaitraining"},
	{"allowai", ""}, {"allow", "allow"}, // Allow-AI allows no access
	{"disallow", "disallow"}, {"dissallow", "disallow"}, {"dissalow", "disallow"}, {"disalow", "disallow"},
	{"diaslow", "disallow"}, {"diasllow", "disallow"}, {"disallaw", "disallow"},
}

// kind returns the key that is meant, without regard to case, hyphens and
// spaces; "" for any other.
func kind(key string) string {
	key = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || isBlank(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, key[:min(len(key), 64)])
	for _, k := range kinds {
		if strings.HasPrefix(key, k.prefix) {
			return k.key
		}
	}
	return ""
}

// isBlank accepts spaces that editors insert, too.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' }

// UTF8 decodes UTF-16 with a byte order mark, and removes that of UTF-8.
func UTF8(body []byte) []byte {
	if decoded, _, err := transform.Bytes(textunicode.BOMOverride(transform.Nop), body); err == nil {
		return decoded
	}
	return body
}
