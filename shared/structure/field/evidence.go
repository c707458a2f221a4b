package field

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
	"sluice/shared/web/urlnorm"
)

// Points for what speaks for a value, on the scale of the lexicon of attributes,
// where a match gives 5 to 15.
const (
	pointsLabel    = 25 // a label beside it
	pointsProperty = 30 // a property of this name has it
	pointsMeta     = 24 // it is only for programs
	pointsHeading  = 12 // it is in <h1>; less in others
	pointsTitle    = 16 // the title of the page has it
	pointsRecord   = 20 // at most, for the main link of a record
	pointsForm     = 6  // it has the form of its type or pattern
	pointsSlogan   = 10 // the link's title, behind its name
	pointsUsual    = 10 // it is one of the field's usual values
	least          = 6  // with less, a value is not believed
)

// lexicon is a template with what its words score, which repeats on a page.
type lexicon struct {
	*template.Template
	attributes map[string][]float64
	labels     map[string][]float64
}

func newLexicon(t *template.Template) *lexicon {
	return &lexicon{t, map[string][]float64{}, map[string][]float64{}}
}

// attribute is what the words of each field score in an attribute.
func (l *lexicon) attribute(value string) []float64 {
	scores, ok := l.attributes[value]
	if !ok {
		scores = make([]float64, len(l.Fields))
		for i := range l.Fields {
			scores[i] = l.Fields[i].Score(value)
		}
		l.attributes[value] = scores
	}
	return scores
}

// label is how far a text is the label of each field.
func (l *lexicon) label(text string) []float64 {
	scores, ok := l.labels[text]
	if !ok {
		scores = make([]float64, len(l.Fields))
		for i := range l.Fields {
			share := l.Fields[i].Label(text)
			scores[i] = share * share // "Manufacturer Part Number" is hardly a manufacturer
		}
		// 市场价格 is a price, but rather a list price.
		most := slices.Max(scores)
		for i := range scores {
			if scores[i] < most {
				scores[i] = 0
			}
		}
		l.labels[text] = scores
	}
	return scores
}

// unlisted are the attributes that say nothing of what an element holds.
var unlisted = map[string]bool{
	"href": true, "src": true, "style": true, "content": true, "value": true, "title": true, "alt": true, "width": true, "height": true,
	"target": true, "align": true, "valign": true, "border": true, "bgcolor": true, "color": true, "lang": true, "datetime": true, "srcset": true,
}

// maxAttribute is the length of an attribute with words, in bytes.
const maxAttribute = 80

// element is what the attributes of an element score for a field.
func (l *lexicon) element(n *html.Node, field int) float64 {
	score := 0.0
	for i := range n.Attr {
		a := &n.Attr[i]
		if unlisted[a.Key] || strings.HasPrefix(a.Key, "on") {
			continue
		}
		weight := l.Weights.Other
		switch a.Key {
		case "name":
			weight = l.Weights.Name
		case "id":
			weight = l.Weights.ID
		case "class":
			weight = l.Weights.Class
		case "itemprop", "property", "rel":
			weight = l.Weights.ItemProp
		default:
			if strings.HasPrefix(a.Key, "data-") {
				score += weight / 10 * l.attribute(a.Key)[field]
				continue
			}
		}
		if len(a.Val) <= maxAttribute {
			score += weight / 10 * l.attribute(a.Val)[field]
		}
	}
	return score
}

// kind is what the address of a link scores for a field. Behind running text it says who
// wrote a comment.
func (s *sheet) kind(l *lexicon, n *html.Node, field int) float64 {
	f := &l.Fields[field]
	if n.Data != "a" || f.Type != template.Text || f.Heading || f.Many || s.spans[n].first > s.running {
		return 0
	}
	if kind := kindOf(structure.Attr(n, "href")); kind != "" && len(kind) <= maxAttribute {
		return l.attribute(kind)[field]
	}
	return 0
}

// kindOf is what an address says of the pages that are called like its page: "brand" for
// /brand/sony, "author" for /author.php?id=7, "space uid" for space-uid-7.html.
func kindOf(href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	urlnorm.Clean(u)
	parts := strings.Split("/"+strings.Trim(u.Path, "/"), "/")
	name, _, _ := strings.Cut(parts[len(parts)-1], ".")
	if u.RawQuery == "" && !strings.ContainsAny(name, digits) {
		name = ""
	}
	if words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }); 0 < len(words) && len(words) <= maxKind && len(words[0]) > 1 {
		return strings.Join(words, " ")
	}
	return parts[len(parts)-2]
}

// maxKind are the words of the name of a kind of pages: those with more are titles.
const maxKind = 2

// Elements above a value count while they hold little else.
const (
	maxAbove = 4
	maxCount = 8 // texts
)

var perLevel = [maxAbove + 1]float64{1, 0.8, 0.6, 0.4, 0.3}

// attributes is what the attributes of a node and of those above it score.
func (s *sheet) attributes(l *lexicon, n *html.Node, field int) float64 {
	own, first := 1, -1
	if n.Type == html.ElementNode {
		own, first = max(1, s.spans[n].len()), s.spans[n].first
	} else {
		n = n.Parent
	}
	best := 0.0
	for level := 0; level <= maxAbove && n != nil && n != s.Root.Parent && n.Data != "body"; level, n = level+1, n.Parent {
		count := max(own, s.spans[n].len())
		if count > own+maxCount {
			break
		}
		if level == 1 && own == 1 && s.spans[n].first == first && s.abuts(n) {
			count = own // what it is called is its first text
		}
		share := perLevel[level] * math.Pow(float64(own)/float64(count), 0.25)
		best = max(best, share*(l.element(n, field)+s.kind(l, n, field)))
	}
	return best
}

// labelOf is the text beside a cell that may be its label, nil for none; and how
// far it is one of a field, by its form.
func (s *sheet) labelOf(i int) (label *cell, trust float64) {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		c := &s.cells[j]
		switch {
		case speaks(c.text):
			return c, s.labelForm(c, j, i)
		case isDash(c):
			return nil, 0
		}
	}
	return nil, 0
}

// isDash reports whether a cell of a table or list of terms says that it has no value.
func isDash(c *cell) bool {
	in := c.node.Parent.Data
	return (in == "td" || in == "dd") && strings.Trim(c.text, "-–— ") == ""
}

// labelForm is how much a text looks like a label of what follows.
func (s *sheet) labelForm(c *cell, at, value int) float64 {
	colon := strings.HasSuffix(c.text, ":") || strings.HasSuffix(c.text, "：") || value == at+2 && strings.HasPrefix(s.cells[at+1].text, ":")
	if !colon {
		colon = strings.HasPrefix(s.cells[value].text, ":") || strings.HasPrefix(s.cells[value].text, "：")
	}
	if colon {
		return 1
	}
	form := 0.6
	for n, up := c.node.Parent, 0; n != nil && up < 3 && s.spans[n].len() <= 2; n, up = n.Parent, up+1 {
		switch n.Data {
		case "th", "dt", "label", "b", "strong", "h2", "h3", "h4", "h5", "h6", "em":
			form = max(form, 0.95)
		case "td", "span", "li", "div", "p":
			form = max(form, 0.75)
		case "a", "button", "option":
			return 0.4
		}
	}
	return form
}

// heading is how far a text names the page.
func (s *sheet) heading(n *html.Node, text string) float64 {
	points := 0.0
	for at, up := n, 0; at != nil && up < 3; at, up = at.Parent, up+1 {
		switch at.Data {
		case "h1":
			points = max(points, pointsHeading)
		case "h2":
			points = max(points, pointsHeading/2)
		case "h3":
			points = max(points, pointsHeading/4)
		}
		if s.isRecord && structure.IsHeading(at) { // which level it is depends on the page around it
			points = max(points, pointsHeading/2)
		}
	}
	folded := template.Fold(text)
	if len(folded) < 2 || folded == s.site {
		return 0
	}
	link := above(n, "a", 3)
	switch {
	case s.isRecord && link != nil && structure.Attr(link, "href") != "":
		points += s.record(link, folded)
	}
	best := 0.0
	if link != nil && !s.isRecord {
		points -= 4 // the page's own name is no link
	}
	for _, title := range s.titles {
		if strings.Contains(title, folded) {
			share := min(1, 2*float64(len(folded))/float64(len(title)))
			if strings.HasPrefix(title, folded) {
				share = min(1, share+0.2)
			}
			best = max(best, pointsTitle*share)
		}
	}
	return points + best
}

// record is how far the text of a link names a record: it leads where the record does, or
// is the longest if that is unknown; it is the link's own title, or the text of an image
// that links to the same page.
func (s *sheet) record(link *html.Node, folded string) float64 {
	points := 6.0
	title := template.Fold(structure.Attr(link, "title"))
	name, slogan := strings.CutSuffix(template.Fold(textOf(link)), title)
	switch slogan = slogan && name != ""; {
	case title == "":
	case slogan && strings.HasSuffix(folded, title):
		points -= pointsSlogan
	case slogan && folded == name, strings.Contains(title, folded), strings.Contains(folded, title):
		points += 4
	}
	longest := 0
	for _, a := range s.anchors {
		longest = max(longest, len(template.Fold(textOf(a))))
		if a != link && structure.Attr(a, "href") == structure.Attr(link, "href") {
			points += 2
		}
	}
	if s.Link == "" && len(folded) >= longest || s.Link != "" && structure.LeadsTo(link, s.Base) == s.Link {
		points += 4
	}
	return points
}

// above is the element of a kind at a node or up to most levels above it, nil
// for none.
func above(n *html.Node, tag string, most int) *html.Node {
	for ; n != nil && most >= 0; n, most = n.Parent, most-1 {
		if n.Type == html.ElementNode && n.Data == tag {
			return n
		}
	}
	return nil
}

// telling is the length from which a text is very likely the value if it matches the
// pattern of the field.
const telling = 6

// fits is how well a text fits the type and the pattern of a field.
func fits(f *template.Field, text string, v Value) float64 {
	covered := 0.0
	switch {
	case f.Pattern != nil:
		at := f.Pattern.FindStringIndex(text)
		if at == nil {
			return 0
		}
		covered = float64(at[1]-at[0]) / float64(len(text))
	case f.Type == template.Price && v.Currency == "":
		return 0
	case f.Type == template.Price, f.Type == template.Date:
		covered = float64(len(v.Text)) / float64(len(text))
		if strings.HasPrefix(text, v.Text) {
			covered = 1 // 49元包邮
		}
	case f.Type == template.Number:
		return 1
	default:
		return 0
	}
	switch {
	case f.Pattern != nil && len(text) < telling:
		return 0
	case covered >= 0.6:
		return pointsForm
	}
	return pointsForm * covered
}
