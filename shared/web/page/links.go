package page

import (
	"strings"
	"unicode/utf8"

	"sluice/shared/web/urlnorm"
)

// linkSet collects the references of a page in order and merges those with the
// same spelling: resolving is the most expensive step, and navigation repeats
// itself.
type linkSet struct {
	refs  []reference
	index map[string]int // href → position in refs; resolve: URL → position in its links

	// The open anchor.
	open           bool
	href           string
	title          string // its title attribute
	picture        string // alt or title of the first image inside
	anchorNoFollow bool
	text           folded
	last           string // what was added to text last
	from           int    // where it begins in around

	beyond int // references beyond the limits of a page

	around *around // nil: contexts are not wanted
}

// reference is a link before resolution. rank orders sources of anchor text:
// visible text over the attributes of images.
type reference struct {
	href     string
	anchor   string
	rank     int
	noFollow bool
	beside   string // see rows
	from, to int    // of the anchor in the visible text, for its context
}

func newLinkSet() *linkSet {
	const usual = 128 // links of a page
	return &linkSet{refs: make([]reference, 0, usual), index: make(map[string]int, usual)}
}

func (s *linkSet) openAnchor(a *attrs) {
	if a.href == "" {
		return // a target, not a link
	}
	s.open, s.href, s.anchorNoFollow = true, a.href, nofollow(a.rel)
	s.title, s.picture = first(a.title, a.label), ""
	s.text.reset(maxAnchor)
	s.around.breakWord()
	s.from = s.around.here()
}

func (s *linkSet) image(a *attrs) {
	if s.open {
		s.text.breakWord()
		s.picture = first(s.picture, a.alt, a.title)
	}
}

func (s *linkSet) closeAnchor() {
	if !s.open {
		return
	}
	s.open = false
	s.around.breakWord()
	if s.text.runes == 0 {
		s.addFrom(s.from, s.href, fold(first(s.picture, s.title), maxAnchor), 0, s.anchorNoFollow)
		return
	}
	text := s.last
	if string(s.text.buf) != text { // mostly the same, which saves memory
		text = s.text.String()
	}
	// Lists cut headlines to fit and have the whole one in the title.
	if s.title != "" && s.title != text {
		title := fold(s.title, maxAnchor)
		stem := strings.TrimRight(text, ".… ")
		if stem != "" && len(title) > len(stem) && strings.HasPrefix(title, stem) {
			text = title
		}
	}
	s.addFrom(s.from, s.href, text, 1, s.anchorNoFollow)
}

// addText adds to the text of the open anchor.
func (s *linkSet) addText(text string) {
	s.text.add(text)
	s.last = text
}

// add notes a reference; anchor is folded.
func (s *linkSet) add(href, anchor string, rank int, noFollow bool) {
	s.addFrom(s.around.here(), href, anchor, rank, noFollow)
}

// addFrom is add for an anchor that ends here and began at a place in the visible
// text.
func (s *linkSet) addFrom(from int, href, anchor string, rank int, noFollow bool) {
	href = strings.TrimSpace(href)
	if href == "" || len(href) > maxHref || href[0] == '#' || foreignScheme(href) {
		return
	}
	r := reference{href: href, anchor: anchor, rank: rank, noFollow: noFollow, from: from, to: s.around.here()}
	if i, ok := s.index[href]; ok {
		s.refs[i].merge(r)
		return
	}
	if len(s.refs) == maxRefs {
		s.beyond++
		return
	}
	s.index[href] = len(s.refs)
	s.refs = append(s.refs, r)
}

// merge keeps the more informative anchor of two references to one target.
func (r *reference) merge(other reference) {
	r.noFollow = r.noFollow && other.noFollow
	r.beside = first(r.beside, other.beside)
	switch {
	case other.anchor == "" || other.rank < r.rank && r.anchor != "":
	case r.anchor == "" || other.rank > r.rank ||
		utf8.RuneCountInString(other.anchor) > utf8.RuneCountInString(r.anchor):
		r.anchor, r.rank, r.from, r.to = other.anchor, other.rank, other.from, other.to
	}
}

// resolve turns the references into links, one per URL.
func (s *linkSet) resolve(base urlnorm.URL, encode func(string) []byte) []Link {
	clear(s.index)       // from now on by URL
	merged := s.refs[:0] // never ahead of the reader
	links := make([]Link, 0, min(len(s.refs), maxLinks))
	for i := range s.refs {
		r := &s.refs[i]
		u, err := base.Resolve(r.href, encode)
		if err != nil || u.IsZero() {
			continue
		}
		if i, ok := s.index[u.String()]; ok {
			if i < maxLinks {
				merged[i].merge(*r)
			}
			continue
		}
		s.index[u.String()] = len(links)
		if len(links) == maxLinks {
			s.beyond++
			continue
		}
		links, merged = append(links, Link{URL: u}), append(merged, *r)
	}
	if len(links) == 0 {
		return nil
	}
	for i := range links {
		l, m := &links[i], &merged[i]
		l.Anchor, l.Beside, l.NoFollow, l.Context = m.anchor, m.beside, m.noFollow, s.around.context(m.from, m.to)
	}
	return links
}

// foreignScheme says whether a reference has a scheme other than http and
// https, which saves resolving it.
func foreignScheme(href string) bool {
	end := 0
	for end < len(href) && 'a' <= href[end]|0x20 && href[end]|0x20 <= 'z' {
		end++
	}
	if end == 0 || end == len(href) || href[end] != ':' {
		return false
	}
	scheme := href[:end]
	return !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https")
}
