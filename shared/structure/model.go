package structure

import (
	"strings"

	"golang.org/x/net/html"
)

// Model is a page of a list, by which others of it are recognised: one with few records
// looks like details in itself.
type Model struct {
	path     *Path
	siblings int
	texts    map[string]bool // outside of the records
}

// maxOwn is how much text of its own, in bytes, a page of a list may have outside of its
// records: "Page 6 of 6". Products of two carried shops have 1,156 and more.
const maxOwn = 40

// NewModel makes a model of a page and the path to the records of its list, of which one
// has so many elements at most.
func NewModel(root *html.Node, path *Path, siblings int) *Model {
	m := &Model{path, max(siblings, 1), map[string]bool{}}
	outside(root, path.Records(root, m.siblings), func(text string) { m.texts[text] = true })
	return m
}

// Records returns the records of a page if it is one of the list: it has some at the path,
// and hardly a text besides that the model has not. Else it returns none.
func (m *Model) Records(root *html.Node) []Record {
	records := m.path.Records(root, m.siblings)
	within, own := 0, 0
	for _, r := range records {
		within += len(r.Text())
	}
	outside(root, records, func(text string) {
		if !m.texts[text] {
			own += len(text)
		}
	})
	if own > maxOwn || own >= within {
		return nil
	}
	return records
}

// outside calls use for the texts of a page that are in none of its records.
func outside(root *html.Node, records []Record, use func(text string)) {
	inside := map[*html.Node]bool{}
	for _, r := range records {
		for _, n := range r {
			inside[n] = true
		}
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			if text := strings.Join(strings.Fields(n.Data), " "); text != "" {
				use(text)
			}
		}
		if inside[n] || n.Type == html.ElementNode && dropped[n.Data] {
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(root)
}
