package field

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

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
	asideLabel = 0.3 // of a label there
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
	var past map[float64]bool
	if current(f) && len(s.struck) > 0 {
		past = s.past()
		given = slices.DeleteFunc(given, func(text string) bool {
			v, ok := Clean(f, text, nil)
			return ok && past[*v.Amount]
		})
	}
	spots := s.spots(l)
	if f.Many {
		spots = s.lists(l, field)
	}
	for _, at := range spots {
		if f.Type == template.Price {
			at.text, at.colon = at.price, labelEnd(at.price)
		}
		if f.Type == template.Date {
			at.text = dateText(at.node)
			at.colon = labelEnd(at.text)
		}
		if c, ok := s.judge(l, field, at, given); ok {
			found = append(found, c)
		}
	}
	return slices.DeleteFunc(found, func(c candidate) bool { return len(past) > 0 && past[*c.value.Amount] })
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
			at.colon = labelEnd(at.text)
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
	colon  int    // where its first label may end, see labelEnd
	cell   int    // the first of its texts
	label  *cell  // in front of it, nil for none
	trust  float64
	header *cell // above it in a table, nil for none
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
