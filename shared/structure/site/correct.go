package site

import (
	"maps"
	"reflect"
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
		if sum, known := old.Checks[place]; !known || sum != check(value) {
			s.copy(place, old)
			if known {
				s.Checks[place] = sum
			} else {
				delete(s.Checks, place)
			}
		}
	}
	for place, sum := range old.Checks {
		if _, there := was[place]; !there && s.Layers[layerOf(place)] != nil {
			s.copy(place, old)
			s.Checks[place] = sum
		}
	}
}

// keepFields takes over the fields of the old site, after an analysis that looked for none.
func (s *Site) keepFields(old *Site) {
	for place := range old.entries() {
		if name, key, _ := strings.Cut(place, "."); s.Layers[name] != nil && strings.HasPrefix(key, "fields.") {
			s.copy(place, old)
			if sum, known := old.Checks[place]; known {
				s.Checks[place] = sum
			}
		}
	}
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
	return a.Template == b.Template && maps.Equal(a.entries(), b.entries()) && reflect.DeepEqual(a.Checks, b.Checks)
}
