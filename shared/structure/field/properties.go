package field

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

// properties are the values that the page gives to programs.
func (s *sheet) properties(f *template.Field) []candidate {
	var found []candidate
	add := func(text string, points float64, paths ...path) {
		if v, ok := Clean(f, text, s.Base); ok {
			found = append(found, candidate{value: v, score: points, firm: true, paths: paths})
		}
	}
	for rank, name := range f.Properties {
		points := pointsMeta - float64(rank)/4 // the first are the best
		for _, n := range s.metas {
			for _, key := range [...]string{"property", "name"} {
				if strings.EqualFold(structure.Attr(n, key), name) && quotable(structure.Attr(n, key)) {
					add(structure.Attr(n, "content"), points, path{s.here("//meta[@" + key + "='" + structure.Attr(n, key) + "']/@content"), trustNamed})
				}
			}
		}
		for _, n := range s.tagged {
			if s.property(n) != name {
				continue
			}
			if f.Many {
				if key := structure.Attr(n, "itemprop"); quotable(key) {
					add(s.entries(name), pointsProperty, path{s.here("//*[@itemprop='" + key + "']"), trustNamed})
				}
				break
			}
			paths := s.paths(n)
			for _, key := range [...]string{"content", "datetime"} {
				if text := structure.Attr(n, key); text != "" {
					add(text, pointsProperty, below(paths, "/@"+key)...)
				}
			}
			switch {
			case f.Type == template.Image || f.Type == template.Link:
				for _, key := range [...]string{"href", "src"} {
					if text := structure.Attr(n, key); text != "" {
						add(text, pointsProperty, below(paths, "/@"+key)...)
					}
				}
			case n.Data != "meta":
				add(textFor(f, n), pointsProperty, paths...)
			}
		}
		for _, text := range valuesOf(f, s.data, name) {
			add(text, points, path{dataPath + name, trustNamed})
		}
	}
	return found
}

// below are paths with a step behind them.
func below(paths []path, step string) []path {
	with := make([]path, len(paths))
	for i, p := range paths {
		with[i] = path{p.xpath + step, p.trust}
	}
	return with
}

// property is the path of a property in microdata: the price of an offer is
// "offers.price", or "price", which the template may name.
func (s *sheet) property(n *html.Node) string {
	name := structure.Attr(n, "itemprop")
	for at := n.Parent; at != nil; at = at.Parent {
		if !structure.HasAttr(at, "itemscope") {
			continue
		}
		if outer := structure.Attr(at, "itemprop"); outer != "" && outer != "mainEntity" {
			name = outer + "." + name
		}
	}
	return name
}

// given are the values of a field that the page gives to programs.
func (s *sheet) given(f *template.Field) []string {
	var texts []string
	for _, name := range f.Properties {
		texts = append(texts, valuesOf(f, s.data, name)...)
		for _, n := range s.metas {
			if structure.Attr(n, "property") == name || structure.Attr(n, "name") == name {
				texts = append(texts, structure.Attr(n, "content"))
			}
		}
		if text := s.entries(name); f.Many && text != "" {
			texts = append(texts, text)
			continue
		}
		for _, n := range s.tagged {
			if s.property(n) == name {
				texts = append(texts, cmp.Or(structure.Attr(n, "content"), textFor(f, n)))
			}
		}
	}
	return texts
}

// same compares a value with a text that the page gives to programs.
func same(f *template.Field, v Value, text string) bool {
	other, ok := Clean(f, text, nil)
	if !ok {
		return false
	}
	if v.Amount != nil && other.Amount != nil {
		return *v.Amount == *other.Amount
	}
	return v.Date != "" && v.Date == other.Date || template.Fold(v.Text) == template.Fold(other.Text)
}

// past are the prices that a page shows only struck out, with a lower one: the path to them
// may be that to the price of other products, and shops forget to change what they tell
// programs when a sale begins.
func (s *sheet) past() map[float64]bool {
	var shown []float64
	for i := range s.cells {
		if n := s.cells[i].node; len(s.cells[i].text) <= maxLead && strings.ContainsAny(n.Data, digits) && !s.struck[n.Parent] {
			text := priceText(n)
			if !mayPrice(text) {
				continue
			}
			if v, ok := readPrice(text); ok {
				shown = append(shown, *v.Amount)
			}
		}
	}
	slices.Sort(shown)
	past := map[float64]bool{}
	for n := range s.struck {
		if s.struck[n.Parent] {
			continue
		}
		if v, ok := readPrice(priceText(n)); ok {
			at, also := slices.BinarySearch(shown, *v.Amount)
			past[*v.Amount] = !also && at > 0 && shown[at-1] >= cheapest**v.Amount
		}
	}
	return past
}
