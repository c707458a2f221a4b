package body

import (
	"net/url"

	readeck "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
)

// shortArticle is the length in runes from which go-readability takes its
// first, strictest reading; its default, 500, is that of English articles.
const shortArticle = 160

// maxWeight bounds the text times its depth that go-readability is given: it
// reads the text of a container anew for every container around it.
const maxWeight = 100 << 20

// readability returns the blocks of the main text as go-readability finds it,
// nil when it finds none or breaks. It changes the tree.
func readability(doc *html.Node, pageURL string) (blocks []block) {
	defer func() {
		if recover() != nil {
			blocks = nil
		}
	}()
	u, err := url.Parse(pageURL)
	if err != nil {
		u = nil
	}
	p := readeck.NewParser()
	p.CharThresholds = shortArticle
	p.MaxElemsToParse = maxElements
	p.DisableJSONLD = true // read once, with the metas
	article, err := p.ParseAndMutate(doc, u)
	if err != nil || article.Node == nil {
		return nil
	}
	l := layOut(article.Node)
	l.joinRows()
	return l.blocks
}
