package field

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

// A field with many entries, such as the ingredients of a recipe, is a list or a table as a
// whole: one line for each of its entries.

const (
	maxEntries = 500 // texts in a list
	maxLines   = 64 << 10
)

// lines are the visible texts of a node: one for each entry of a list, each row of a table
// and each paragraph.
func lines(n *html.Node) []string {
	if n.Type == html.TextNode || !hasLines(n) {
		if text := textOf(n); text != "" {
			return []string{text}
		}
		return nil
	}
	var found []string
	var line strings.Builder
	end := func() {
		if text := fold(line.String()); text != "" {
			found = append(found, text)
		}
		line.Reset()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && block[c.Data] {
			end()
			if !unread[c.Data] {
				found = append(found, lines(c)...)
			}
			continue
		}
		writeText(&line, c)
	}
	end()
	return found
}

// hasLines reports whether an element has several lines. An entry has only if it has
// further entries.
func hasLines(n *html.Node) bool {
	entry := n.Data == "li" || n.Data == "tr"
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && block[d.Data] && (!entry || d.Data == "li" || d.Data == "tr") {
			return true
		}
	}
	return false
}

// cleanLines is Clean for a text of several lines, without those that are only the
// field's label.
func cleanLines(f *template.Field, text string) (Value, bool) {
	var entries []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = unlabel(f, fold(line)); speaks(line) && len(line) <= maxText && f.Label(line) < 1 {
			entries = append(entries, line)
		}
	}
	text = strings.Join(entries, "\n")
	if text == "" || len(text) > maxLines || f.Pattern != nil && !f.Pattern.MatchString(text) {
		return Value{}, false
	}
	return Value{Text: text}, true
}

// entries are the texts of all elements with a property in microdata, as one text.
func (s *sheet) entries(name string) string {
	var found []string
	for _, n := range s.tagged {
		if s.property(n) == name {
			found = append(found, lines(n)...)
		}
	}
	return strings.Join(found, "\n")
}

// entries reports whether a path leads to entries of a field and not to their list.
func (p *plan) entries(f *template.Field) bool {
	return f.Many && p.anchor.key == "itemprop" && len(p.steps) == 0 && p.attr == ""
}

// lists are the texts that may be fields with many entries: the lists of a page, and the
// texts outside of them.
func (s *sheet) lists(l *lexicon, field int) []spot {
	var found []spot
	end := 0         // of the list before
	var passed []int // cells between labels and lists
	for i := range s.cells {
		if i < end || l.isLabel(s.cells[i].text) {
			continue
		}
		if n := s.listAt(l, field, i); n != nil {
			at := s.besideOf(l, i)
			if label := s.overHeading(l, field, i); label != nil {
				at.label, at.trust = label, underHeading
				passed = append(passed, i-1)
			} else if i > 0 && structure.IsHeading(s.cells[i-1].node.Parent) {
				at.label = endOf(&l.Fields[field], &s.cells[i-1])
				passed = append(passed, i-1)
			}
			at.node, at.text, at.colon = n, s.cells[i].text, labelEnd(s.cells[i].text)
			found, end = append(found, at), s.spans[n].end
		}
	}
	for _, at := range s.spots(l) {
		if !slices.Contains(passed, at.cell) && !slices.ContainsFunc(found, func(list spot) bool { return s.spans[list.node].first <= at.cell && at.cell < s.spans[list.node].end }) {
			found = append(found, at)
		}
	}
	return found
}

// underHeading is how far a label belongs to a list below another heading.
const underHeading = 0.95

// overHeading is the label of a field over the heading, or a line, of the list that begins
// with a cell: "Ingredients", "For the cake", butter, eggs. It is nil for none.
func (s *sheet) overHeading(l *lexicon, field, i int) *cell {
	if i < 2 || len(s.cells[i-1].text) > maxLead || l.isLabel(s.cells[i-1].text) || l.label(s.cells[i-2].text)[field] < 1 {
		return nil
	}
	for n, up := s.cells[i-1].node.Parent, 0; n != nil && up < 2; n, up = n.Parent, up+1 {
		switch n.Data {
		case "h3", "h4", "h5", "h6", "p":
			return &s.cells[i-2]
		}
	}
	return nil
}

// endOf is the heading of a list without the words in front of a label: 番茄牛腩的做法, Apple
// Pie Ingredients.
func endOf(f *template.Field, heading *cell) *cell {
	text := strings.Trim(heading.text, marks)
	for _, label := range f.Labels {
		at := len(text) - len(label)
		if at <= 0 || !strings.EqualFold(text[at:], label) {
			continue
		}
		if last, _ := utf8.DecodeLastRuneInString(text[:at]); last == ' ' || unicode.Is(unicode.Han, last) {
			return &cell{heading.node, label, heading.display}
		}
	}
	return heading
}

// listAt is the list or table that begins with a cell, or the element whose children do so;
// nil for none. The label of the field may stand in front of the cell.
func (s *sheet) listAt(l *lexicon, field, i int) *html.Node {
	n := s.cells[i].node.Parent
	entry := n
	for up := 0; entry != nil && entry.Data != "li" && entry.Data != "tr" && up < maxWrap; up++ {
		entry = entry.Parent
	}
	if entry != nil && (entry.Data == "li" || entry.Data == "tr") && entry != s.Root {
		n = entry.Parent
		if n != nil && (n.Data == "tbody" || n.Data == "thead") {
			n = n.Parent
		}
		if n != nil && s.holds(l, field, n, i) {
			return n
		}
		return nil
	}
	for range maxWrap {
		if n == nil || s.isTop(n) || n.Data == "body" || !s.holds(l, field, n, i) {
			break
		}
		if siblings(n) > 1 {
			return n
		}
		n = n.Parent
	}
	return nil
}

// siblings is how many paragraphs or the like an element has, or lines.
func siblings(n *html.Node) int {
	most := 0
	for _, tag := range [...]string{"p", "div", "dd"} {
		most = max(most, len(structure.Elements(n, tag)))
	}
	return max(most, len(structure.Elements(n, "br"))+1)
}

// holds reports whether an element begins with a cell, or with the label in front of that,
// and has no label of another field.
func (s *sheet) holds(l *lexicon, field int, n *html.Node, i int) bool {
	sp := s.spans[n]
	if sp.len() > maxEntries || sp.first != i && (sp.first != i-1 || l.label(s.cells[i-1].text)[field] < 1) {
		return false
	}
	for _, c := range s.cells[i:sp.end] {
		if shares := l.label(c.text); shares[field] < 1 && slices.Contains(shares, 1) {
			return false
		}
	}
	return true
}
