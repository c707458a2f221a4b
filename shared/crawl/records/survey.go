// Package records makes records of the pages of a structured crawl: it samples each
// site, learns the paths to its fields where too little is known of them, and reads
// all pages by these (METHOD C1, C4, C6).
package records

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"sluice/shared/state/corpus"
	"sluice/shared/structure"
	"sluice/shared/web/urlnorm"
)

const (
	samples   = 10  // pages of a layer that it is learned from
	maxShapes = 500 // of the URLs of a site; the others count as one
)

// Survey tells the layers of sites apart and chooses samples of them. Where nearly all
// pages with URLs of one shape look like one layer, the others are of it, too.
type Survey struct{ sites map[string]map[string]*shape }

// nearly is the share of the pages of a shape that outvotes the others.
const nearly = 0.9

// shape are the pages of a site whose URLs have one shape.
type shape struct {
	looks   map[string]int      // how many pages look like a layer
	samples map[string][]sample // of these, the first by their hashes
}

type sample struct {
	hash uint64
	at   corpus.Location
}

// Add takes notice of a page of a layer.
func (s *Survey) Add(u urlnorm.URL, layer string, at corpus.Location) {
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
	one := shapes[name]
	if one == nil {
		one = &shape{looks: map[string]int{}, samples: map[string][]sample{}}
		shapes[name] = one
	}
	one.looks[layer]++
	one.samples[layer] = first(append(one.samples[layer], sample{xxh3.HashString(u.String()), at}))
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

// layer is that of a page which looks like one.
func (s *shape) layer(looks string) string {
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

// first returns the samples with the least hashes.
func first(all []sample) []sample {
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.hash, b.hash) })
	return all[:min(len(all), samples)]
}

// shapeOf is a URL without what tells pages of one kind apart: numbers in its path, the
// values of its parameters and, without these, the last part of the path.
func shapeOf(u urlnorm.URL) string {
	var b strings.Builder
	parts := strings.Split(u.Path(), "/")
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
