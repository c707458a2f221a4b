package compile

import "github.com/zeebo/xxh3"

const (
	// maxLinking is how many pages with links are kept.
	maxLinking = 20_000

	// Of few pages little is known: the others that a page links to are taken together with
	// fewLinked that are as relevant as those of their sites, and the pages that link to one with
	// fewLinking that say nothing.
	fewLinked  = 5
	fewLinking = 1
)

// Address stands for a URL: of 20,000 pages hardly two have the same.
type Address uint32

// AddressOf is that of a canonical URL.
func AddressOf(id string) Address { return Address(xxh3.HashString(id)) } //nolint:gosec // the low half is enough

// cocited returns for each text how many times as relevant as those of their sites the other
// pages are that the same pages link to: who lists pages, lists those of one topic. It is their
// mean over these pages.
func (k *kinds) cocited(crawl *Samples, texts []numbered, said []float64) []float64 {
	at := make(map[Address]int, len(texts))
	relative, sums, linking := make([]float64, len(texts)), make([]float64, len(texts)), make([]float64, len(texts))
	for i := range texts {
		at[texts[i].address], relative[i] = i, 1
		if site := k.sites[siteOf(texts[i].place)]; site.sum > 0 {
			relative[i] = said[i] / site.sum * site.pages
		}
	}
	var linked []int
	for _, links := range crawl.links {
		linked = linked[:0]
		var all total
		for _, to := range links {
			if i, ok := at[to]; ok {
				linked, all = append(linked, i), all.plus(relative[i], float64(texts[i].times))
			}
		}
		for _, i := range linked {
			times := float64(texts[i].times)
			sums[i] += (max(0, all.sum-times*relative[i]) + fewLinked) / (all.pages - times + fewLinked)
			linking[i]++
		}
	}
	for i := range sums {
		sums[i] = (sums[i] + fewLinking) / (linking[i] + fewLinking)
	}
	return sums
}
