// Package records makes records of the pages of a structured crawl. It samples each
// site, learns the paths to its fields unless they are known well enough, and reads all
// pages at these paths (METHOD C1, C4, C6).
package records

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/structure"
	"sluice/shared/web/urlnorm"
)

// Samples is how many pages of a layer it is learned from.
const Samples = 20

const maxShapes = 500 // of the URLs of a site; the others count as one

// Survey tells the layers of sites apart and chooses samples of them. Where nearly all
// pages with URLs of one shape look like one layer, the others are of it, too.
type Survey struct {
	sites  map[string]map[string]*shape
	titles map[string]uint64 // of the pages whose addresses differ in parameters alone, as a hash; 0 for several
}

const (
	nearly   = 0.9 // share of the pages of a shape that outvotes the others
	agreeing = 3   // pages, at least, whose links tell what those of their shape are
)

// shape are the pages of a site whose URLs have one shape.
type shape struct {
	looks   map[string]int      // how many pages look like a layer
	samples map[string][]sample // of these, the first
	listed  bool                // a list led to one of them, as to a record
	leading map[uint64]bool     // those that led to details of other shapes, by hash
}

// sample is a page that a layer may be learned from, best one that a list led to.
type sample struct {
	listed bool
	hash   uint64
	at     corpus.Location
}

// Add takes notice of a page.
func (s *Survey) Add(u urlnorm.URL, d *corpus.Document) {
	listed := d.Layer == structure.DetailLayer && d.Path.Priority.Value == reading.RecordPriority
	s.addTitle(u, d.Title)
	one := s.shape(u)
	one.looks[d.Layer]++
	one.samples[d.Layer] = first(append(one.samples[d.Layer], sample{listed, xxh3.HashString(u.String()), d.WARC}))
	one.listed = one.listed || listed
	from, err := urlnorm.Parse(d.Path.Parent)
	if err != nil || d.Path.Parent == d.Path.Seed || d.Layer != structure.DetailLayer {
		return
	}
	if parent := s.shape(from); parent != one {
		parent.leading[xxh3.HashString(d.Path.Parent)] = true
	}
}

func (s *Survey) addTitle(u urlnorm.URL, title string) {
	if u.Query() == "" {
		return
	}
	if s.titles == nil {
		s.titles = map[string]uint64{}
	}
	address, hash := u.Authority()+u.Path(), xxh3.HashString(title)|1
	if before, known := s.titles[address]; known && before != hash {
		hash = 0
	}
	s.titles[address] = hash
}

// Plain is a URL without its parameters, unless pages that differ in these alone have
// several titles.
func (s *Survey) Plain(url string) string {
	u, err := urlnorm.Parse(url)
	if err != nil {
		return url
	}
	if title, known := s.titles[u.Authority()+u.Path()]; known && title == 0 {
		return url
	}
	plain, _, _ := strings.Cut(url, "?")
	return plain
}

// shape is that of a URL.
func (s *Survey) shape(u urlnorm.URL) *shape {
	if s.sites == nil {
		s.sites = map[string]map[string]*shape{}
	}
	shapes := s.sites[u.Authority()]
	if shapes == nil {
		shapes = map[string]*shape{}
		s.sites[u.Authority()] = shapes
	}
	name := shapeOf(u)
	if shapes[name] == nil && len(shapes) >= maxShapes {
		name = ""
	}
	if shapes[name] == nil {
		shapes[name] = &shape{looks: map[string]int{}, samples: map[string][]sample{}, leading: map[uint64]bool{}}
	}
	return shapes[name]
}

// Sites are the sites with pages, in alphabetical order.
func (s *Survey) Sites() []string { return slices.Sorted(maps.Keys(s.sites)) }

// Layer tells the layer of a page that looks like one of a layer.
func (s *Survey) Layer(u urlnorm.URL, looks string) string {
	if one := s.sites[u.Authority()][shapeOf(u)]; one != nil {
		return one.layer(looks)
	}
	return looks
}

// layer is that of a page which looks like one. Pages that look like details are lists
// with few records where most of them lead to other details, and no list to them.
func (s *shape) layer(looks string) string {
	if looks == structure.DetailLayer && !s.listed && s.looks[looks] >= agreeing && 2*len(s.leading) > s.looks[looks] {
		return structure.ListLayer
	}
	all := 0
	for _, n := range s.looks {
		all += n
	}
	for layer, n := range s.looks {
		if float64(n) >= nearly*float64(all) {
			return layer
		}
	}
	return looks
}

// Samples are pages of a layer of a site, from all over it.
func (s *Survey) Samples(host, layer string) []corpus.Location {
	var all []sample
	for _, one := range s.sites[host] {
		if one.layer(layer) == layer {
			all = append(all, one.samples[layer]...)
		}
	}
	var places []corpus.Location
	for _, c := range first(all) {
		places = append(places, c.at)
	}
	return places
}

// Layers are those of the sites with records.
func Layers() []string { return []string{structure.ListLayer, structure.DetailLayer} }

// first returns the samples that a list led to, and those with the least hashes.
func first(all []sample) []sample {
	slices.SortFunc(all, func(a, b sample) int {
		switch {
		case a.listed == b.listed:
			return cmp.Compare(a.hash, b.hash)
		case a.listed:
			return -1
		}
		return 1
	})
	return all[:min(len(all), Samples)]
}

// shapeOf is a URL without what tells pages of one kind apart: numbers in its path, the
// values of its parameters and, without these, the last part of the path.
func shapeOf(u urlnorm.URL) string {
	var b strings.Builder
	parts := strings.Split(strings.TrimSuffix(u.Path(), "/"), "/")
	if len(parts) > 1 && strings.HasSuffix(u.Path(), "/") {
		b.WriteByte('/')
	}
	for i, part := range parts {
		if i == len(parts)-1 && u.Query() == "" {
			part = lastShape(part)
		}
		b.WriteByte('/')
		writeShape(&b, part)
	}
	for param := range strings.SplitSeq(u.Query(), "&") {
		name, _, _ := strings.Cut(param, "=")
		b.WriteByte('?')
		b.WriteString(name)
	}
	return b.String()
}

// lastShape is the ending of the last part of a path, and whether it has a number.
func lastShape(part string) string {
	name, ending := part, ""
	if dot := strings.LastIndexByte(part, '.'); dot >= 0 {
		name, ending = part[:dot], part[dot:]
	}
	if strings.ContainsAny(name, "0123456789") {
		return name + ending
	}
	return "*" + ending
}

// writeShape writes a part of a path with 0 for each number.
func writeShape(b *strings.Builder, part string) {
	number := false
	for _, c := range []byte(part) {
		digit := '0' <= c && c <= '9'
		switch {
		case !digit:
			b.WriteByte(c)
		case !number:
			b.WriteByte('0')
		}
		number = digit
	}
}
