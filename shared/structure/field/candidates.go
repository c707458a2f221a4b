package field

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

// candidate is a value that a field may have on a page.
type candidate struct {
	value    Value
	score    float64
	firm     bool // a name says what it is
	labelled bool // a label beside it does, of this field and no other
	paths    []path
}

const (
	maxValue   = 300 // bytes of a text, for one that is found by its surroundings
	maxWrap    = 4   // elements around a text that may be the value as a whole
	maxInside  = 12  // texts in such an element
	firmly     = 10  // a score by names
	joined     = 0.8 // of the score of several texts together: one alone is more likely
	otherwise  = 0.3 // of the score of what is rather another value
	unseen     = 0.5 // of the score of a text that is not shown at first
	aside      = 0.6 // of a text in a menu, a footer or a button
	bareAmount = 0.6 // of a price without a currency
	struck     = 0.4 // of a price that is struck out, for fields that don't say so
	struckWord = "del line-through"
	behindForm = 0.75 // how much a caption looks like a label
	maxLead    = 80   // bytes of a text with words and a number or a date
	mainly     = 0.5  // of a text in front of a value without a colon: free shipping is no label
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
	found, given := s.properties(f), s.given(f)
	spots := s.spots(l)
	if f.Many {
		spots = s.lists(l, field)
	}
	for _, at := range spots {
		if f.Type == template.Price {
			at.text, at.colon = at.price, colonOf(at.price)
		}
		if c, ok := s.judge(l, field, at, given); ok {
			found = append(found, c)
		}
	}
	return found
}

// spots are the texts of a page that may be values.
func (s *sheet) spots(l *lexicon) []spot {
	if s.all != nil {
		return s.all
	}
	s.all = []spot{}
	for i := range s.cells {
		at := s.besideOf(l, i)
		for _, at.node = range s.around(i) {
			if at.text, at.price = textOf(at.node), priceText(at.node); len(at.text) > maxValue {
				break
			}
			at.colon = colonOf(at.text)
			s.all = append(s.all, at)
		}
	}
	return s.all
}

// besideOf is a cell without its text, and what is beside it.
func (s *sheet) besideOf(l *lexicon, i int) spot {
	at := spot{cell: i, header: s.header(s.cells[i].node)}
	at.label, at.trust = s.labelOf(i)
	if label, is := s.caption(l, i); label != nil || is {
		at.label, at.trust = label, behindForm
	}
	return at
}

func colonOf(text string) int { return strings.IndexAny(text, ":：") }

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

// isOther reports whether a text begins with the label of another field.
func (l *lexicon) isOther(field int, at spot) bool {
	if at.colon <= 0 {
		return false
	}
	if _, own := l.labelIn(field, at); own > 0 {
		return false
	}
	shares := l.label(at.text[:at.colon])
	return shares[field] == 0 && slices.Contains(shares, 1)
}

// labelIn is where a text has a label of a field, see the function of this name.
func (l *lexicon) labelIn(field int, at spot) (start, colon int) {
	if at.colon < 0 {
		return 0, -1
	}
	return labelIn(&l.Fields[field], at.text, func(text string) float64 { return l.label(text)[field] })
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

// spot is a text on a page, and what is beside it.
type spot struct {
	node   *html.Node
	text   string
	price  string // the text as a price
	colon  int    // where the text has one, -1 for nowhere
	cell   int    // the first of its texts
	label  *cell  // in front of it, nil for none
	trust  float64
	header *cell // above it in a table, nil for none
}

// judge returns a text as a value of a field, if enough speaks for it; given are
// the values that the page gives to programs.
func (s *sheet) judge(l *lexicon, field int, at spot, given []string) (candidate, bool) {
	f := &l.Fields[field]
	score, label, paths := s.named(l, field, at)
	if score+reserve(f, at.text, given) < least || f.Type == template.Text && (l.isLabel(at.text) || l.isOther(field, at)) {
		return candidate{}, false
	}
	v, ok := Clean(f, s.text(f, at), s.Base)
	if !ok {
		return candidate{}, false
	}
	firm := score >= firmly
	if slices.ContainsFunc(given, func(text string) bool { return same(f, v, text) }) {
		score += pointsProperty
	}
	if score == 0 && isOld(f) && !s.struck[at.node] && !s.struck[at.node.Parent] {
		return candidate{}, false // a price is an old one only where something says so
	}
	if score == 0 && l.second(field) {
		return candidate{}, false
	}
	if f.Heading && (s.spans[at.node].len() <= 3 || oneLine(at.node)) {
		score += s.heading(at.node, at.text)
	}
	if score == 0 && s.scaled(l, f, at) {
		score = pointsForm / bareAmount
	}
	score += fits(f, at.text, v) + pointsUsual*f.Usual(v.Text)
	if score < least || f.Type == template.Price && !s.isRecord && !s.withOthers && ofOther(at.node) {
		return candidate{}, false
	}
	if f.Heading && isAmount(at.text) && above(at.node, "h1", maxWrap) == nil {
		return candidate{}, false
	}
	left := s.shown(f, at, v, score)
	return candidate{v, left, firm, label >= firmly && left > otherwise*score, append(paths, s.paths(at.node)...)}, true
}

// second reports whether a template has another date in front of this one: a date that
// nothing but its form speaks for is rather that, the date of publication.
func (l *lexicon) second(field int) bool {
	return l.Fields[field].Type == template.Date &&
		slices.ContainsFunc(l.Fields[:field], func(f template.Field) bool { return f.Type == template.Date })
}

// scaled reports whether a text of a record is an amount in 万, and the price for want of
// another: the record has no price with a currency, and nothing says what the amount is.
func (s *sheet) scaled(l *lexicon, f *template.Field, at spot) bool {
	if !s.isRecord || !current(f) || !isScaled(at.text) || slices.ContainsFunc(s.cells[:min(len(s.cells), maxEntries)], func(c cell) bool { return mayPrice(c.text) }) {
		return false
	}
	for other := range l.Fields {
		if score, _, _ := s.named(l, other, at); score > 0 {
			return false
		}
	}
	return true
}

// text is that of a spot for a field.
func (s *sheet) text(f *template.Field, at spot) string {
	switch {
	case f.Heading:
		return wholeName(at.node, at.text, s.Page)
	case f.Many:
		return textFor(f, at.node)
	}
	return at.text
}

// reserve is what else may speak for a text: with less than least in all, it is
// not read.
func reserve(f *template.Field, text string, given []string) float64 {
	points := 0.0
	switch f.Type {
	case template.Price:
		if mayPrice(text) || isScaled(text) {
			points = pointsForm
		}
	case template.Date:
		if strings.ContainsAny(text, "0123456789〇年月前昨今刚") || strings.Contains(text, "day") || strings.Contains(text, "ago") {
			points = pointsForm
		}
	case template.Number:
		points = 1
	}
	if f.Pattern != nil {
		points = pointsForm
	}
	if len(f.Values) > 0 || f.Form != nil {
		points += pointsUsual
	}
	if f.Heading {
		points += pointsHeading + pointsTitle + pointsRecord
	}
	if len(given) > 0 {
		points += pointsProperty
	}
	return points
}

// named is what the names of elements and the labels beside a text score, and of that the
// labels alone, with the paths that begin at one.
func (s *sheet) named(l *lexicon, field int, at spot) (score, label float64, paths []path) {
	f := &l.Fields[field]
	if at.label != nil {
		if share := l.label(at.label.text)[field]; share > 0 {
			label += pointsLabel * share * at.trust * s.rare(at.label)
			paths = s.labelled(at.label, at.node)
		}
	}
	if at.header != nil && at.header != at.label {
		if share := l.label(at.header.text)[field]; share > 0 {
			label += pointsLabel * share * 0.9
			paths = append(paths, s.labelled(at.header, at.node)...)
		}
	}
	if start, colon := l.labelIn(field, at); colon > 0 {
		_, size := utf8.DecodeRuneInString(at.text[colon:])
		label += pointsLabel * l.label(at.text[start:colon])[field]
		paths = append(paths, s.inside(at.node, at.cell, at.text[start:colon+size])...)
	}
	if lead, tail := besideAmount(f, at); lead != "" || tail != "" {
		if share := l.label(lead)[field]; share > 0 { // 已售 2300+, Posted on May 3
			label += pointsLabel * share
			paths = append(paths, s.inside(at.node, at.cell, lead)...)
		} else if share := l.label(tail)[field]; share > 0 { // 320 pages
			label += pointsLabel * share
		}
	}
	if at.cell+1 < len(s.cells) && s.spans[at.node].len() <= 1 && strings.HasPrefix(s.cells[at.cell+1].text, "(") {
		behind, _, _ := strings.Cut(s.cells[at.cell+1].text[1:], ")") // Stieg Larsson (Author)
		label += pointsLabel * 0.8 * l.label(behind)[field]
	}
	return s.attributes(l, at.node, field) + label, label, paths
}

// besideAmount is the text in front of a number or a date, and for a number the words behind it.
func besideAmount(f *template.Field, at spot) (lead, tail string) {
	number := strings.IndexAny(at.text, digits)
	switch {
	case number < 0:
	case f.Type == template.Number && at.colon < 0:
		lead = at.text[:number]
		if len(at.text) <= maxLead {
			tail, _, _ = strings.Cut(strings.TrimLeft(at.text[number:], digits+".,万+"), ",")
		}
	case f.Type == template.Date && number > 0 && len(at.text) <= maxLead:
		if v, ok := readDate(at.text); ok {
			lead, _, _ = strings.Cut(at.text, v.Text)
		}
	}
	return strings.TrimSpace(lead), tail
}

// shown is what is left of a score by how a text is shown.
func (s *sheet) shown(f *template.Field, at spot, v Value, score float64) float64 {
	n := at.node
	if f.Type == template.Text && !f.Many && s.spans[n].len() > 1 && !oneLine(n) {
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
	if s.host != "" && strings.HasSuffix(s.host, strings.TrimPrefix(template.Fold(v.Text), "www")) {
		score *= otherwise // the site's own address
	}
	if s.avoided(f, at) {
		score *= otherwise
	}
	return score
}

// avoided reports whether the label of a text, the element around it or the
// beginning of the text is that of another value.
func (s *sheet) avoided(f *template.Field, at spot) bool {
	if len(f.Avoid) == 0 {
		return false
	}
	if at.label != nil && !strings.ContainsAny(at.label.text, digits) {
		if share := f.Avoids(at.label.text); share >= mainly || share > 0 && at.trust == 1 {
			return true
		}
	}
	if at.header != nil && f.Avoids(at.header.text) > 0 || at.colon > 0 && f.Avoids(at.text[:at.colon]) > 0 {
		return true
	}
	n := at.node
	for range 2 {
		if n.Type == html.ElementNode && f.Avoids(structure.Attr(n, "class"))+f.Avoids(structure.Attr(n, "id")) > 0 {
			return true
		}
		n = n.Parent
	}
	return f.Type == template.Price && f.Avoids(at.text) > 0
}

// rare is the share of its points that a label keeps when its text is repeated on the
// page: then it is more likely the label of each record of a list.
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
