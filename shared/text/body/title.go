package body

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"sluice/shared/text/segment"
	"sluice/shared/web/page"
)

// headline returns the title of the document: the heading on the page that the
// <title> begins with, or that follows the site's name in it, else the <title>
// without the site's tail, else the first <h1>.
func headline(l *layout, m *metas, hint *page.Page, pageURL string) string {
	title := cmp.Or(hint.Title, m.title)
	firstH1 := ""
	for _, b := range l.blocks {
		if b.tag != atom.H1 && b.tag != atom.H2 && b.tag != atom.H3 || b.aside {
			continue
		}
		if b.tag == atom.H1 && firstH1 == "" {
			firstH1 = b.text
		}
		if n := utf8.RuneCountInString(b.text); n >= minHeading && (strings.HasPrefix(title, b.text) || followsFront(title, b.text)) {
			return b.text
		}
	}
	if title == "" {
		return firstH1
	}
	if n := utf8.RuneCountInString(m.headline); n >= minHeading && (strings.HasPrefix(title, m.headline) || followsFront(title, m.headline)) {
		title = m.headline
	}
	tail := pageTail{site: m.site, host: hostOf(pageURL), blocks: l.blocks}
	title = tail.withoutFront(tail.cut(title))
	if title == m.site || isSiteName(strings.ToLower(segment.Simplify(title))) {
		if line := l.lineAbove(title); line != "" {
			return line
		}
	}
	return title
}

const (
	leastText = 50 // runes of a paragraph that is the text's
	above     = 6  // lines above it that are looked at
)

// lineAbove returns the line nearest above the text that may be its headline, where the
// <title> only names the site; "" if there is none.
func (l *layout) lineAbove(name string) string {
	text := slices.IndexFunc(l.blocks, func(b block) bool { return b.paragraph() && b.runes >= leastText && endsSentence(b.text) })
	for i := text - 1; i >= max(0, text-above); i-- {
		b := &l.blocks[i]
		first, _, _ := strings.Cut(b.text, " ")
		if isSiteName(segment.Simplify(first)) { // who wrote it
			continue
		}
		if b.plain() && b.links == 0 && width(b.text) >= wholeHeadline && b.runes <= maxHeadline && !b.credit() && !b.dateLine() &&
			!strings.ContainsAny(b.text, "。:：") && b.text != name {
			return b.text
		}
	}
	return ""
}

const maxHeadline = 40 // runes

// minHeading is the length in runes from which a heading is no label.
const minHeading = 5

// followsFront says whether a title is a name, a separator and the heading, at
// least as long as the name, and perhaps a tail: 某某日报：博览会推迟举行_某某网.
// Without the heading on the page nothing tells a name from words of it.
func followsFront(title, heading string) bool {
	at := strings.Index(title, heading)
	if at <= 0 {
		return false
	}
	front, tail := title[:at], strings.TrimLeft(title[at+len(heading):], " 　")
	name := strings.TrimRight(front, " 　")
	bare := strings.TrimRight(name, ":：|｜_-–—－·»>")
	return bare != name && width(bare) <= width(heading) && (tail == "" || strings.IndexAny(tail, "|｜_-–—－·»") == 0)
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
