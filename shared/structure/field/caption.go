package field

import "golang.org/x/net/html"

// Some pages write labels behind values, as captions: 36 件 above 库存, in a row of such
// pairs.

// caption returns the label of a text that is the first of a pair with a caption. It
// reports whether the text is the caption of one instead.
func (s *sheet) caption(l *lexicon, i int) (label *cell, is bool) {
	pair := s.cells[i].node.Parent
	for pair != nil && s.spans[pair].len() == 1 && !s.isTop(pair) {
		pair = pair.Parent
	}
	if pair == nil || s.spans[pair].len() != 2 || s.isTop(pair) || !s.captioned(l, pair.Parent) {
		return nil, false
	}
	if s.spans[pair].first == i {
		return &s.cells[i+1], false
	}
	return nil, true
}

// captioned reports whether an element is a row of pairs, some of whose second texts are
// labels, and none of the first.
func (s *sheet) captioned(l *lexicon, row *html.Node) bool {
	known, ok := s.captions[row]
	if ok {
		return known
	}
	pairs, labels := 0, 0
	for n := range row.ChildNodes() {
		sp := s.spans[n]
		if n.Type != html.ElementNode || sp.len() != 2 {
			continue
		}
		pairs++
		if l.isLabel(s.cells[sp.first].text) {
			labels = -len(s.cells)
		}
		if l.isLabel(s.cells[sp.first+1].text) {
			labels++
		}
	}
	s.captions[row] = pairs >= 2 && labels > 0
	return s.captions[row]
}
