package site

import (
	"fmt"
	"maps"
	"slices"

	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// Values are the fields of a page or a record, by name.
type Values map[string]field.Value

// Extract is what a page has at the stored paths.
type Extract struct {
	Layer   string   `json:"layer"`             // whose paths fit best; "" if none do
	Fields  Values   `json:"fields,omitempty"`  // of the page
	Records []Values `json:"records,omitempty"` // of its list
	Missing []string `json:"missing,omitempty"` // fields of the layer that the page lacks, or most of its records
	fields  int      // of the layer

	Nodes []structure.Record `json:"-"` // of Records
}

// Lacking is which share of the fields of its layer a page lacks; 1 without a layer.
func (e *Extract) Lacking() float64 {
	if e.fields == 0 {
		return 1 - float64(min(len(e.Records), 1))
	}
	return float64(len(e.Missing)) / float64(e.fields)
}

// Reader reads pages of a site. It is safe for concurrent use.
type Reader struct {
	site   *Site
	layers []reader
}

type reader struct {
	name   string
	layer  *Layer
	record *structure.Path // nil for a layer without a list
	fields *field.Extractor
}

// NewReader prepares the paths of a site. It fails where Check does.
func NewReader(s *Site) (*Reader, error) {
	templates := map[string]*template.Template{}
	for _, l := range s.Layers {
		t, err := load(l.Template)
		if err != nil {
			return nil, err
		}
		templates[l.Template] = t
	}
	return newReader(s, templates)
}

// NewReaderOf prepares the paths of a site to the fields of one template, of its
// layers that have them.
func NewReaderOf(s *Site, t *template.Template) (*Reader, error) {
	return newReader(s, map[string]*template.Template{t.Name: t})
}

func newReader(s *Site, templates map[string]*template.Template) (*Reader, error) {
	r := &Reader{site: s}
	for name, l := range s.Layers {
		t := templates[l.Template]
		if t == nil {
			continue
		}
		one := reader{name: name, layer: l}
		var err error
		if l.Record != "" {
			if one.record, err = structure.ParsePath(l.Record); err != nil {
				return nil, &InvalidError{fmt.Errorf("layers.%s.record: %w", name, err)}
			}
		}
		if one.fields, err = l.extractor(t); err != nil {
			return nil, &InvalidError{fmt.Errorf("the file of %s: layers.%s.fields: %w", s.Host, name, err)}
		}
		r.layers = append(r.layers, one)
	}
	slices.SortFunc(r.layers, func(a, b reader) int { return compare(a.name, b.name) })
	return r, nil
}

// compare orders layers: a page that has the fields of details is one.
func compare(a, b string) int {
	order := []string{structure.DetailLayer, structure.ListLayer, structure.CategoryLayer}
	return slices.Index(order, a) - slices.Index(order, b)
}

func (l *Layer) extractor(t *template.Template) (*field.Extractor, error) {
	var found []field.Found
	for _, name := range slices.Sorted(maps.Keys(l.Fields)) {
		found = append(found, field.Found{Name: name, XPath: l.Fields[name].XPath, Data: l.Fields[name].Data})
	}
	return field.NewExtractor(t, found)
}

// As reads a page of a layer: by that layer if half of its fields are found, else as
// Read does.
func (r *Reader) As(layer string, p field.Page) *Extract {
	for i := range r.layers {
		if one := &r.layers[i]; one.name == layer {
			if e, fit := one.read(p); fit >= 0.5 {
				return e
			}
		}
	}
	return r.Read(p)
}

// Read reads a page by the layer that most of its fields are found for.
func (r *Reader) Read(p field.Page) *Extract {
	best, most := &Extract{}, 0.0
	for i := range r.layers {
		e, fit := r.layers[i].read(p)
		if fit > most {
			best, most = e, fit
		}
	}
	return best
}

// read reads a page as one of the layer, and says which share of its fields it has.
func (r *reader) read(p field.Page) (e *Extract, fit float64) {
	e = &Extract{Layer: r.name, fields: len(r.layer.Fields)}
	had := map[string]int{}
	pages := 1
	if r.record == nil {
		e.Fields = r.fields.Extract(p)
		count(had, e.Fields)
	} else {
		records := r.record.Records(p.Root, max(r.layer.Siblings, 1))
		pages = len(records)
		for _, rec := range records {
			v := Values(r.fields.Extract(field.Page{Root: rec[0], Rest: rec[1:], Base: p.Base}))
			count(had, v)
			e.Records, e.Nodes = append(e.Records, v), append(e.Nodes, rec)
		}
		if len(r.layer.Fields) == 0 && pages > 0 {
			return e, 1
		}
	}
	there := 0
	for name := range r.layer.Fields {
		if 2*had[name] > pages {
			there++
		} else {
			e.Missing = append(e.Missing, name)
		}
	}
	slices.Sort(e.Missing)
	if len(r.layer.Fields) == 0 || pages == 0 {
		return e, 0
	}
	return e, float64(there) / float64(len(r.layer.Fields))
}

func count(had map[string]int, v Values) {
	for name := range v {
		had[name]++
	}
}
