package maintext

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"strings"

	readeck "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"

	"sluice/shared/text/body"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// The methods that are compared.
const (
	Sluice      = "sluice"         // the main text that a crawl keeps
	Readability = "go-readability" // the library alone, unchanged
	Density     = "density"        // the method of package body beside it
)

// Methods returns the compared methods, sluice first.
func Methods() []string { return []string{Sluice, Readability, Density} }

// reading has the text of a page by each method, "" if a method finds none.
type reading struct {
	title string
	media bool // the page holds a player or pictures and no text to speak of
	texts map[string]string
}

// readPage reads a page by every method.
func readPage(p *Page) (*reading, error) {
	base, err := urlnorm.Parse(p.URL)
	if err != nil {
		return nil, fmt.Errorf("read page %s: %w", p.Name, err)
	}
	text, head, err := page.Read(p.Raw, "text/html", base)
	if err != nil {
		return nil, fmt.Errorf("read page %s: %w", p.Name, err)
	}
	r := &reading{title: head.Title, texts: map[string]string{Readability: readability(text, p.URL)}}
	opts := body.Options{Fetched: p.Date}
	switch b, err := body.Extract(text, p.URL, head, opts); {
	case err == nil:
		r.title, r.media, r.texts[Sluice] = b.Title, b.MediaOnly, b.Text
	case !errors.Is(err, body.ErrNoText):
		return nil, fmt.Errorf("read page %s: %w", p.Name, err)
	}
	opts.Only = body.MethodDensity
	if b, err := body.Extract(text, p.URL, head, opts); err == nil {
		r.texts[Density] = b.Text
	}
	return r, nil
}

// charThresholds is the length from which go-readability takes its first
// reading. That of package body, and the best for Chinese: its default is that
// of English articles.
const charThresholds = 160

// readability is the library's result for a page.
func readability(text []byte, pageURL string) string {
	doc, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return ""
	}
	u, err := url.Parse(pageURL)
	if err != nil {
		u = nil
	}
	p := readeck.NewParser()
	p.CharThresholds = charThresholds
	article, err := p.ParseAndMutate(doc, u)
	if err != nil || article.Node == nil {
		return ""
	}
	var s strings.Builder
	if err := article.RenderText(&s); err != nil {
		return ""
	}
	return s.String()
}
