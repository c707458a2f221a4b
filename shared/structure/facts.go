package structure

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

const (
	labelWidth = 16 // of the label of a fact, in columns, at most
	factWidth  = 60 // of its value, where no table says that it is one
	mostFacts  = 15 // rows of a table
	fewFacts   = 3  // of a <dl>
)

// AreFacts reports whether the rows of a table have labels and values in turn, two pairs
// or more in a row: facts about one thing, neither records nor heads above columns. The
// labels differ, and in each column some values have digits and some have none, as those of
// records do not. A first row without digits may be heads.
func AreFacts(rows []*html.Node) bool {
	if len(rows) < 2 || len(rows) > mostFacts {
		return false
	}
	labels, digits := map[string]bool{}, map[int][2]bool{} // by column: values without and with
	heads := !hasDigit(Record{rows[0]}.Text())
	for r, row := range rows {
		cells := Elements(row, "td", "th")
		if len(cells)%2 != 0 || len(cells) < 4 && r == 0 {
			return false
		}
		for i, cell := range cells {
			text := Record{cell}.Text()
			switch {
			case i%2 == 0 && !isFactLabel(cell, text, labels):
				return false
			case i%2 == 1 && (r > 0 || !heads):
				seen := digits[i]
				seen[count(hasDigit(text))] = true
				digits[i] = seen
			}
		}
	}
	for _, seen := range digits {
		if !seen[0] || !seen[1] {
			return alternate(rows[0])
		}
	}
	return true
}

// alternate reports whether a row has <th> and <td> in turn.
func alternate(row *html.Node) bool {
	for i, cell := range Elements(row, "td", "th") {
		if (cell.Data == "th") != (i%2 == 0) {
			return false
		}
	}
	return true
}

// isFactLabel reports whether the text of a cell may be a label that no other cell has.
func isFactLabel(cell *html.Node, text string, others map[string]bool) bool {
	if text == "" || others[text] || hasDigit(text) || width(text) > labelWidth {
		return false
	}
	for n := range cell.Descendants() {
		if n.Type == html.ElementNode && (n.Data == "a" || n.Data == "img") {
			return false
		}
	}
	others[text] = true
	return true
}

// areTerms reports whether a <dl> has facts about one thing: short values, not of one kind,
// below labels that differ.
func areTerms(dl *html.Node) bool {
	labels, seen := map[string]bool{}, [2]bool{}
	for n := range dl.Descendants() {
		if n.Type != html.ElementNode || n.Data != "dt" && n.Data != "dd" {
			continue
		}
		text := Record{n}.Text()
		if n.Data == "dt" && !isFactLabel(n, text, labels) || width(text) > factWidth {
			return false
		}
		if n.Data == "dd" {
			seen[count(hasDigit(text))] = true
		}
	}
	return len(labels) >= fewFacts && len(labels) <= mostFacts && seen[0] && seen[1]
}

// Elements are the children of a node with one of some tags.
func Elements(n *html.Node, tags ...string) (found []*html.Node) {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && slices.Contains(tags, c.Data) {
			found = append(found, c)
		}
	}
	return found
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// areFacts reports whether the records of a list are facts about one thing.
func (t *tree) areFacts(c *candidate) bool {
	n := t.nodes[c.records[0].first].html
	switch n.Data {
	case "td", "th", "tr":
		if n.Data != "tr" {
			n = n.Parent
		}
		return AreFacts(Elements(n.Parent, "tr"))
	case "dt", "dd":
		for n = n.Parent; n != nil; n = n.Parent {
			if n.Data == "dl" {
				return areTerms(n)
			}
		}
	}
	return false
}
