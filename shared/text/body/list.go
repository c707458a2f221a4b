package body

import (
	"fmt"
	"slices"
)

// ErrList reports a page that is a list: links, perhaps with a few words to
// each. It is no document, but a source of links. It wraps ErrNoText.
var ErrList = fmt.Errorf("list of links: %w", ErrNoText)

// What makes a list of a page. Measured: of 14 saved lists of portals all are
// found and of 392 articles none is taken for one; on the site linux.cn it is
// 99.9 % of the indexes and .1 % of the articles, which list links themselves.
const (
	ledParagraphs = 5   // so many paragraphs under links of their own, and three fifths of all
	fragmentRunes = 60  // a text shorter than this may be what is left of a list
	contactRunes  = 200 // the same of one without a sentence: the address of a company
	fragmentLinks = 10  // on a page with so many links
	linkRunes     = 6   // of a link that may be the title of a page
	neighbours    = 4   // blocks before a text that are looked at
)

// isList says whether what was taken for the main text belongs to a list of
// links: either the paragraphs of it, or those that density sees, are under links
// of their own, as the beginnings of many articles are, or in a run of such
// beginnings that has nothing else, or under headings that lead to other pages; or
// it is a fragment among links without a
// headline, as a hotline or an entry without a link is.
func (l *layout) isList(main, dense []block, title, pageURL string) bool {
	headline := l.headlineAt(title)
	entries := func(from, to int) bool {
		return l.teasers(headline, from, to) || l.inRun(from, to) || l.abstracts(headline, from, to, title, pageURL)
	}
	if from, to, ok := l.place(dense); ok && entries(from, to) {
		return true
	}
	from, to, ok := l.place(main)
	if !ok {
		return false
	}
	runes := size(main)
	short := runes < fragmentRunes || runes < contactRunes && !slices.ContainsFunc(main, func(b block) bool { return b.says() })
	return entries(from, to) || short && l.fragment(headline, from)
}

// place returns the range [from, to) of the page that the main text is in.
func (l *layout) place(main []block) (from, to int, ok bool) {
	if len(main) == 0 {
		return 0, 0, false
	}
	first, last := main[0].text, main[len(main)-1].text
	from = slices.IndexFunc(l.blocks, func(b block) bool { return b.text == first })
	if from < 0 {
		return 0, 0, false
	}
	// What was cleaned away lies between: the last block is no nearer than this.
	for i := from + len(main) - 1; i < len(l.blocks); i++ {
		if l.blocks[i].text == last {
			return from, i + 1, true
		}
	}
	return 0, 0, false
}

// teasers says whether most paragraphs stand under links of their own. Under
// the headline of a page they may be the comments on it, whose authors are links
// too, or the items of its subject: an article has text before the first of them.
func (l *layout) teasers(headline, from, to int) bool {
	start := max(0, from-neighbours)
	if headline >= 0 && headline < from {
		start = headline + 1
	}
	paragraphs, led, own := 0, 0, 0
	link, links := false, false
	for _, b := range l.blocks[start:to] {
		switch {
		case b.mayBeTitle():
			link, links = true, true
		case b.prose():
			paragraphs++
			if link {
				led++
			}
			if !links {
				own += b.runes
			}
			link = false
		}
	}
	return own < fragmentRunes && led >= ledParagraphs && led*5 >= paragraphs*3
}

// fragment says whether the block at a place is among links, and the page,
// which is full of them, shows no headline before it.
func (l *layout) fragment(headline, at int) bool {
	links, near, between := 0, 0, 0
	for i := range l.blocks {
		b := &l.blocks[i]
		if b.mayBeTitle() {
			links++
			if i > headline && i < at {
				between++
			}
		}
		if b.linked() && i < at && i >= at-neighbours {
			near++
		}
	}
	if headline >= 0 && headline < at && between < fragmentLinks {
		return false
	}
	return links >= fragmentLinks && near*2 >= neighbours
}

// mayBeTitle says whether a block is a link with the title of a page.
func (b *block) mayBeTitle() bool { return b.linked() && b.links >= linkRunes }
