package body

import (
	"net/url"
	"strings"

	"golang.org/x/net/html/atom"
)

const abstractRunes = 500 // of the text under one link: a longer one may be the whole

// abstracts says whether the text of the blocks [from, to) is in parts, each under a
// heading that leads to another page, as the abstracts of articles are. A single one
// must not stand with the headline of the page: there it names an author or a section.
func (l *layout) abstracts(headline, from, to int, title, pageURL string) bool {
	first := l.headingBefore(from)
	if first < 0 {
		return false
	}
	runes, led := 0, 0
	for i := first; i < to; i++ {
		switch b := &l.blocks[i]; {
		case !b.ranked():
			runes += b.runes
		case b.mayBeTitle() && !sameLine(b.text, title) && leadsAway(b.href, pageURL):
			led++
		default:
			return false
		}
	}
	return runes <= led*abstractRunes && (led > 1 || l.apart(first, from, headline))
}

// headingBefore returns the heading nearest before a block, −1 if there is none.
func (l *layout) headingBefore(at int) int {
	for i := at - 1; i >= max(0, at-neighbours); i-- {
		if l.blocks[i].ranked() {
			return i
		}
	}
	return -1
}

// apart says whether the container of a heading and its text has no headline.
func (l *layout) apart(heading, text, headline int) bool {
	around := l.elements[l.blocks[heading].element]
	for around.to <= text {
		around = l.elements[around.parent]
	}
	return around.tag != atom.Body && (headline < around.from || headline >= around.to)
}

// ranked says whether a block is in a heading element.
func (b *block) ranked() bool {
	switch b.tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// leadsAway says whether a link leads to another page than that at pageURL, but not
// to the home page. The same path is the same page, whatever the host and the query.
func leadsAway(href, pageURL string) bool {
	base, err := url.Parse(pageURL)
	if err != nil {
		return false
	}
	to, err := base.Parse(strings.TrimSpace(href))
	return err == nil && (to.Scheme == "http" || to.Scheme == "https") && strings.Trim(to.Path, "/") != "" && to.Path != base.Path
}
