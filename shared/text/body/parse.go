package body

import (
	"bytes"
	"errors"

	"golang.org/x/net/html"
)

// Bounds of the pages a tree is built of. The parser is linear in the size of
// sane mark-up only: it compares the attributes of formatting elements pair by
// pair, and merges those of every <html> and <body> into the first.
const (
	maxElements = 40_000
	maxAttrWork = 2_000_000 // sum of the squares of the attributes of formatting tags
	maxRoots    = 50        // <html> and <body> tags
)

var errTooDense = errors.New("too many elements or attributes")

// parseDocument builds the tree. It fails for pages nested deeper than 512
// elements, which is the parser's limit, and for those beyond ours.
func parseDocument(text []byte) (*html.Node, error) {
	if err := checkWork(text); err != nil {
		return nil, err
	}
	return html.Parse(bytes.NewReader(text))
}

// checkWork reads the tokens once, which is cheap and linear.
func checkWork(text []byte) error {
	z := html.NewTokenizer(bytes.NewReader(text))
	elements, roots, work := 0, 0, 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			elements++
			name, more := z.TagName()
			switch string(name) {
			case "html", "body":
				roots++
			case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
				n := 0
				for ; more; n++ {
					_, _, more = z.TagAttr()
				}
				work += n * n
			}
			if elements > maxElements || roots > maxRoots || work > maxAttrWork {
				return errTooDense
			}
		}
	}
}
