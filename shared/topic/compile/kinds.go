package compile

import (
	"net/url"
	"strings"

	"sluice/shared/rank/urlshape"
)

// fewOfKind is how many pages as relevant as those of the site the others of a kind are
// taken together with: few pages say little about it.
const fewOfKind = 10

// Where a page is says less than its words: it makes it at most so much less and more relevant.
// An article about the topic is wanted in a section off it, too.
const (
	leastFactor = 0.7
	mostFactor  = 1.5
)

func moderate(factor float64) float64 { return min(max(factor, leastFactor), mostFactor) }

// kindOf returns what the addresses of pages of one kind have in common: the host, the
// folders but the last, by class, and whether they are of a folder's own page, as home pages
// are: /people/lee/, /people/moss/index.html and /people/wu/wu.html are of one kind, and all
// other pages in these folders of another. It is "" for a text without a URL.
func kindOf(id string) string {
	u, err := url.Parse(id)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	parts := strings.Split(u.Path, "/")
	n := len(parts) - 1
	file, _, _ := strings.Cut(parts[n], ".")
	kind := strings.ToLower(u.Hostname())
	for _, folder := range parts[:max(n-1, 0)] {
		kind += urlshape.Class(folder) + "/"
	}
	if file == "" || strings.EqualFold(file, "index") || strings.EqualFold(file, parts[n-1]) {
		return kind
	}
	return kind + "*"
}

// kinds knows how relevant the pages of each kind are, and those of each site: the pages of a
// section, or the home pages of persons, are often about one topic, even if their words differ.
type kinds struct{ kinds, sites map[string]total }

// total is the sum of the relevances of pages.
type total struct{ sum, pages float64 }

// factor is how many times as relevant as the pages of the site those of a kind are, without
// so many of one value.
func (k *kinds) factor(kind, site string, value, without float64) float64 {
	all, of := k.sites[site], k.kinds[kind]
	if kind == "" || all.sum == 0 {
		return 1
	}
	mean := all.sum / all.pages
	return (max(0, of.sum-without*value) + fewOfKind*mean) / (of.pages - without + fewOfKind) / mean
}

func (k *kinds) add(kind, site string, value, times float64) {
	k.kinds[kind] = k.kinds[kind].plus(value, times)
	k.sites[site] = k.sites[site].plus(value, times)
}

func (t total) plus(value, times float64) total { return total{t.sum + times*value, t.pages + times} }
