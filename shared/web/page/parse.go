package page

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
	"golang.org/x/net/html"

	"sluice/shared/web/fetch"
	"sluice/shared/web/optout"
	"sluice/shared/web/urlnorm"
)

// Parse reads head, links and text measures of an HTML page. Text must be
// UTF-8, as Decode returns it; charset is its original name, base the URL the
// page was finally fetched from.
//
// Broken mark-up is not an error: Parse returns what it can read. The only
// error is errNotText. A <base href> applies to every link of the page, even
// those before it. Content of <noscript> and <noframes> counts (no script runs
// here), <template>, <textarea> and comments don't. Links are those of <a> and
// <area> and the documents of <frame> and <iframe>, except players; and only
// those that urlnorm resolves to a crawlable URL, so not javascript:, mailto:,
// data: and tel:.
func Parse(text []byte, charset string, base urlnorm.URL) (*Page, error) {
	if !utf8.Valid(text) {
		return nil, notText(base)
	}
	return parseText(text, charset, base, newLinkSet())
}

// Read is Decode and Parse. The text is also returned with an error.
func Read(body []byte, contentType string, base urlnorm.URL) (text []byte, p *Page, err error) {
	return read(body, contentType, base, newLinkSet())
}

// ReadContexts is Read with the contexts of links, which take some time and memory.
func ReadContexts(body []byte, contentType string, base urlnorm.URL) (text []byte, p *Page, err error) {
	links := newLinkSet()
	links.around = newAround(maxVisible)
	return read(body, contentType, base, links)
}

func read(body []byte, contentType string, base urlnorm.URL, links *linkSet) (text []byte, p *Page, err error) {
	text, charset := Decode(body, contentType)
	p, err = parseText(text, charset, base, links)
	return text, p, err
}

func notText(base urlnorm.URL) error { return fmt.Errorf("parse page %s: %w", base, errNotText) }

// parseText is Parse for valid UTF-8.
func parseText(text []byte, charset string, base urlnorm.URL, links *linkSet) (*Page, error) {
	if binary(text) {
		return nil, notText(base)
	}
	p := parser{
		page:    &Page{Charset: charset},
		visible: visibleText{hash: xxh3.New()},
		links:   links,
	}
	p.sample.buf = make([]byte, 0, len("中")*MaxSample)
	p.sample.reset(MaxSample)
	if tree, frames, err := build(text); err == nil {
		p.page.Tree = tree
		p.walk(tree)
		p.links.rows(tree, &row{dates: make([]string, 0, 8*maxDates)})
		if frames && !p.frames {
			p.strayFrames(text)
		}
	} else {
		p.run(html.NewTokenizer(bytes.NewReader(text)))
	}
	p.links.closeAnchor()
	p.finish(base, queryEncoder(charset))
	return p.page, nil
}

// parser is the state of one walk over the tree or the tokens.
type parser struct {
	page    *Page
	visible visibleText
	head    head
	links   *linkSet

	title    folded
	sample   folded
	inTitle  bool
	frames   bool   // there was a <frame>
	svg      int    // depth of open <svg>
	template int    // depth of open <template>
	skip     string // raw-text element whose text is not visible
	attrs    attrs
}

// walk reads a node and its descendants. The parser limits the depth and treats
// the content of <noscript> and <noframes> as text.
func (p *parser) walk(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		p.text(n.Data)
		return
	case n.Type == html.ElementNode && (n.Data == "noscript" || n.Data == "noframes"):
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.TextNode {
				p.run(html.NewTokenizer(strings.NewReader(c.Data)))
			} else {
				p.walk(c)
			}
		}
		return
	case n.Type == html.ElementNode:
		p.startTag(n.Data, func() { p.attrs.of(n) })
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.walk(c)
	}
	if n.Type == html.ElementNode {
		p.endTag(n.Data)
	}
}

func (p *parser) run(z *html.Tokenizer) {
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			if p.skip == "" {
				p.text(string(z.Text()))
			}
		case html.StartTagToken:
			p.token(z)
		case html.SelfClosingTagToken:
			// Only foreign elements close themselves; HTML ignores the slash.
			depth := p.svg
			p.token(z)
			p.svg = depth
		case html.EndTagToken:
			name, _ := z.TagName()
			p.endTag(string(name))
		}
	}
}

// token reads a start tag of the stream.
func (p *parser) token(z *html.Tokenizer) {
	raw, more := z.TagName()
	name := string(raw)
	if name == "noscript" || name == "noframes" {
		z.NextIsNotRawText()
		return
	}
	p.startTag(name, func() { p.attrs.read(z, more) })
}

func (p *parser) text(t string) {
	if p.skip != "" || p.template > 0 {
		return
	}
	if p.inTitle {
		p.title.add(t)
		p.visible.add(t)
		return
	}
	p.page.TextLen += p.visible.add(t)
	p.links.around.add(t)
	if p.links.open {
		p.links.addText(t)
		return
	}
	p.sample.breakWord()
	p.sample.add(t)
}

// startTag begins an element; read takes its attributes.
func (p *parser) startTag(name string, read func()) {
	switch name {
	case "script", "style", "textarea", "iframe", "noembed", "xmp":
		p.skip = name
		if name == "iframe" && p.template == 0 {
			p.frame(read)
		}
	case "title":
		// An <svg> has its own titles, and the first title wins.
		if p.svg > 0 || p.template > 0 || p.title.runes > 0 {
			p.skip = name
			return
		}
		p.inTitle = true
		p.title.reset(maxTitle)
	case "svg":
		p.svg++
	case "template":
		p.template++
	default:
		if p.template == 0 {
			p.element(name, read)
		}
	}
}

// element handles the start tags with data for Page.
func (p *parser) element(name string, read func()) {
	switch name {
	case "a":
		p.links.closeAnchor()
		read()
		p.links.openAnchor(&p.attrs)
	case "area":
		read()
		p.links.add(p.attrs.href, fold(first(p.attrs.alt, p.attrs.title), maxAnchor), 0, nofollow(p.attrs.rel))
	case "frame":
		p.frames = true
		p.frame(read)
	case "img":
		read()
		p.links.image(&p.attrs)
		if p.attrs.large() {
			p.page.Media++
		}
	case "video", "audio", "object", "embed":
		p.page.Media++
	case "html":
		read()
		p.page.Lang = first(p.page.Lang, p.attrs.lang)
	case "base":
		read()
		p.head.base = first(p.head.base, p.attrs.href)
	case "link":
		read()
		p.head.link(&p.attrs)
	case "meta":
		read()
		p.head.meta(&p.attrs)
	case "br", "p", "div", "li", "td", "h1", "h2", "h3", "h4":
		p.links.text.breakWord()
		p.links.around.breakWord()
	}
}

// frame takes the document of a frame as a link, or counts a player.
func (p *parser) frame(read func()) {
	read()
	if player(p.attrs.src) {
		p.page.Media++
		return
	}
	p.links.add(p.attrs.src, fold(first(p.attrs.title, p.attrs.alt), maxAnchor), 0, false)
}

func (p *parser) endTag(name string) {
	switch name {
	case p.skip:
		p.skip = ""
	case "title":
		if p.inTitle {
			p.inTitle = false
			p.visible.space = p.visible.any
		}
	case "svg":
		p.svg = max(0, p.svg-1)
	case "template":
		p.template = max(0, p.template-1)
	case "a":
		if p.template == 0 {
			p.links.closeAnchor()
		}
	}
}

// finish completes the page with data known only at the end: the base of its
// references, and the fallbacks of the head.
func (p *parser) finish(base urlnorm.URL, encode func(string) []byte) {
	p.page.Sample = p.sample.String()
	docBase := p.base(base, encode)
	find := func(ref string) (u urlnorm.URL) {
		if ref != "" && len(ref) <= maxHref {
			u, _ = docBase.Resolve(ref, encode) // zero if it is none
		}
		return u
	}
	resolve := func(ref string) string {
		if u := find(ref); !u.IsZero() {
			return u.String()
		}
		return ""
	}
	pg := p.page
	pg.Title = first(p.title.String(), p.head.ogTitle)
	pg.Description = first(p.head.description, p.head.ogDescription)
	pg.Keywords = p.head.keywords
	pg.Lang = first(pg.Lang, p.head.language)
	pg.MetaRobots = optout.Directives(fetch.Product, p.head.robots...)
	pg.MetaTDM = optout.NewReservation(strings.Join(p.head.tdm, ","), p.head.tdmPolicy, "meta")
	pg.MetaUsage = optout.Usage(p.head.usage)
	pg.Canonical = resolve(p.head.canonical)
	pg.Refresh = resolve(p.head.refresh)
	for _, ref := range p.head.feeds {
		if u := find(ref); !u.IsZero() && !slices.Contains(pg.Feeds, u) {
			pg.Feeds = append(pg.Feeds, u)
		}
	}
	pg.Links = p.links.resolve(docBase, encode)
	pg.Beyond = p.links.beyond
	pg.Digest = p.visible.hash.Sum64()
}

// base is that of the references of a page with this URL.
func (p *parser) base(base urlnorm.URL, encode func(string) []byte) urlnorm.URL {
	if p.head.base != "" {
		if u, err := base.Resolve(p.head.base, encode); err == nil {
			return u
		}
	}
	return base
}

// player says whether a frame's source is a media player rather than a page.
func player(src string) bool {
	src = strings.ToLower(src[:min(len(src), 512)])
	for _, mark := range []string{
		"player", "/embed/", "video", "v.qq.com", "youku.com", "bilibili.com", "youtube.com", "tudou.com",
		".swf", ".mp4", ".m3u8", ".mp3",
	} {
		if strings.Contains(src, mark) {
			return true
		}
	}
	return false
}

// first returns the first string that is not empty.
func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
