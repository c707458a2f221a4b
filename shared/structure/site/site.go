// Package site keeps what the analysis of a site has found, one file for a host: the
// paths of each layer, which later pages are read by (METHOD C6). People may correct
// the file; what they have changed wins over the next analysis.
package site

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"sluice/shared/structure"
	"sluice/shared/structure/template"
)

// Site is what is known of a host.
type Site struct {
	Host    string            `yaml:"host" json:"host"`
	Version int               `yaml:"version" json:"version"` // of the file: one more with each change
	Layers  map[string]*Layer `yaml:"layers" json:"layers"`   // by name, such as structure.ListLayer

	// Checks are of the entries as the analysis wrote them: an entry with another value
	// was corrected, and one that is gone was removed, by a person.
	Checks map[string]string `yaml:"checks" json:"-"`

	Sum string `yaml:"sum,omitempty" json:"-"` // of all entries when the file was written
}

// Layer is what is known of the pages of a layer.
type Layer struct {
	Template  string           `yaml:"template,omitempty" json:"template,omitempty"`   // of its fields: a name or a file
	Rendering string           `yaml:"rendering,omitempty" json:"rendering,omitempty"` // static or dynamic; "" if unknown
	Region    string           `yaml:"region,omitempty" json:"region,omitempty"`       // XPath of the main list
	Record    string           `yaml:"record,omitempty" json:"record,omitempty"`       // XPath of its records
	Siblings  int              `yaml:"siblings,omitempty" json:"siblings,omitempty"`   // elements of a record, if more than one
	Pages     string           `yaml:"pages,omitempty" json:"pages,omitempty"`         // URL of a page of the list, with {page} for its number
	Fields    map[string]Field `yaml:"fields,omitempty" json:"fields,omitempty"`       // of its records if there are, else of the page
}

// Field is where a field is.
type Field struct {
	XPath string `yaml:"xpath" json:"xpath"`
	Data  string `yaml:"data,omitempty" json:"data,omitempty"` // the path within JSON-LD
}

// value is the entry of a field.
func (f Field) value() string { return f.XPath + "\n" + f.Data }

// entries are the values that a person may correct, by place.
func (s *Site) entries() map[string]string {
	all := map[string]string{}
	for name, l := range s.Layers {
		for key, value := range map[string]string{"rendering": l.Rendering, "region": l.Region, "record": l.Record, "pages": l.Pages} {
			if value != "" {
				all[name+"."+key] = value
			}
		}
		if l.Siblings > 1 {
			all[name+".siblings"] = strconv.Itoa(l.Siblings)
		}
		if l.Template != "" {
			all[name+".template"] = l.Template
		}
		for field, f := range l.Fields {
			all[name+".fields."+field] = f.value()
		}
	}
	return all
}

// seal notes the entries as they are.
func (s *Site) seal() {
	s.Checks = map[string]string{}
	for place, value := range s.entries() {
		s.Checks[place] = check(value)
	}
}

func check(value string) string { return fmt.Sprintf("%08x", uint32(xxh3.HashString(value))) }

// Update returns what is known of a site after another analysis: that, with what a
// person has changed in the old one. Layers that were not analysed again stay.
func Update(old, found *Site) *Site {
	s := &Site{Host: found.Host, Version: 1, Layers: map[string]*Layer{}}
	for name, l := range found.Layers {
		fresh := *l
		fresh.Fields = maps.Clone(l.Fields)
		s.Layers[name] = &fresh
	}
	s.seal()
	if old == nil {
		s.Sum = s.sum()
		return s
	}
	s.keepFields(old)
	for name, l := range old.Layers {
		if s.Layers[name] != nil {
			continue
		}
		s.Layers[name] = l
		for place, sum := range old.Checks {
			if layerOf(place) == name {
				s.Checks[place] = sum
			}
		}
	}
	s.keepCorrections(old)
	s.Version = old.Version
	if !same(s, old) || old.Touched() {
		s.Version++
	}
	s.Sum = s.sum()
	return s
}

// layerName is what a layer may be called: records have folders of these names.
var layerName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,40}$`)

// problem is what is wrong with an entry.
type problem struct {
	place string // layers.list.record
	error
}

// problems are the entries that cannot be used.
func (s *Site) problems() (all []problem) {
	for _, name := range slices.Sorted(maps.Keys(s.Layers)) {
		l, place := s.Layers[name], "layers."+name
		if !layerName.MatchString(name) {
			all = append(all, problem{place, errors.New("the name of a layer needs lower-case letters, digits and hyphens")})
		}
		if l == nil {
			all = append(all, problem{place, errors.New("the layer is empty")})
			continue
		}
		all = append(all, l.unknown(place)...)
		paths := map[string]string{place + ".region": l.Region, place + ".record": l.Record}
		for field, f := range l.Fields {
			paths[place+".fields."+field+".xpath"] = cmp.Or(f.XPath, " ")
		}
		for _, at := range slices.Sorted(maps.Keys(paths)) {
			if paths[at] == "" {
				continue
			}
			if _, err := structure.ParsePath(paths[at]); err != nil {
				all = append(all, problem{at, err})
			}
		}
	}
	return all
}

// unknown are the fields of a layer that its template does not have. A template that cannot
// be loaded is the error of whoever needs it.
func (l *Layer) unknown(place string) (all []problem) {
	t, err := load(l.Template)
	if err != nil || l.Template == "" {
		return nil
	}
	var names []string
	for _, f := range t.Fields {
		names = append(names, f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(l.Fields)) {
		if !slices.Contains(names, name) {
			all = append(all, problem{place + ".fields." + name, fmt.Errorf("the template %s has no such field: its fields are %s", l.Template, strings.Join(names, ", "))})
		}
	}
	return all
}

// load returns the template, an empty one for none.
func load(name string) (*template.Template, error) {
	if name == "" {
		return &template.Template{}, nil
	}
	return template.Load(name)
}
