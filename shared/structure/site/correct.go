package site

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/shared/structure/field"
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
		if s.holds(place, old) && old.corrected(place, value) {
			s.copy(place, old)
			if sum, known := old.Checks[place]; known {
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

// sum is that of all entries.
func (s *Site) sum() string {
	var all strings.Builder
	entries := s.entries()
	for _, place := range slices.Sorted(maps.Keys(entries)) {
		all.WriteString(place + "\n" + entries[place] + "\n")
	}
	return check(all.String())
}

// Touched reports whether a person has corrected the file since it was written. The next
// update makes a version of that.
func (s *Site) Touched() bool { return s.Sum != "" && s.Sum != s.sum() }

// corrected reports whether a person has changed or added an entry.
func (s *Site) corrected(place, value string) bool {
	sum, known := s.Checks[place]
	return !known || sum != check(value)
}

// Idle are the corrections of a layer that select nothing on any of its pages, with their
// paths.
func (r *Reader) Idle(layer string, pages []field.Page) (idle []string) {
	for i := range r.layers {
		one := &r.layers[i]
		if one.name != layer || len(pages) == 0 {
			continue
		}
		records, had := 0, map[string]int{}
		for _, p := range pages {
			e, _ := one.read(p)
			records += len(e.Records)
			count(had, e.Fields)
			for _, v := range e.Records {
				count(had, v)
			}
		}
		add := func(place, path, value string) {
			if r.site.corrected(layer+"."+place, value) {
				idle = append(idle, fmt.Sprintf("layers.%s.%s: %s", layer, place, path))
			}
		}
		if one.record != nil && records == 0 {
			add("record", one.layer.Record, one.layer.Record)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(one.layer.Fields)) {
			if f := one.layer.Fields[name]; had[name] == 0 {
				add("fields."+name, f.XPath, f.value())
			}
		}
	}
	return idle
}
