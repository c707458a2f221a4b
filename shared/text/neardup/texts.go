package neardup

import (
	"bytes"
	"cmp"
	"slices"
)

func (d Digest) compare(other Digest) int { return bytes.Compare(d[:], other[:]) }

// Bytes of the tables, for Stats.
const (
	entrySize = 40
	rankSize  = 4
	standSize = 12
)

// texts are the different texts of the documents, in the order of their
// digests: a number for each that does not depend on the order of documents.
type texts struct {
	of   []uint32 // text by document
	best []uint32 // by text: the document to keep of those with this text
	docs []entry
}

func (f *Finder) texts() *texts {
	order := make([]uint32, len(f.docs))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int {
		a, b := &f.docs[i], &f.docs[j]
		return cmp.Or(a.digest.compare(b.digest), compareDocs(a, b), cmp.Compare(i, j))
	})
	t := &texts{of: make([]uint32, len(f.docs)), docs: f.docs}
	for at, doc := range order {
		if at == 0 || !t.same(order[at-1], doc) {
			t.best = append(t.best, doc)
		}
		t.of[doc] = uint32(len(t.best) - 1)
	}
	return t
}

// same reports whether two documents have one text. Those without a letter
// have none.
func (t *texts) same(a, b uint32) bool {
	return t.docs[a].digest == t.docs[b].digest && t.docs[a].length > 0
}

// entry returns the best document of a text.
func (t *texts) entry(text uint32) *entry { return &t.docs[t.best[text]] }
