package structure

import (
	"math"

	"golang.org/x/net/html"
)

// span is a record: siblings from the first node to the last.
type span struct{ first, last int32 }

// candidate is a list that a page may have.
type candidate struct {
	records []span
	part    *part // that of the records' first nodes
	indexed bool  // letters divide it
	measures
}

// measures say what the records of a candidate are like.
type measures struct {
	mass       float64 // width of the text, pictures included
	width      float64 // of the text of a record, on average
	linked     float64 // share of the records with a link
	texts      float64 // share of those with several texts
	structured float64 // share of those with several texts, or a text and a picture
	furniture  float64 // share of those in a menu, a foot or the like
	pictured   float64 // share of those with a picture
	inLinks    float64 // share of the text inside links
	words      float64 // share of the text of links that is in links of a word or two
	spread     float64 // standard deviation of the logarithm of the records' mass
	prose      float64 // share of those that are paragraphs
	headed     float64 // share of those whose first node has text or a picture
	beside     float64 // share of those in what the site calls a side matter
	cells      int8    // of the first record, if that is a row
	value      float64
}

// wordWidth is the width of a text from which it says more than a word or two.
const wordWidth = 14

// pictureWidth is what a picture counts for, in columns of text.
const pictureWidth = 8

func (t *tree) mass(s span) float64 {
	sum := 0.0
	for i := s.first; ; i = t.nodes[i].end {
		sum += float64(t.nodes[i].width) + pictureWidth*float64(t.nodes[i].pictures)
		if i == s.last {
			return sum
		}
	}
}

// texts counts the nodes of a record that have text of their own, up to two, and
// returns the first link.
func (t *tree) texts(s span) (texts int, link int32) {
	link = -1
	for i := s.first; i < t.nodes[s.last].end; i++ {
		n := &t.nodes[i]
		if n.own > 0 && texts < 2 {
			texts++
		}
		if link < 0 && n.tag == "a" && n.links > 0 {
			link = i
		}
		if texts == 2 && link >= 0 {
			break
		}
	}
	return texts, link
}

// paragraph reports whether a record is running text: a paragraph, mostly text
// of its own, or below a heading; and it does not begin with a link.
func (t *tree) paragraph(s span) bool {
	n := &t.nodes[s.first]
	switch n.tag {
	case "a":
		return false
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return 2*n.linked < n.width
	case "p", "blockquote", "pre", "figure":
	default:
		if (s.first != s.last || n.own < 30 || 2*n.own < n.width) && !t.passage(s) {
			return false
		}
	}
	return !beginsWithLink(n.html)
}

// passage reports whether a record is a part of a running text: it begins with a sentence,
// and has hardly a text that is in no paragraph.
func (t *tree) passage(s span) bool {
	all, running := int32(0), int32(0)
	for i := s.first; i < t.nodes[s.last].end; i++ {
		n := &t.nodes[i]
		if n.own == 0 {
			continue
		}
		in := t.inParagraph(i, s.first)
		if all == 0 && (!in || n.own < sentence) {
			return false
		}
		all += n.own
		if in {
			running += n.own
		}
	}
	return all > 0 && 10*running >= 9*all
}

// inParagraph reports whether a node is in a paragraph below another node.
func (t *tree) inParagraph(i, root int32) bool {
	for ; i > root; i = t.nodes[i].parent {
		if t.nodes[i].tag == "p" {
			return true
		}
	}
	return false
}

// beginsWithLink reports whether the first text of an element is in a link.
func beginsWithLink(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && width(d.Data) > 0 {
			for a := d.Parent; a != n; a = a.Parent {
				if a.Data == "a" {
					return target(a)
				}
			}
			return false
		}
	}
	return false
}

// precedence is that of METHOD C3 between regions of like text: items of lists,
// then paragraphs.
func precedence(tag string) float64 {
	switch tag {
	case "li", "tr", "article", "dt":
		return 1
	case "p":
		return 0.85
	}
	return 0.95
}

// measure fills in the measures of a candidate.
func (t *tree) measure(c *candidate) {
	m := measures{}
	n := float64(len(c.records))
	sum, squares, inLinks, words := 0.0, 0.0, 0.0, 0.0
	for _, r := range c.records {
		mass := t.mass(r)
		m.mass += mass
		l := math.Log1p(mass)
		sum, squares = sum+l, squares+l*l
		texts, link := t.texts(r)
		pictures := false
		for i := r.first; ; i = t.nodes[i].end {
			m.width += float64(t.nodes[i].width)
			inLinks += float64(t.nodes[i].linked)
			words += float64(t.nodes[i].words)
			pictures = pictures || t.nodes[i].pictures > 0
			if i == r.last {
				break
			}
		}
		if link >= 0 {
			m.linked++
		}
		if t.paragraph(r) {
			m.prose++
		}
		if pictures {
			m.pictured++
		}
		switch {
		case texts > 1 && t.nodes[r.first].tag != "ul" && t.nodes[r.first].tag != "ol":
			m.texts++
			m.structured++
		case texts == 1 && pictures:
			m.structured++
		}
		if head := &t.nodes[r.first]; head.width > 0 || head.pictures > 0 {
			m.headed++
		}
		if t.nodes[r.first].furniture {
			m.furniture++
		}
		if above := t.nodes[r.first].parent; above >= 0 && t.nodes[above].beside {
			m.beside++
		}
	}
	if m.width > 0 {
		m.inLinks = inLinks / m.width
	}
	if inLinks > 0 {
		m.words = words / inLinks
	}
	m.width, m.linked, m.structured, m.furniture, m.pictured, m.prose, m.headed, m.beside, m.texts = m.width/n, m.linked/n, m.structured/n, m.furniture/n, m.pictured/n, m.prose/n, m.headed/n, m.beside/n, m.texts/n
	m.spread = math.Sqrt(max(0, squares/n-(sum/n)*(sum/n)))
	m.cells = t.nodes[c.records[0].first].cells
	if m.linked >= 0.5 || !t.areFacts(c) {
		m.value = precedence(t.nodes[c.records[0].first].tag) * m.worth(len(c.records))
	}
	c.measures = m
}

// worth ranks lists by their text, and what speaks against a list of records.
func (m *measures) worth(records int) float64 {
	if records < 2 {
		return 0
	}
	v := m.mass * trust(records)
	if m.linked < 0.5 && m.cells == 2 || m.texts < 0.6 && m.linked < 0.8 || m.headed < 0.5 || m.prose > 0.5 {
		return 0
	}
	if m.linked < 0.5 && m.cells < 3 {
		v *= 0.5
	}
	if m.menu() {
		v *= 0.2
	}
	v *= (1 - 0.98*m.furniture) * (1 - (1-asideShare)*m.beside)
	return v * math.Exp(-max(0, m.spread-0.7))
}

// leads reports whether records are no more than links of a word, such as the columns of
// a large menu and the values of a filter.
func (m *measures) leads() bool {
	return m.words >= 0.8 && m.inLinks >= 0.5 && m.pictured < 0.5
}

// trust is how far so many records are a list.
func trust(records int) float64 {
	switch records {
	case 2:
		return 0.3
	case 3:
		return 0.6
	case 4:
		return 0.8
	}
	return 1
}

// menu reports whether records are no more than a word or two to click.
func (m *measures) menu() bool {
	return m.width < wordWidth && m.pictured < 0.5 && m.structured < 0.5
}
