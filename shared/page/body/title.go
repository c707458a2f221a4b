package body

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"sluice/shared/page"
)

// headline returns the title of the document: the heading on the page that the
// <title> begins with, else the <title> without the site's tail, else the
// first <h1>.
func headline(l *layout, m *metas, hint *page.Page, pageURL string) string {
	title := hint.Title
	if title == "" {
		title = m.title
	}
	firstH1 := ""
	for _, b := range l.blocks {
		if b.tag != atom.H1 && b.tag != atom.H2 && b.tag != atom.H3 || b.aside {
			continue
		}
		if b.tag == atom.H1 && firstH1 == "" {
			firstH1 = b.text
		}
		if n := utf8.RuneCountInString(b.text); n >= 5 && strings.HasPrefix(title, b.text) {
			return b.text
		}
	}
	if title == "" {
		return firstH1
	}
	if n := utf8.RuneCountInString(m.headline); n >= 5 && strings.HasPrefix(title, m.headline) {
		title = m.headline
	}
	return pageTail{site: m.site, host: hostOf(pageURL), blocks: l.blocks}.cut(title)
}

// hostOf returns the host of a page in lower case, "" if the URL has none.
func hostOf(pageURL string) string {
	u, err := url.Parse(pageURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// width is the length of a text in Chinese characters; others are half as wide.
func width(text string) int {
	half := 0
	for _, r := range text {
		half++
		if unicode.Is(unicode.Han, r) {
			half++
		}
	}
	return (half + 1) / 2
}
