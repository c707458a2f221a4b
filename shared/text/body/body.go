// Package body extracts what the corpus keeps of a page: its main text, title,
// date, author and source (METHOD A1, A13). It builds a tree of the page, so it
// costs many times what package page does and runs only for pages that stay.
//
// The main text is found by text density over blocks, and where that is in doubt
// by go-readability as well; on Chinese news either alone loses pages that the
// other finds. docs/ablation.md has what each rule gains.
package body

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/net/html"

	"sluice/shared/web/page"
)

// ErrNoText reports a page without a main text. It says nothing about the
// fetch: the page is well read and simply no document.
var ErrNoText = errors.New("no main text")

// How a main text was found: the values of Body.Method.
const (
	MethodReadability = "readability"
	MethodDensity     = "density"
	MethodTokens      = "tokens" // no tree could be built: all text of the mark-up
)

// Body is the main content of a page.
type Body struct {
	Title string // headline without the site's tail, "" if the page has none
	Text  string // paragraphs and rows of tables separated by \n, without the headline and furniture
	// Author and Source are as the page names them: 作者, 记者 or the author
	// <meta>; 来源, the medium that wrote the text. "" if not named.
	Author, Source string
	// Published is the date of publication, zero if none was found. Dates
	// without a zone are +08:00, those without a time midnight.
	Published time.Time
	// PublishedText is the date as the page writes it, perhaps without the year.
	// The year is then that of the URL, of another date on the page, or the
	// latest that does not put the day after Options.Fetched.
	PublishedText string
	Method        string
	// MediaOnly says that the page holds a player or large pictures, and no
	// text to speak of. Text has what little there is, a caption say.
	MediaOnly bool
}

// Options are the optional inputs of Extract.
type Options struct {
	// Fetched is when the page was fetched: no date of publication is more
	// than a day later. Zero means now.
	Fetched time.Time
	// Only is MethodReadability or MethodDensity where no other method may find
	// the text: to compare them. A crawl leaves it empty.
	Only string
}

// Extract returns the main content of an HTML page. Text is UTF-8, pageURL the
// URL it came from (dates are read from it as a last resort), hint what
// page.Parse said of it, or nil. It takes the tree of the hint away.
//
// The error is ErrNoText, possibly wrapped, when there is no main text and no
// media either. ErrList, of a list of links, and ErrFurniture, of furniture in
// the text's place, wrap it. Extract never panics, and its work is bounded: of
// more than 4 MB of text the rest is not read, and pages too deep or too dense
// in elements for a tree are read as a stream of tokens.
func Extract(text []byte, pageURL string, hint *page.Page, opts Options) (_ *Body, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("extract body of %s: %v: %w", pageURL, r, ErrNoText)
		}
	}()
	if hint == nil {
		hint = &page.Page{}
	}
	if opts.Fetched.IsZero() {
		opts.Fetched = time.Now()
	}
	text = text[:min(len(text), page.MaxTree)]
	doc := hint.Tree
	hint.Tree = nil // it will be changed
	if doc == nil {
		if doc, err = page.Tree(text); err != nil {
			return fromTokens(text, hint)
		}
	}
	return fromTree(doc, pageURL, hint, opts)
}

// fromTree extracts from the parsed page. The libraries change the tree, so
// everything else is read before.
func fromTree(doc *html.Node, pageURL string, hint *page.Page, opts Options) (b *Body, err error) {
	all := layOut(doc)
	defer all.free()
	meta := readMetas(doc)
	b = &Body{Title: headline(all, meta, hint, pageURL)}
	below, above := all.aroundTitle(b.Title)
	b.Published, b.PublishedText = published(below, above, meta, pageURL, opts.Fetched)
	b.Author, b.Source = byline(all, below, above, meta, b.Title, pageURL)

	all.markAddresses(pageURL)
	all.joinRows()
	others := all.setApart(b.Title)
	dense := clean(all.densest(b.Title), b.Title)
	var readable []block
	if all.weight <= maxWeight && (opts.Only == MethodReadability || opts.Only == "" && all.doubts(dense)) {
		readable = slices.DeleteFunc(readability(doc, pageURL), func(b block) bool { return others[b.text] })
		readable = clean(readable, b.Title)
	}
	if opts.Only == MethodReadability {
		dense = nil
	}
	main, method := choose(readable, dense, all.below(b.Title))
	b.Text, b.Method = join(main), method
	if all.isList(main, dense, b.Title, pageURL) {
		return b, ErrList
	}
	return b, b.judge(main, all.blocks, max(hint.Media, all.media))
}

// fromTokens extracts from a page that has no usable tree.
func fromTokens(text []byte, hint *page.Page) (*Body, error) {
	b := &Body{Title: withoutSiteTail(hint.Title), Method: MethodTokens}
	all := tokenBlocks(text)
	main := clean(all, b.Title)
	b.Text = join(main)
	return b, b.judge(main, all, hint.Media)
}

// captionRunes: a text of fewer runes beside media is a caption.
const captionRunes = 20

// judge decides between document, media page, furniture and nothing at all; the
// main text is of a page of all these blocks.
func (b *Body) judge(main, all []block, media int) error {
	prose := 0
	for _, bl := range main {
		if !bl.heading() && (bl.prose() || bl.plain() && bl.runes >= captionRunes) {
			prose += bl.runes
		}
	}
	switch {
	case media > 0 && prose < captionRunes:
		b.MediaOnly = true
		return nil
	case prose == 0 && size(main) < captionRunes && furnished(all):
		return ErrFurniture
	case prose == 0:
		return ErrNoText
	}
	return nil
}
