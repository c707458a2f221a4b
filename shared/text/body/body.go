// Package body extracts what the corpus keeps of a page: its main text, title,
// date, author and source (METHOD A1, A13). It builds a tree of the page, so it
// costs many times what package page does and runs only for pages that stay.
//
// The main text is found by text density over blocks, and where that is in doubt
// by go-readability as well; on Chinese news either alone loses pages that the
// other finds. Where a page shows no text without scripts, or its beginning only,
// the text counts that it declares.
package body

import (
	"errors"
	"fmt"
	"strings"
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
	MethodLinkedData  = "json-ld" // the articleBody that the page declares, and does not show
	MethodTokens      = "tokens"  // no tree could be built: the text of the mark-up as it stands
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
	meta, hold := readMetas(doc)
	b = &Body{Title: headline(all, meta, hint, pageURL)}
	b.Published, b.PublishedText = published(all, meta, b.Title, pageURL, opts.Fetched)
	b.Author, b.Source = byline(all, meta, b.Title, pageURL)

	all.joinRows()
	others := all.setApart(b.Title)
	dense := clean(all.densest(), b.Title)
	var readable []block
	if all.weight <= maxWeight && (opts.Only == MethodReadability || opts.Only == "" && all.doubts(dense)) {
		readable = clean(all.carry(readability(doc, pageURL), others), b.Title)
	}
	if opts.Only == MethodReadability {
		dense = nil
	}
	main, method := choose(readable, dense)
	b.Text, b.Method = join(main), method
	for i := range main {
		main[i].titled = main[i].titled || sameLine(main[i].text, meta.headline)
	}
	if all.isList(main, dense, b.Title) {
		err = ErrList
	} else {
		err = b.judge(main, all.blocks, max(hint.Media, all.media), all.players)
	}
	if opts.Only == "" && b.declare(hold, size(main), err) {
		err = nil
	}
	return b, err
}

// fromTokens extracts from a page that has no usable tree.
func fromTokens(text []byte, hint *page.Page) (*Body, error) {
	b := &Body{Title: withoutSiteTail(hint.Title), Method: MethodTokens}
	all := tokenBlocks(text)
	main := clean(all, b.Title)
	b.Text = join(main)
	return b, b.judge(main, all, hint.Media, 0)
}

// A text of fewer runes than these is a caption: beside media, and beside a
// player that stands on the page by an element of its own.
const (
	captionRunes       = 20
	playerCaptionRunes = 40
)

// judge decides between document, media page, furniture and nothing at all; the
// main text is of a page of all these blocks.
func (b *Body) judge(main, all []block, media, players int) error {
	prose, told := 0, 0
	seen := map[string]bool{}
	for _, bl := range main {
		if bl.contact || bl.heading() || !bl.prose() && !(bl.plain() && bl.runes >= captionRunes) {
			continue
		}
		prose += bl.runes
		// The pictures of a gallery may all have the same caption.
		if words := strings.TrimLeft(bl.text, "0123456789/ "); !seen[words] {
			seen[words] = true
			told += bl.runes
		}
	}
	caption := told < captionRunes || players > 0 && told < playerCaptionRunes || prose >= told*sameCaptions && told < maxSameCaption
	switch {
	case media > 0 && caption:
		b.MediaOnly = true
		return nil
	case prose == 0 && size(main) < captionRunes && furnished(all):
		return ErrFurniture
	case prose == 0, isGone(main):
		return ErrNoText
	}
	return nil
}

// The captions of a gallery are the same so many times, and together no longer
// in runes than this without the repeats.
const (
	sameCaptions   = 3
	maxSameCaption = 100
)
