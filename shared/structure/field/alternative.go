package field

import (
	"slices"
	"strings"

	"sluice/shared/structure/template"
)

// Pages of a layer differ: a product on sale has a second price. The field then has two
// paths, the second for pages without the first, as one XPath that any program evaluates:
// P1 | P2[not(P1)].

const (
	rivals   = 0.6 // of the score of the best price of a page, that a lower one has at least
	cheapest = 0.3 // of its amount
	anchored = 0.8 // the trust of a path that begins at a name
	maxBars  = 8
	nearly   = 0.85 // of the score of the best path
)

// sale returns the path to a lower price than that of another one, which some of the pages
// have, nil for none: of two prices with a label on a page, customers pay the lower.
func (g *group) sale(groups []*group, lowest []*candidate) *group {
	if strings.HasPrefix(g.xpath, ".") || strings.HasPrefix(g.xpath, dataPath) {
		return nil
	}
	var before *group
	covers := 0
	for _, h := range groups {
		if h == g || h.trust < anchored || strings.HasPrefix(h.xpath, dataPath) {
			continue
		}
		if n := h.lower(g, lowest); n > covers || n == covers && n > 0 && h.trust > before.trust {
			before, covers = h, n
		}
	}
	return before
}

// over returns the prices of all pages, and those of the other path that are no longer paid,
// given the path to prices of sales.
func (g *group) over(other *group) (now, before *group) {
	was, is := *other, *other
	was.values, is.values = slices.Clone(other.values), slices.Clone(other.values)
	for i, v := range g.values {
		if v == nil {
			was.values[i] = nil
		} else {
			is.values[i] = v
		}
	}
	return &is, &was
}

// wider returns the path to a price that has the values of the best path on its pages, and
// values on more: a label that only products on sale have leads to few of them, the place of
// a price in what is around it to those of the others.
func (g *group) wider(f *template.Field, groups []*group, pages int) *group {
	if !current(f) || g.pages == pages {
		return g
	}
	best := g
	for _, h := range groups {
		if h.pages > best.pages && h.extends(g) || h.pages == best.pages && best != g && h.score(pages, false) > best.score(pages, false) && h.extends(g) {
			best = h
		}
	}
	return best
}

// plainer returns the most trusted of the paths to the same prices, if about as much speaks
// for it: the element around a price stays when what is in it changes.
func (g *group) plainer(f *template.Field, groups []*group, pages int) *group {
	if !current(f) {
		return g
	}
	best := g
	for _, h := range groups {
		if h.trust > best.trust && h.score(pages, false) >= nearly*g.score(pages, false) && h.reads(g) {
			best = h
		}
	}
	return best
}

// reads reports whether two paths lead to the same texts.
func (g *group) reads(other *group) bool {
	return slices.EqualFunc(g.values, other.values, func(v, w *Value) bool {
		return (v == nil) == (w == nil) && (v == nil || v.Text == w.Text)
	})
}

// extends reports whether a path leads to all values of another one.
func (g *group) extends(other *group) bool {
	for i, v := range other.values {
		if v != nil && (g.values[i] == nil || *g.values[i].Amount != *v.Amount) {
			return false
		}
	}
	return true
}

// current reports whether a field is the price that customers pay, which all products have.
func current(f *template.Field) bool { return f.Type == template.Price && f.Score(struckWord) == 0 }

// isOld reports whether a field is a price that customers paid before.
func isOld(f *template.Field) bool { return f.Type == template.Price && !current(f) }

// lower is on how many pages a path leads to the lowest price with a label, and another
// one to a higher price; 0 if the path leads to something else anywhere.
func (g *group) lower(other *group, lowest []*candidate) int {
	n := 0
	for i, v := range g.values {
		switch {
		case v == nil:
		case lowest[i] == nil || *v.Amount != *lowest[i].value.Amount:
			return 0
		case other.values[i] != nil && *v.Amount < *other.values[i].Amount:
			n++
		}
	}
	return n
}

// lowestLabelled is the lowest price of a page that has a label, nil for none. One that is
// much lower than the price that most speaks for is something else.
func lowestLabelled(all []candidate) *candidate {
	var best, found *candidate
	for i := range all {
		if c := &all[i]; c.value.Amount != nil && (best == nil || c.score > best.score) {
			best = c
		}
	}
	for i := range all {
		c := &all[i]
		if c.labelled && c.value.Amount != nil && c.score >= rivals*best.score && *c.value.Amount >= cheapest**best.value.Amount && (found == nil || *c.value.Amount < *found.value.Amount) {
			found = c
		}
	}
	return found
}

// either is the XPath of what the first leads to, and of what the second does on pages
// where that is nothing.
func either(first, second string) string { return first + " | " + second + "[not(" + first + ")]" }

// alternatives takes an XPath of either apart.
func alternatives(xpath string) []string {
	for at := range min(maxBars, strings.Count(xpath, " | ")) { // a label may have some
		parts := strings.SplitN(xpath, " | ", at+2)
		first := strings.Join(parts[:at+1], " | ")
		if second, ok := strings.CutSuffix(parts[at+1], "[not("+first+")]"); ok {
			return []string{first, second}
		}
	}
	return []string{xpath}
}
