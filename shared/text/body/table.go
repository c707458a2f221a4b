package body

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Tables of figures belong to the article around them, though no cell of them
// reads like text. A row is one block then; the
// cells of tables that lay a page out stay blocks of their own.
const (
	dataRows  = 2 // rows of a table of data
	dataCells = 2 // cells of each with text

	maxLabelled = 24 // bytes of a label
)

// dataTable returns the rows of a table that holds data: cells of text alone,
// without links, breaks or containers.
func dataTable(table *html.Node) (rows []*html.Node) {
	for c := table.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Tr:
			if dataRow(c) {
				rows = append(rows, c)
			}
		case atom.Tbody, atom.Thead, atom.Tfoot:
			for r := c.FirstChild; r != nil; r = r.NextSibling {
				if r.DataAtom == atom.Tr && dataRow(r) {
					rows = append(rows, r)
				}
			}
		}
	}
	if len(rows) < dataRows {
		return nil
	}
	return rows
}

// dataRow says whether a row has several cells of text, and nothing else.
func dataRow(row *html.Node) bool {
	cells := 0
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		text, ok := inlineText(c)
		if !ok {
			return false
		}
		if text {
			cells++
		}
	}
	return cells >= dataCells
}

// inlineText says whether a node has text, and whether there is no link, break or
// container in it. Word puts the text of each cell into a <p>.
func inlineText(n *html.Node) (text, ok bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			text = text || strings.TrimSpace(c.Data) != ""
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.P, !isBlock(tagOf(c)) && c.DataAtom != atom.A && c.DataAtom != atom.Br:
			inner, ok := inlineText(c)
			if !ok {
				return false, false
			}
			text = text || inner
		default:
			return false, false
		}
	}
	return text, true
}

// joinRows puts the cells of each row of data into one block.
func (l *layout) joinRows() {
	if !slices.ContainsFunc(l.blocks, func(b block) bool { return b.row > 0 }) {
		return
	}
	joined, at := l.blocks[:0:0], make([]int, len(l.blocks)+1)
	for i, b := range l.blocks {
		at[i] = len(joined)
		last := len(joined) - 1
		if b.row == 0 || last < 0 || joined[last].row != b.row {
			joined = append(joined, b)
			continue
		}
		at[i] = last
		j := &joined[last]
		j.text += " " + b.text
		j.runes, j.links, j.marks = j.runes+b.runes, j.links+b.links, j.marks+b.marks
		j.aside, j.furniture = j.aside && b.aside, j.furniture || b.furniture
		j.clues |= b.clues
		j.element = l.elements[b.element].parent
	}
	if len(joined) == len(l.blocks) {
		return
	}
	at[len(l.blocks)] = len(joined)
	move := func(r *region) {
		empty := r.to <= r.from
		r.from, r.to = at[r.from], at[r.to]
		if !empty && r.to <= r.from {
			r.to = r.from + 1
		}
	}
	for i := range l.regions {
		move(&l.regions[i])
	}
	for i := range l.elements {
		move(&l.elements[i].region)
	}
	l.blocks, l.named = joined, nil
}

// labelled says whether a block begins with a label, as the rows of what is known
// of a document do: 索引号：…
func (b *block) labelled() bool {
	at := strings.IndexAny(b.text, "：:0123456789")
	return at >= 0 && at <= maxLabelled && b.text[at] > '9'
}
