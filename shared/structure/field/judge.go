package field

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

// judge returns a text as a value of a field, if enough speaks for it; given are
// the values that the page gives to programs.
func (s *sheet) judge(l *lexicon, field int, at spot, given []string) (candidate, bool) {
	f := &l.Fields[field]
	score, label, paths := s.named(l, field, at)
	if score+reserve(f, at.text, given) < least || f.Type == template.Text && (l.isLabelFor(f, at.text) || l.isOther(field, at)) {
		return candidate{}, false
	}
	v, ok := Clean(f, s.text(f, at), s.Base)
	if !ok || f.Type == template.Text && (l.isDate(at.text) || l.isDate(v.Text) || l.isLabelFor(f, v.Text)) {
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
	if f.Heading {
		points := 0.0
		if s.spans[at.node].len() <= 3 || oneLine(at.node) {
			points = s.heading(at.node, at.text)
		}
		if !s.isRecord { // the text of a page has names of others: 名称：某县医院
			score -= label
			points = max(points, min(label, least))
		}
		score += points
	}
	if score == 0 && s.scaled(l, f, at) {
		score = pointsForm / bareAmount
	}
	score += fits(f, at.text, v) + pointsUsual*f.Usual(v.Text)
	if f.Type == template.Date && score < least && s.spans[at.node].len() <= 1 {
		if _, _, ok := besideStamp(at.text); ok {
			score = least
		}
	}
	if score < least {
		return candidate{}, false
	}
	if f.Type == template.Price && !s.isRecord && !s.withOthers {
		switch ofOther(at.node, s.Base) {
		case others:
			return candidate{}, false
		case perhaps:
			score = max(doubted*score, doubtful*least)
		}
	}
	if f.Heading && isAmount(at.text) && above(at.node, "h1", maxWrap) == nil {
		return candidate{}, false
	}
	left := s.shown(f, at, v, score)
	return candidate{v, left, firm, label >= firmly && left > otherwise*score, append(paths, s.paths(at.node)...)}, true
}

// isLabelFor reports whether a text is a label and no usual value of a field.
func (l *lexicon) isLabelFor(f *template.Field, text string) bool {
	return l.isLabel(text) && f.Usual(text) < 1
}

// isDate reports whether a text is nothing but a date of the template, with its label.
func (l *lexicon) isDate(text string) bool {
	if len(text) > maxLead || !strings.ContainsAny(text, digits) || !slices.ContainsFunc(l.Fields, func(f template.Field) bool { return f.Type == template.Date }) {
		return false
	}
	v, ok := readDate(text)
	if !ok || len(v.Text) <= len("2024") {
		return false
	}
	before, after, _ := strings.Cut(text, v.Text)
	rest := strings.Trim(before+seconds.ReplaceAllString(after, ""), marks+brackets+closing)
	return rest == "" || slices.Max(l.label(rest)) == 1
}

// second reports whether a template has another date in front of this one, or another field
// with the same pattern: a date that nothing but its form speaks for is rather the date of
// publication, and a time of a recipe may be any of its times.
func (l *lexicon) second(field int) bool {
	f := &l.Fields[field]
	return slices.ContainsFunc(l.Fields[:field], func(o template.Field) bool { return o.Type == template.Date && f.Type == template.Date }) ||
		f.Pattern != nil && slices.ContainsFunc(l.Fields, func(o template.Field) bool {
			return o.Name != f.Name && o.Pattern != nil && o.Pattern.String() == f.Pattern.String()
		})
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
		if share := l.label(at.label.text)[field]; share > 0 && !isValue(f, at, share) {
			points := pointsLabel * share * at.trust * s.rare(at.label)
			if s.beside[at.node] { // "Company" above the links of a footer
				points *= asideLabel
			}
			label += points
			paths = s.labelled(at.label, at.node)
		}
	}
	if at.header != nil && at.header != at.label {
		if share := l.label(at.header.text)[field]; share > 0 {
			label += pointsLabel * share * 0.9
			paths = append(paths, s.labelled(at.header, at.node)...)
		}
	}
	if start, colon := l.labelIn(field, at); colon > 0 && (at.text[colon] != ' ' || s.spans[at.node].len() <= 1) {
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

// isValue reports whether what is beside a text is no label of a field but its value: In
// stock, 12 in stock.
func isValue(f *template.Field, at spot, share float64) bool {
	number := share < 1 && f.Type == template.Text && strings.ContainsAny(at.label.text, digits)
	return number || f.Usual(at.label.text) == 1 && at.trust < 1 && above(at.label.node, "th", 2) == nil && above(at.label.node, "dt", 2) == nil
}

// besideAmount is the text in front of a number or a date, and for a number the words behind it.
func besideAmount(f *template.Field, at spot) (lead, tail string) {
	number := strings.IndexAny(at.text, digits)
	switch {
	case number < 0:
	case f.Type == template.Number && !strings.ContainsAny(at.text, ":："):
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
		if s.abuts(n) {
			score *= joined
		}
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

// abuts reports whether two children of an element have no space between their letters, as
// "Jane Doe" and "Political editor": nobody reads them as one text.
func (s *sheet) abuts(n *html.Node) bool {
	before := byte(0) // the last letter of an element in front
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		at := s.spans[c]
		if c.Type != html.ElementNode || block[c.Data] || at.len() == 0 {
			before = 0
			continue
		}
		if isLetter(before) && isLetter(s.cells[at.first].text[0]) {
			return true
		}
		text := s.cells[at.end-1].text
		before = text[len(text)-1]
	}
	return false
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

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
	lead, _ := besideAmount(f, at) // Joined March 3, 2020
	if at.header != nil && f.Avoids(at.header.text) > 0 || at.colon > 0 && f.Avoids(at.text[:at.colon]) > 0 || f.Avoids(lead) > 0 {
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
