package structure

import (
	"fmt"
	"strings"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/zeebo/xxh3"
	"golang.org/x/net/html"
)

// StaticSimilarity is how alike a page is, at least, as it was fetched and as a
// browser shows it, where the server sends what readers see (METHOD C2).
const StaticSimilarity = 0.8

const (
	levelBits   = 4096 // of the Bloom filter of a level
	levelHashes = 2
	levels      = 64  // deeper elements count to the last
	sameTag     = 128 // more elements of a tag on one level count no more
)

// Fingerprint stands for the content of a page's body: the tags of each level of
// its tree, and its texts. Menus and feet are left out.
type Fingerprint struct {
	tags  []*bloom.BloomFilter // by level
	texts map[uint64]int       // widths of texts, by their hashes
}

// NewFingerprint takes the fingerprint of a parsed page.
func NewFingerprint(root *html.Node) *Fingerprint {
	f := &Fingerprint{texts: map[uint64]int{}}
	t := newTree(root)
	level := make([]int, len(t.nodes))
	seen := map[string]int{} // elements of a tag on a level
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.parent >= 0 {
			level[i] = min(level[n.parent]+1, levels-1)
		}
		if n.furniture {
			continue
		}
		for len(f.tags) <= level[i] {
			f.tags = append(f.tags, bloom.New(levelBits, levelHashes))
		}
		key := fmt.Sprintf("%d %s", level[i], n.tag)
		if seen[key]++; seen[key] <= sameTag {
			f.tags[level[i]].AddString(fmt.Sprintf("%s %d", n.tag, seen[key]))
		}
		f.addTexts(n.html)
	}
	return f
}

// addTexts adds the texts of an element that are not those of others in the tree.
func (f *Fingerprint) addTexts(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			if w := int(width(c.Data)); w > 0 {
				f.texts[xxh3.HashString(strings.Join(strings.Fields(c.Data), " "))] = w
			}
		case c.Type == html.ElementNode && !dropped[c.Data] && inline[c.Data]:
			f.addTexts(c)
		}
	}
}

// Similarity compares a page as it was fetched with the same page as a browser
// shows it, from 0 to 1: the lower of the share of tags that both have, of those of
// either, and of the share of the text shown that was fetched.
func (f *Fingerprint) Similarity(shown *Fingerprint) float64 {
	if len(shown.tags) == 0 && len(f.tags) == 0 {
		return 1
	}
	var both, either uint
	none := bloom.New(levelBits, levelHashes)
	for i := range max(len(f.tags), len(shown.tags)) {
		a, b := none, none
		if i < len(f.tags) {
			a = f.tags[i]
		}
		if i < len(shown.tags) {
			b = shown.tags[i]
		}
		both += a.BitSet().IntersectionCardinality(b.BitSet())
		either += a.BitSet().UnionCardinality(b.BitSet())
	}
	fetched, total := 0, 0
	for text, w := range shown.texts {
		total += w
		if f.texts[text] > 0 {
			fetched += w
		}
	}
	return min(ratio(int(both), int(either)), ratio(fetched, total))
}

// ratio is part of whole; all of nothing.
func ratio(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}
