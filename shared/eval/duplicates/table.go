// Package duplicates measures how well package neardup finds the documents that
// repeat others (METHOD A13): copies that are planted among articles, and
// bulletins that look alike but are not copies.
package duplicates

import (
	"context"
	"fmt"
	"time"

	"sluice/shared/text/neardup"
)

// Table is the result of Judge.
type Table struct {
	Articles  int       `json:"articles"`
	Documents int       `json:"documents"` // with the copies and the bulletins
	Rows      []*Row    `json:"rows"`      // by kind of copy
	Reported  int       `json:"reported"`  // documents reported as repeating another, without natural ones
	True      int       `json:"true"`      // correctly reported
	Precision float64   `json:"precision"` // True / Reported
	Natural   int       `json:"natural"`   // documents said to repeat one of another article that has a long passage in common with theirs
	Bulletins Bulletins `json:"bulletins"`
	False     []Pair    `json:"false"` // wrongly reported
	Cost      Cost      `json:"cost"`
}

// Row is how many copies of a kind were found.
type Row struct {
	Kind    string  `json:"kind"`
	Planted int     `json:"planted"` // pairs of a copy and its original
	Found   int     `json:"found"`   // pairs that were reduced to one document, or to a third one
	Recall  float64 `json:"recall"`
	Alone   float64 `json:"alone"` // recall with only the copy and its original
}

// Bulletins is how many look-alikes were mistaken for copies.
type Bulletins struct {
	Documents int     `json:"documents"`
	Wrong     int     `json:"wrong"` // are said to repeat another
	Kept      float64 `json:"kept"`  // share of those that are not
	Pairs     int     `json:"pairs"` // of the same form, without other documents
	WrongPair int     `json:"wrong_pairs"`
}

// Pair is a document and the one that it is said to repeat.
type Pair struct {
	Document   string       `json:"document"`
	Repeats    string       `json:"repeats"`
	Kind       neardup.Kind `json:"kind"`
	Similarity float64      `json:"similarity"`
}

// Cost is the cost of finding duplicates.
type Cost struct {
	DocumentsPerSecond float64 `json:"documents_per_second"` // all steps, one core
	Candidates         int     `json:"candidates"`           // pairs of texts that were compared
	Memory             float64 `json:"memory_per_million"`   // bytes of tables per million documents
	Index              float64 `json:"index_per_million"`    // bytes to sort per million documents, on disk if they do not fit into memory
}

// Judge plants copies and bulletins among the articles and looks for them.
func Judge(ctx context.Context, articles []Text) (*Table, error) {
	docs := mix(articles)
	start := time.Now()
	found, err := find(ctx, docs)
	if err != nil {
		return nil, err
	}
	t := &Table{Articles: len(articles), Documents: len(docs), False: []Pair{}}
	million := 1e6 / float64(len(docs))
	t.Cost = Cost{
		DocumentsPerSecond: float64(len(docs)) / time.Since(start).Seconds(),
		Candidates:         found.Stats.Candidates,
		Memory:             float64(found.Stats.Memory) * million,
		Index:              float64(found.Stats.Index) * million,
	}
	t.countFound(docs, found)
	t.countReported(docs, found)
	if err := t.countAlone(ctx, docs); err != nil {
		return nil, err
	}
	t.divide()
	return t, nil
}

func find(ctx context.Context, docs []doc) (*neardup.Result, error) {
	f := neardup.New(neardup.Options{})
	defer func() { _ = f.Close() }() // a file without a name
	for i := range docs {
		if err := f.Add(&docs[i].Doc); err != nil {
			return nil, fmt.Errorf("find duplicates: %w", err)
		}
	}
	found, err := f.Find(ctx, func(i int) (string, error) { return docs[i].Text, nil })
	if err != nil {
		return nil, fmt.Errorf("find duplicates: %w", err)
	}
	return found, nil
}

// countFound counts the planted copies that were found.
func (t *Table) countFound(docs []doc, found *neardup.Result) {
	for i := range docs {
		for _, of := range docs[i].of {
			row := t.row(docs[i].kind)
			row.Planted++
			if together(found, i, of) {
				row.Found++
			}
		}
	}
}

// together reports whether one document is kept for two.
func together(found *neardup.Result, i, j int) bool { return stays(found, i) == stays(found, j) }

func stays(found *neardup.Result, i int) int {
	if r, ok := found.Repeat(i); ok {
		return r.Of
	}
	return i
}

// countReported counts correct and wrong reports.
func (t *Table) countReported(docs []doc, found *neardup.Result) {
	for i := range docs {
		d := &docs[i]
		if d.form {
			t.Bulletins.Documents++
		}
		repeat, ok := found.Repeat(i)
		if !ok {
			continue
		}
		of := &docs[repeat.Of]
		right := d.repeats(of)
		if !right && !d.form && natural(docs, d, of) {
			t.Natural++
			continue
		}
		t.Reported++
		if right {
			t.True++
			continue
		}
		if d.form {
			t.Bulletins.Wrong++
		}
		t.False = append(t.False, Pair{d.ID, of.ID, repeat.Kind, repeat.Similarity})
	}
}

// countAlone gives each copy with its original, and each bulletin with the next
// of its form, to a separate finder.
func (t *Table) countAlone(ctx context.Context, docs []doc) error {
	for i := range docs {
		d := &docs[i]
		switch {
		case d.kind != "":
			few := []doc{*d}
			for _, of := range d.of {
				few = append(few, docs[of])
			}
			found, err := find(ctx, few)
			if err != nil {
				return err
			}
			for n := range d.of {
				if together(found, 0, n+1) {
					t.row(d.kind).Alone++
				}
			}
		case d.form && docs[i+1].kind == "":
			found, err := find(ctx, docs[i:i+2])
			if err != nil {
				return err
			}
			t.Bulletins.Pairs++
			if together(found, 0, 1) {
				t.Bulletins.WrongPair++
			}
		}
	}
	return nil
}

func (t *Table) row(kind string) *Row {
	for _, r := range t.Rows {
		if r.Kind == kind {
			return r
		}
	}
	t.Rows = append(t.Rows, &Row{Kind: kind})
	return t.Rows[len(t.Rows)-1]
}

// divide computes the shares from the counts.
func (t *Table) divide() {
	for _, r := range t.Rows {
		r.Recall = float64(r.Found) / float64(r.Planted)
		r.Alone /= float64(r.Planted)
	}
	t.Precision = float64(t.True) / float64(max(t.Reported, 1))
	t.Bulletins.Kept = 1 - float64(t.Bulletins.Wrong)/float64(max(t.Bulletins.Documents, 1))
}
