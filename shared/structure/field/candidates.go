package field

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sluice/shared/structure/template"
)

// candidate is a value that a field may have on a page.
type candidate struct {
	value Value
	score float64
	firm  bool // a name says what it is
	paths []path
}

const (
	maxValue   = 300 // bytes of a text, for one that is found by its surroundings
	maxWrap    = 4   // elements around a text that may be the value as a whole
	maxInside  = 12  // texts in such an element
	maxStruck  = 0.2 // of the score of a price that is struck out, for fields that don't say so
	firmly     = 10  // a score by names
	joined     = 0.8 // of the score of several texts together: one alone is more likely
	unseen     = 0.5 // of the score of a text that is not shown at first
	aside      = 0.6 // of a text in a menu, a footer or a button
	bareAmount = 0.6 // of a price without a currency
	struck     = 0.4 // of a price that is struck out, for fields that don't say so
	struckWord = "del line-through"
)

// candidates are all values of a page that something speaks for.
func (s *sheet) candidates(l *lexicon, field int) []candidate {
	f := &l.Fields[field]
	switch f.Type {
	case template.Image:
		return s.linked(l, field, s.images, imageKeys)
	case template.Link:
		return s.linked(l, field, s.anchors, linkKeys)
	}
	found := s.properties(f)
	for i := range s.cells {
		label, trust := s.labelOf(i)
		header := s.header(s.cells[i].node)
		for _, n := range s.around(i) {
			text := textFor(f, n)
			if len(text) > maxValue {
				break
			}
			if c, ok := s.judge(l, field, n, text, i, label, trust, header); ok {
				found = append(found, c)
			}
		}
	}
	return found
}

// around are the nodes whose text begins with a cell, from the inside out: the
// text itself, or the element that has only that, and elements around it.
func (s *sheet) around(i int) []*html.Node {
	n := s.cells[i].node
	if s.spans[n.Parent].len() == 1 && !s.isTop(n.Parent) {
		n = n.Parent
	}
	nodes := []*html.Node{n}
	for range maxWrap {
		n = n.Parent
		if n == nil || s.isTop(n) || n.Type != html.ElementNode {
			break
		}
		switch n.Data {
		case "tr", "tbody", "table", "body", "ul", "ol", "dl":
			return nodes
		}
		if sp := s.spans[n]; sp.first != i || sp.len() > maxInside || s.labelInside(i, sp.end) {
			break
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// oneLine reports whether the texts of an element are one, in which words are
// marked.
func oneLine(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode {
			switch d.Data {
			case "b", "em", "i", "font", "strong", "mark", "sub", "sup", "wbr", "u":
			default:
				return false
			}
		}
	}
	return true
}

// labelInside reports whether there is a label behind the first text and that
// behind it, which a label may be the first of.
func (s *sheet) labelInside(i, end int) bool {
	for _, c := range s.cells[min(i+2, end):end] {
		if strings.HasSuffix(c.text, ":") || strings.HasSuffix(c.text, "：") {
			return true
		}
	}
	return false
}

func (s *sheet) judge(l *lexicon, field int, n *html.Node, text string, i int, label *cell, trust float64, header *cell) (candidate, bool) {
	f := &l.Fields[field]
	score := s.attributes(l, n, field)
	var paths []path
	if label != nil {
		if share := l.label(label.text)[field]; share > 0 {
			score += pointsLabel * share * trust * s.rare(label)
			paths = s.labelled(label, n)
		}
	}
	if header != nil && header != label {
		if share := l.label(header.text)[field]; share > 0 {
			score += pointsLabel * share * 0.9
			paths = append(paths, s.labelled(header, n)...)
		}
	}
	if at := strings.IndexAny(text, ":："); at > 0 && at < len(text)-1 {
		if share := l.label(text[:at])[field]; share > 0 {
			score += pointsLabel * share
			_, size := utf8.DecodeRuneInString(text[at:])
			paths = append(paths, s.inside(n, i, text[:at+size])...)
		}
	}
	if i+1 < len(s.cells) && s.spans[n].len() <= 1 && strings.HasPrefix(s.cells[i+1].text, "(") {
		behind, _, _ := strings.Cut(s.cells[i+1].text[1:], ")") // Stieg Larsson (Author)
		score += pointsLabel * 0.8 * l.label(behind)[field]
	}
	if f.Type == template.Text && l.isLabel(text) {
		return candidate{}, false
	}
	v, ok := Clean(f, text, s.Base)
	if !ok {
		return candidate{}, false
	}
	firm := score >= firmly
	if f.Heading && (s.spans[n].len() <= 3 || oneLine(n)) {
		score += s.heading(n, text)
	}
	score += fits(f, text, v) + pointsUsual*f.Usual(v.Text)
	if score == 0 {
		return candidate{}, false
	}
	if s.said(f, v) {
		score += pointsProperty
	}
	if score < least {
		return candidate{}, false
	}
	if f.Type == template.Text && s.spans[n].len() > 1 && !oneLine(n) {
		score *= joined
	}
	if s.struck[n] || s.struck[n.Parent] {
		if named := f.Score(struckWord); named > 0 {
			score += named
		} else if f.Type == template.Price {
			score *= struck
		}
	}
	if f.Type == template.Price && v.Currency == "" {
		score *= bareAmount
	}
	if s.beside[n] || s.beside[n.Parent] {
		score *= aside
	}
	if s.hidden[n] || s.hidden[n.Parent] {
		score *= unseen
	}
	return candidate{v, score, firm, append(paths, s.paths(n)...)}, true
}

// rare is what is left of a label that repeats: one of each record is none of the
// page.
func (s *sheet) rare(label *cell) float64 {
	return max(0.5, 1.1-0.1*float64(s.repeats[nameOfText(label.node.Parent, label.display)]))
}

// isLabel reports whether a text is no value but the label of one.
func (l *lexicon) isLabel(text string) bool {
	if strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") {
		return true
	}
	for _, share := range l.label(text) {
		if share == 1 {
			return true
		}
	}
	return false
}

// properties are the values that the page gives to programs.
func (s *sheet) properties(f *template.Field) []candidate {
	var found []candidate
	add := func(text string, points float64, paths ...path) {
		if v, ok := Clean(f, text, s.Base); ok {
			found = append(found, candidate{v, points, true, paths})
		}
	}
	for rank, name := range f.Properties {
		points := pointsMeta - float64(rank)/4 // the first are the best
		for _, n := range s.metas {
			for _, key := range [...]string{"property", "name", "itemprop"} {
				if strings.EqualFold(attr(n, key), name) && quotable(attr(n, key)) {
					add(attr(n, "content"), points, path{s.here("//meta[@" + key + "='" + attr(n, key) + "']/@content"), trustNamed})
				}
			}
		}
		for _, n := range s.tagged {
			if n.Data == "meta" || attr(n, "itemprop") != name {
				continue
			}
			for _, key := range [...]string{"content", "datetime"} {
				if text := attr(n, key); text != "" {
					add(text, pointsProperty, path{s.here("//*[@itemprop='" + name + "']/@" + key), trustNamed})
				}
			}
			add(textOf(n), pointsProperty, s.paths(n)...)
		}
		for _, p := range s.data {
			if p.path == name {
				add(p.value, points, path{dataPath + name, trustNamed})
			}
		}
	}
	return found
}

// said reports whether the page gives a value to programs, too.
func (s *sheet) said(f *template.Field, v Value) bool {
	for _, name := range f.Properties {
		for _, p := range s.data {
			if p.path == name && same(f, v, p.value) {
				return true
			}
		}
		for _, n := range s.metas {
			if (attr(n, "property") == name || attr(n, "name") == name || attr(n, "itemprop") == name) && same(f, v, attr(n, "content")) {
				return true
			}
		}
		for _, n := range s.tagged {
			if n.Data != "meta" && attr(n, "itemprop") == name && same(f, v, textOf(n)) {
				return true
			}
		}
	}
	return false
}

func same(f *template.Field, v Value, text string) bool {
	other, ok := Clean(f, text, nil)
	if !ok {
		return false
	}
	if v.Amount != nil && other.Amount != nil {
		return *v.Amount == *other.Amount
	}
	return v.Date != "" && v.Date == other.Date || template.Fold(v.Text) == template.Fold(other.Text)
}
