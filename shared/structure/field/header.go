package field

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// header is the cell above in a table whose text heads the column of a cell.
func (s *sheet) header(n *html.Node) *cell {
	for up := 0; n != nil && n.Data != "td" && up < 4; up++ {
		n = n.Parent
	}
	if n == nil || n.Data != "td" || n.Parent == nil {
		return nil
	}
	column := 0
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		column += columns(c)
	}
	heads := s.heads(n.Parent)
	if column >= len(heads) {
		return nil
	}
	return heads[column]
}

// heads are the texts that head the columns of the table of a row, nil for none: of the
// last row of its <thead>, or else of its first row.
func (s *sheet) heads(row *html.Node) []*cell {
	table := row.Parent
	if table == nil {
		return nil
	}
	heads, known := s.tables[table]
	if !known {
		heads = s.headsOf(table)
		s.tables[table] = heads
	}
	for _, h := range heads {
		if h != nil && above(h.node, "tr", maxWrap) == row {
			return nil
		}
	}
	return heads
}

// minColumns are the columns of a table whose first row heads them, if no <th>
// says so. It has no digits: Location, Berlin, Salary, 60,000 are two facts.
const minColumns = 3

func (s *sheet) headsOf(table *html.Node) []*cell {
	rows := structure.Elements(table, "tr")
	if table.Data == "tbody" && table.Parent != nil {
		if thead := structure.Elements(table.Parent, "thead"); len(thead) > 0 && len(rows) > 0 {
			if above := structure.Elements(thead[0], "tr"); len(above) > 0 {
				rows = []*html.Node{above[len(above)-1], rows[0]}
			}
		}
	}
	if len(rows) < 2 || structure.AreFacts(rows) {
		return nil
	}
	found := structure.Elements(rows[0], "th")
	if tds := structure.Elements(rows[0], "td"); len(found) == 0 && len(tds) >= minColumns && !strings.ContainsAny(textOf(rows[0]), digits) {
		found = tds
	}
	var heads []*cell
	for _, n := range found {
		text := s.soleText(n)
		for range columns(n) {
			heads = append(heads, text)
		}
	}
	return heads
}

// soleText is the only text below an element, nil if it has none or several. The heads of
// the table of a record are no part of that.
func (s *sheet) soleText(n *html.Node) *cell {
	if sp, known := s.spans[n]; known {
		if sp.len() != 1 {
			return nil
		}
		return &s.cells[sp.first]
	}
	var found *cell
	for d := range n.Descendants() {
		if d.Type == html.TextNode && fold(d.Data) != "" {
			if found != nil {
				return nil
			}
			found = &cell{d, fold(d.Data), normalize(d.Data)}
		}
	}
	return found
}

// maxColumns is how many columns a cell may span.
const maxColumns = 20

// columns is how many columns a cell of a table is in.
func columns(n *html.Node) int {
	if n.Type != html.ElementNode {
		return 0
	}
	if span, err := strconv.Atoi(structure.Attr(n, "colspan")); err == nil && span > 1 {
		return min(span, maxColumns)
	}
	return 1
}
