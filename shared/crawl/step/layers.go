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
	agreedKin     = 3    // layers of one kind decide what others of their kin are
	manyKin       = 8    // layers do, if they are of both kinds or at the top of a host
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

// kinOf names the layers that a layer is probably like: those of its directory, of the same
// form and parameters. At the top of a host pages of one form may be of any kind.
//
//	/c/phones?p → /c/a?p        /static/list.html → /static/a.html
func kinOf(layer string) (kin string, top bool) {
	path, query, _ := strings.Cut(layer, "?")
	end := strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/') + 1
	directory, last := path[:end], path[end:]
	ending := ""
	if dot := strings.LastIndexByte(last, '.'); dot > 0 {
		last, ending = last[:dot], last[dot:]
	}
	var b strings.Builder
	before := rune(0)
	for _, r := range last {
		if r != '#' && r != '/' {
			r = 'a'
		}
		if r != before {
			b.WriteRune(r)
		}
		before = r
	}
	return directory + b.String() + ending + "?" + query, directory == "/"
}

// verdict says what a layer is, of which pages were compared or, if enough of its kin are
// known, what these are: Static, Dynamic, or Unknown, so that this page should be compared.
func (l layers) verdict(name string) string {
	if n, ok := l[name]; ok {
		switch {
		case n[staticPages] >= layerSamples:
			return Static
		case n[dynamicPages] >= layerSamples:
			return Dynamic
		}
		return Unknown
	}
	kin, top := kinOf(name)
	size := layerSize + len(name)
	known, like, all := 0, [2]int{}, [2]int{}
	for other, n := range l {
		size += layerSize + len(other)
		all[staticPages] += n[staticPages]
		all[dynamicPages] += n[dynamicPages]
		if of, _ := kinOf(other); of == kin {
			known++
			like[staticPages] += n[staticPages]
			like[dynamicPages] += n[dynamicPages]
		}
	}
	agreed := !top && (like[staticPages] == 0 || like[dynamicPages] == 0)
	switch {
	case known >= manyKin || agreed && known >= agreedKin:
		return most(like)
	case size <= maxLayersSize:
		return Unknown
	case known > 0:
		return most(like)
	}
	return most(all)
}

// most is what most of some pages are. A page is rendered in vain rather than not seen.
func most(n [2]int) string {
	if n[dynamicPages] >= n[staticPages] {
		return Dynamic
	}
	return Static
}

// count notes that a page of a layer was compared.
func (l layers) count(name string, kind int) {
	n := l[name]
	n[kind]++
	l[name] = n
}
