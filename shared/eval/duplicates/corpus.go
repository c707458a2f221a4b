package duplicates

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"

	"sluice/shared/text/neardup"
)

// doc is a document of the mixed corpus.
type doc struct {
	neardup.Doc
	kind   string // of the copy, "" of an article
	of     []int  // documents that it was made from
	groups []int  // articles that it has in it: documents with one in common repeat each other
	form   bool   // it is a bulletin
}

// repeats reports whether one of two documents rightly repeats the other.
func (d *doc) repeats(other *doc) bool {
	return slices.ContainsFunc(d.groups, func(g int) bool { return slices.Contains(other.groups, g) })
}

// kind is a way to make a copy.
type kind struct {
	name string
	make func(p *planter, text string) string
}

// planter makes copies; its draws depend only on the kind and the article.
type planter struct {
	draw  *rand.Rand
	other []rune // another article
}

func seeded(words ...string) *rand.Rand {
	h := fnv.New64a()
	for _, w := range words {
		_, _ = h.Write([]byte(w + "\n")) // a hash takes all
	}
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

const joined = "joined"

// The kinds of copies.
var kinds = [...]kind{
	{"5 % edited", func(p *planter, t string) string { return edited(t, 0.05, p.draw) }},
	{"10 % edited", func(p *planter, t string) string { return edited(t, 0.10, p.draw) }},
	{"20 % edited", func(p *planter, t string) string { return edited(t, 0.20, p.draw) }},
	{"5 % replaced", func(p *planter, t string) string { return replaced(t, 0.05, p.other, p.draw) }},
	{"10 % replaced", func(p *planter, t string) string { return replaced(t, 0.10, p.other, p.draw) }},
	{"20 % replaced", func(p *planter, t string) string { return replaced(t, 0.20, p.other, p.draw) }},
	{"5 % in runs", func(p *planter, t string) string { return inRuns(t, 0.05, p.other, p.draw) }},
	{"10 % in runs", func(p *planter, t string) string { return inRuns(t, 0.10, p.other, p.draw) }},
	{"20 % in runs", func(p *planter, t string) string { return inRuns(t, 0.20, p.other, p.draw) }},
	{"5 % in words", func(p *planter, t string) string { return inWords(t, 0.05, p.other, p.draw) }},
	{"10 % in words", func(p *planter, t string) string { return inWords(t, 0.10, p.other, p.draw) }},
	{"5 % swapped", func(p *planter, t string) string { return swapped(t, 0.05, p.draw) }},
	{"10 % swapped", func(p *planter, t string) string { return swapped(t, 0.10, p.draw) }},
	{"header and footer", func(p *planter, t string) string { return framed(t, p.draw) }},
	{"traditional", func(_ *planter, t string) string { return traditional(t) }},
	{"cropped", func(_ *planter, t string) string { return cropped(t) }},
	{joined, func(p *planter, t string) string { return t + string(p.other) }},
}

const (
	family = 50 // bulletins of a form
	copied = 50 // articles for one that has a copy of every kind
)

// copyOf makes a copy of an article.
func copyOf(articles []Text, i int, k kind) doc {
	a, next := articles[i], (i+1)%len(articles)
	d := doc{Doc: neardup.Doc{ID: a.Name + " " + k.name}, kind: k.name, of: []int{i}, groups: []int{i}}
	if k.name == joined {
		d.of, d.groups = append(d.of, next), append(d.groups, next)
	}
	d.Text = k.make(&planter{seeded(k.name, a.Name), []rune(articles[next].Body)}, a.Body)
	return d
}

// mix makes the corpus: the articles; one copy of each, the kinds in turn, and
// of one in fifty copies of every kind but the last; the bulletins.
func mix(articles []Text) []doc {
	var docs []doc
	for i, a := range articles {
		docs = append(docs, doc{Doc: neardup.Doc{ID: a.Name, Text: a.Body}, groups: []int{i}})
	}
	for i := range articles {
		if i%copied == 0 {
			for _, k := range kinds[:len(kinds)-1] {
				docs = append(docs, copyOf(articles, i, k))
			}
			continue
		}
		docs = append(docs, copyOf(articles, i, kinds[i%len(kinds)]))
	}
	for _, f := range forms {
		docs = f.appendFamily(docs)
	}
	return docs
}

// appendFamily appends bulletins of a form, and a copy of the first.
func (f form) appendFamily(docs []doc) []doc {
	first := len(docs)
	for n := range family {
		id := f.name + "/" + strconv.Itoa(n)
		docs = append(docs, doc{
			Doc: neardup.Doc{ID: id, Text: f.fill(seeded(id))}, groups: []int{len(docs)}, form: true,
		})
	}
	return append(docs, doc{
		Doc:  neardup.Doc{ID: f.name + "/copy", Text: edited(docs[first].Text, 0.05, seeded(f.name))},
		kind: "bulletin, 5 % edited", of: []int{first}, groups: docs[first].groups, form: true,
	})
}
