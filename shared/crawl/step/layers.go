package step

import (
	"strings"

	"sluice/shared/rank/urlshape"
	"sluice/shared/web/urlnorm"
)

// layers are the layers of a host (METHOD C1) of which pages were compared, as fetched and
// as a browser shows them: by name, how many were static and dynamic. They are kept in
// the State of the host, for all processes of a crawl.
type layers map[string][2]int

// Places of the counts.
const (
	staticPages = iota
	dynamicPages
)

const (
	layerSamples  = 2    // pages that agree decide what a layer is
	groupLayers   = 8    // from so many layers of a directory on, others are what most of these are
	maxLayersSize = 1600 // bytes, as JSON
	layerSize     = 12   // of a layer, besides its name
	maxLayerName  = 64   // bytes, the rest is cut off
)

// layerOf names the layer of a page by its address: the classes of the parts of the path
// (see urlshape.Class), and the names of the query's parameters.
//
//	/product/12345.html → /product/#.html        /list.php?cat=3&page=2 → /list.php?cat&page
func layerOf(u urlnorm.URL) string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(u.Path(), "/"), "/") {
		b.WriteByte('/')
		b.WriteString(urlshape.Class(part))
	}
	if u.Query() != "" {
		mark := byte('?')
		for parameter := range strings.SplitSeq(u.Query(), "&") {
			name, _, _ := strings.Cut(parameter, "=")
			b.WriteByte(mark)
			b.WriteString(name)
			mark = '&'
		}
	}
	name := b.String()
	return strings.ToValidUTF8(name[:min(len(name), maxLayerName)], "")
}

// directoryOf returns the name of a layer up to its last part.
func directoryOf(layer string) string {
	path, _, _ := strings.Cut(layer, "?")
	return path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
}

// verdict says what a layer is, of which pages were compared or, if there are many of its
// kind, what most of these are: Static, Dynamic, or Unknown, so that this page should be
// compared.
func (l layers) verdict(name string) string {
	n, ok := l[name]
	if !ok {
		like := l.like(name)
		if like == nil {
			return Unknown
		}
		for _, m := range like {
			n[staticPages] += m[staticPages]
			n[dynamicPages] += m[dynamicPages]
		}
		if n[dynamicPages] >= n[staticPages] {
			return Dynamic // a page is rendered in vain rather than not seen
		}
		return Static
	}
	switch {
	case n[staticPages] >= layerSamples:
		return Static
	case n[dynamicPages] >= layerSamples:
		return Dynamic
	}
	return Unknown
}

// like returns the layers that stand for a new one, nil if that can be added: those of its
// directory if they are many, all if there is no room.
func (l layers) like(name string) layers {
	size := layerSize + len(name)
	group, directory := layers{}, directoryOf(name)
	for other, n := range l {
		size += layerSize + len(other)
		if directoryOf(other) == directory {
			group[other] = n
		}
	}
	switch {
	case len(group) >= groupLayers:
		return group
	case size <= maxLayersSize:
		return nil
	case len(group) > 0:
		return group
	}
	return l
}

// count notes that a page of a layer was compared.
func (l layers) count(name string, kind int) {
	n := l[name]
	n[kind]++
	l[name] = n
}
