package site

import (
	"maps"
	"strings"
)

// layerOf is the layer of the place of an entry.
func layerOf(place string) string {
	name, _, _ := strings.Cut(place, ".")
	return name
}

// keepCorrections takes over what a person has changed, added or removed in the old
// site. The checks stay those of the analysis, so that the entries count as corrected
// in the future.
func (s *Site) keepCorrections(old *Site) {
	was := old.entries()
	for place, value := range was {
		if sum, known := old.Checks[place]; s.holds(place, old) && (!known || sum != check(value)) {
			s.copy(place, old)
			if known {
				s.Checks[place] = sum
			} else {
				delete(s.Checks, place)
			}
		}
	}
	for place, sum := range old.Checks {
		if _, there := was[place]; !there && s.holds(place, old) {
			s.copy(place, old)
			s.Checks[place] = sum
		}
	}
}

// keepFields takes over the fields of layers that were analysed without a template.
func (s *Site) keepFields(old *Site) {
	for name, l := range s.Layers {
		before := old.Layers[name]
		if l.Template != "" || before == nil {
			continue
		}
		l.Template, l.Fields = before.Template, maps.Clone(before.Fields)
		for place, sum := range old.Checks {
			if place == name+".template" || strings.HasPrefix(place, name+".fields.") {
				s.Checks[place] = sum
			}
		}
	}
}

// holds reports whether a place of the old site is one of this: fields of another
// template are not.
func (s *Site) holds(place string, old *Site) bool {
	name, key, _ := strings.Cut(place, ".")
	l, before := s.Layers[name], old.Layers[name]
	return l != nil && key != "template" && (!strings.HasPrefix(key, "fields.") || before != nil && l.Template == before.Template)
}

// copy sets an entry to that of another site, which may have none.
func (s *Site) copy(place string, from *Site) {
	name, key, _ := strings.Cut(place, ".")
	to := s.Layers[name]
	if to == nil {
		return
	}
	l := from.Layers[name]
	if l == nil {
		l = &Layer{}
	}
	field, isField := strings.CutPrefix(key, "fields.")
	f, there := l.Fields[field]
	switch {
	case isField && there:
		if to.Fields == nil {
			to.Fields = map[string]Field{}
		}
		to.Fields[field] = f
	case isField:
		delete(to.Fields, field)
	case key == "rendering":
		to.Rendering = l.Rendering
	case key == "region":
		to.Region = l.Region
	case key == "record":
		to.Record = l.Record
	case key == "siblings":
		to.Siblings = l.Siblings
	case key == "pages":
		to.Pages = l.Pages
	}
}

// same reports whether two sites say the same.
func same(a, b *Site) bool {
	return maps.Equal(a.entries(), b.entries()) && maps.Equal(a.Checks, b.Checks)
}
