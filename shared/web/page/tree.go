package page

import (
	"bytes"
	"errors"
	"fmt"

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

var (
	errTooDense = errors.New("too many elements or attributes")
	errTooLarge = fmt.Errorf("the page is larger than %d MiB", MaxTree>>20)
)

// Tree builds the tree of mark-up. It fails for pages nested deeper than 512
// elements, the parser's limit, or beyond our limits.
func Tree(text []byte) (*html.Node, error) {
	tree, _, err := build(text)
	return tree, err
}

// build is Tree, and reports whether a <frame> may begin somewhere. It tokenizes only
// mark-up that seems to be beyond our limits.
func build(text []byte) (tree *html.Node, frames bool, err error) {
	if len(text) > MaxTree {
		return nil, false, errTooLarge
	}
	dense, frames, _ := estimate(text)
	if dense && isDense(text) {
		return nil, false, errTooDense
	}
	tree, err = html.Parse(bytes.NewReader(text))
	return tree, frames, err
}

// TreeOf is the tree of a page as it was fetched: Decode, then Tree.
func TreeOf(body []byte, contentType string) (*html.Node, error) {
	text, _ := Decode(body, contentType)
	return Tree(text)
}

// work is the parser's work for the tags of a page.
type work struct {
	elements, roots, compared int

	frames bool // one is a <frame>
}

// add counts a tag; attributes counts those of one that formats text.
func (w *work) add(name []byte, attributes func() int) {
	w.elements++
	switch string(name) {
	case "html", "body":
		w.roots++
	case "frame":
		w.frames = true
	case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		n := attributes()
		w.compared += n * n
	}
}

func (w *work) tooMuch() bool {
	return w.elements > MaxElements || w.roots > maxRoots || w.compared > maxAttrWork
}

// estimate counts tags wherever they seem to start, even in scripts and
// comments, so it never counts too few. It reads as many bytes of attributes as
// text has, and calls a page dense that would need more, as overlapping tags
// do; a dense page may have frames. read is how many it read.
func estimate(text []byte) (dense, frames bool, read int) {
	var w work
	most := len(text)
	for {
		at := bytes.IndexByte(text, '<')
		if at < 0 || at+1 == len(text) {
			return false, w.frames, read
		}
		text = text[at+1:]
		if c := text[0] | 0x20; c < 'a' || c > 'z' {
			continue
		}
		var lower [maxName]byte
		name := lower[:nameLen(text)]
		for i := range name {
			name[i] = text[i] | 0x20 // an upper-case letter in lower case; no other name becomes one that matters
		}
		w.add(name, func() int {
			rest := text[len(name):]
			n, size := attributes(rest[:min(len(rest), most-read)])
			read += size
			return n
		})
		if w.tooMuch() || read == most {
			return true, true, read
		}
	}
}

// isDense counts the tags that the parser will see. In foreign elements the
// parser reads the content of <style> and the like as mark-up, and knows CDATA;
// the tokenizer alone does not, so pages where that matters are dense.
func isDense(text []byte) bool {
	z := html.NewTokenizer(bytes.NewReader(text))
	var w work
	foreign := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.TextToken:
			if foreign && bytes.IndexByte(z.Raw(), '<') >= 0 {
				return true
			}
		case html.CommentToken:
			if foreign && bytes.HasPrefix(z.Raw(), []byte("<![CDATA[")) {
				return true
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			foreign = foreign || string(name) == "svg" || string(name) == "math"
			w.add(name, func() (n int) {
				for ; more; n++ {
					_, _, more = z.TagAttr()
				}
				return n
			})
			if w.tooMuch() {
				return true
			}
		}
	}
}

// maxName is the length of the longest relevant name of a tag, in bytes.
const maxName = 8

// nameLen returns the length of the name at the start of a tag, limited to that
// of relevant names.
func nameLen(tag []byte) int {
	n := 0
	for n < len(tag) && n < maxName && tag[n] > ' ' && tag[n] != '/' && tag[n] != '>' {
		n++
	}
	return n
}

// attributes counts the attributes in the rest of a tag, as the tokenizer reads
// them, and the bytes they take.
func attributes(tag []byte) (n, size int) {
	at := 0
	for {
		if at = past(tag, at, blank|slash); at == len(tag) || tag[at] == '>' {
			return n, at
		}
		n++
		at = until(tag, at+1, blank|slash|closing|equals) // an attribute's name may begin with =
		value := past(tag, at, blank)
		if value == len(tag) || tag[value] != '=' {
			continue
		}
		at = past(tag, value+1, blank)
		if at == len(tag) || tag[at] != '"' && tag[at] != '\'' {
			at = until(tag, at, blank|closing)
			continue
		}
		length := bytes.IndexByte(tag[at+1:], tag[at])
		if length < 0 {
			return n, len(tag)
		}
		at += length + 2
	}
}

// What a byte is in a tag.
const (
	blank = 1 << iota
	slash
	closing
	equals
)

var inTag = [256]uint8{
	' ': blank, '\t': blank, '\r': blank, '\n': blank, '\f': blank, '/': slash, '>': closing, '=': equals,
}

// past returns the place of the next byte of a tag that is of none of these kinds.
func past(tag []byte, at int, kinds uint8) int {
	for at < len(tag) && inTag[tag[at]]&kinds != 0 {
		at++
	}
	return at
}

// until returns the place of the next byte of a tag that is of one of these kinds.
func until(tag []byte, at int, kinds uint8) int {
	for at < len(tag) && inTag[tag[at]]&kinds == 0 {
		at++
	}
	return at
}
