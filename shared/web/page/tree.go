package page

import (
	"bytes"
	"errors"

	"golang.org/x/net/html"
)

// Bounds of the pages a tree is built of. The parser is linear in the size of
// sane mark-up only: it compares the attributes of formatting elements pair by
// pair, and merges those of every <html> and <body> into the first.
const (
	MaxTree     = 4 << 20 // bytes
	MaxElements = 40_000
	maxAttrWork = 2_000_000 // sum of the squares of the attributes of formatting tags
	maxRoots    = 50        // <html> and <body> tags
)

var errTooDense = errors.New("too many elements or attributes")

// Tree builds the tree of mark-up. It fails for pages nested deeper than 512
// elements, which is the parser's limit, and for those beyond ours.
func Tree(text []byte) (*html.Node, error) {
	if len(text) > MaxTree || tooDense(text) {
		return nil, errTooDense
	}
	return html.Parse(bytes.NewReader(text))
}

// tooDense says whether mark-up is beyond our bounds. It reads tags wherever they
// seem to begin, in scripts and comments as well, so it never counts too few.
func tooDense(text []byte) bool {
	elements, roots, work := 0, 0, 0
	for {
		at := bytes.IndexByte(text, '<')
		if at < 0 || at+1 == len(text) {
			return false
		}
		text = text[at+1:]
		if c := text[0] | 0x20; c < 'a' || c > 'z' {
			continue
		}
		elements++
		name := text[:nameLen(text)]
		switch string(bytes.ToLower(name)) {
		case "html", "body":
			roots++
		case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
			n := attributes(text[len(name):])
			work += n * n
		}
		if elements > MaxElements || roots > maxRoots || work > maxAttrWork {
			return true
		}
	}
}

// nameLen returns the length of the name that a tag begins with, cut where it is
// longer than those that matter.
func nameLen(tag []byte) int {
	n := 0
	for n < len(tag) && n < 8 && tag[n] > ' ' && tag[n] != '/' && tag[n] != '>' {
		n++
	}
	return n
}

// attributes counts the attributes in the rest of a tag, as the tokenizer reads
// them.
func attributes(tag []byte) (n int) {
	skip := func(stops string) {
		at := bytes.IndexAny(tag, stops)
		if at < 0 {
			at = len(tag)
		}
		tag = tag[at:]
	}
	for {
		if tag = bytes.TrimLeft(tag, " \t\r\n\f/"); len(tag) == 0 || tag[0] == '>' {
			return n
		}
		n++
		tag = tag[1:] // an attribute's name may begin with =
		skip(" \t\r\n\f/>=")
		value, ok := bytes.CutPrefix(bytes.TrimLeft(tag, " \t\r\n\f"), []byte("="))
		if !ok {
			continue
		}
		tag = bytes.TrimLeft(value, " \t\r\n\f")
		switch {
		case len(tag) > 0 && (tag[0] == '"' || tag[0] == '\''):
			quote := string(tag[:1])
			tag = tag[1:]
			skip(quote)
			tag = tag[min(1, len(tag)):]
		default:
			skip(" \t\r\n\f>")
		}
	}
}
