package body

import (
	"net/url"
	"slices"

	readeck "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sluice/shared/web/page"
)

// shortArticle is the length in runes from which go-readability takes its
// first, strictest reading; its default, 500, is that of English articles.
const shortArticle = 160

// maxWeight bounds the text times its depth that go-readability is given: it
// reads the text of a container anew for every container around it.
const maxWeight = 100 << 20

// What makes density's reading of a page certain.
const (
	certainRunes = 200 // of its sentences
	certainShare = .9  // of the sentences of the page that are in it, and of it that is sentences
)

// labelRunes is the most that a label has: a line as short as this is no text.
const labelRunes = 8

// doubts says whether readability may do better than these blocks: they are short,
// leave out sentences of the page, hold much besides sentences, begin or end with
// another line, or hold the caption of a picture. Most pages are certain, and so are
// those of links and labels alone; docs/results.md has what asking on every page gains.
func (l *layout) doubts(dense []block) bool {
	if len(dense) == 0 {
		return l.media > 0 || indexOf(l.blocks, func(b *block) bool {
			return !b.linked() && !b.furniture && (b.marks > 0 || b.runes > labelRunes)
		}) >= 0
	}
	if !dense[0].says() || !dense[len(dense)-1].says() {
		return true
	}
	if slices.ContainsFunc(dense, func(b block) bool { return isCaption(b.text) }) {
		return true
	}
	said := saidBefore(dense)
	own, all := float64(said[len(dense)]), saidBefore(l.blocks)
	return own < certainRunes || own < certainShare*float64(all[len(l.blocks)]) || own < certainShare*float64(size(dense))
}

// readability returns the blocks of the main text as go-readability finds it,
// nil when it finds none or breaks. It changes the tree.
func readability(doc *html.Node, pageURL string) (blocks []block) {
	defer func() {
		if recover() != nil {
			blocks = nil
		}
	}()
	if titleWork(doc) > maxTitleWork {
		return nil
	}
	u, err := url.Parse(pageURL)
	if err != nil {
		u = nil
	}
	p := readeck.NewParser()
	p.CharThresholds = shortArticle
	p.MaxElemsToParse = page.MaxElements
	p.DisableJSONLD = true // read once, with the metas
	article, err := p.ParseAndMutate(doc, u)
	if err != nil || article.Node == nil {
		return nil
	}
	l := layOut(article.Node)
	l.joinRows()
	return l.blocks
}

// maxTitleWork bounds the headings of a page times the bytes of its longest title:
// go-readability compares each <h1> and <h2> with what it takes for the title,
// which may be a <title>, a meta or an <h1>.
const maxTitleWork = 8 << 20

func titleWork(doc *html.Node) int {
	headings, longest := 0, 0
	for n := range doc.Descendants() {
		switch n.DataAtom {
		case atom.H1, atom.H2:
			headings++
			longest = max(longest, textLen(n))
		case atom.Title:
			longest = max(longest, textLen(n))
		case atom.Meta:
			longest = max(longest, len(attr(n, "content")))
		}
	}
	return headings * longest
}

func textLen(n *html.Node) (size int) {
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			size += len(d.Data)
		}
	}
	return size
}
