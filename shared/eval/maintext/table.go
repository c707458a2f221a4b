// Package maintext measures the extraction of main texts (METHOD A13) against
// texts cut out by hand or, without these, by how much the methods agree.
package maintext

import (
	"runtime"
	"sync"

	"sluice/shared/eval/metric"
)

// Bounds of the groups of pages, in characters of their reference.
const (
	shortText = 300  // below, a page is short
	longText  = 1000 // from there on, it is long
)

// Groups are figures by groups of pages.
type Groups[T any] struct {
	All         T `json:"all"`
	Simplified  T `json:"simplified"`
	Traditional T `json:"traditional"`
	Short       T `json:"short"` // references of less than 300 characters
	Long        T `json:"long"`  // of 1,000 and more
}

// each calls f for the groups that a page belongs to.
func (g *Groups[T]) each(p *Page, f func(*T)) {
	f(&g.All)
	if p.Traditional {
		f(&g.Traditional)
	} else {
		f(&g.Simplified)
	}
	switch n := length(p.Reference); {
	case n < shortText:
		f(&g.Short)
	case n >= longText:
		f(&g.Long)
	}
}

// Row is how well one method does.
type Row struct {
	Method string                `json:"method"`
	F1     Groups[metric.Number] `json:"f1"`   // mean over the pages of a group, the headline in front of each text
	Bare   metric.Number         `json:"bare"` // mean over all, texts as they are
	Lost   int                   `json:"lost"` // pages without any text
}

// Table compares the methods on a set with references.
type Table struct {
	Set        string      `json:"set"`
	Pages      Groups[int] `json:"pages"`
	Mismatched int         `json:"mismatched"` // pages left out for their reference
	Rows       []Row       `json:"rows"`       // in the order of Methods
}

// HasReferences says whether a set can be judged.
func (s *Set) HasReferences() bool {
	return len(s.Pages) > 0 && s.Pages[0].Reference != ""
}

// Judge compares the texts of each method with the references. All methods get
// the headline of package body in front: references usually start with it, but
// it is not part of the main text.
func Judge(s *Set) (*Table, error) {
	readings, err := readAll(s)
	if err != nil {
		return nil, err
	}
	t := &Table{Set: s.Name, Mismatched: s.Mismatched}
	for i := range s.Pages {
		t.Pages.each(&s.Pages[i], func(n *int) { *n++ })
	}
	for _, method := range Methods() {
		row := Row{Method: method}
		var f1 Groups[mean]
		var bare mean
		for i, r := range readings {
			text, p := r.texts[method], &s.Pages[i]
			if length(text) == 0 {
				row.Lost++
			}
			score := F1(r.title+"\n"+text, p.Reference)
			f1.each(p, func(m *mean) { m.add(score) })
			bare.add(F1(text, p.Reference))
		}
		row.F1 = Groups[metric.Number]{
			All: f1.All.value(), Simplified: f1.Simplified.value(), Traditional: f1.Traditional.value(),
			Short: f1.Short.value(), Long: f1.Long.value(),
		}
		row.Bare = bare.value()
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// mean is the mean of added values, NaN without any.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(x float64) { m.sum, m.n = m.sum+x, m.n+1 }

func (m *mean) value() metric.Number { return metric.Number(m.sum / float64(m.n)) }

// readAll reads the pages of a set, in their order.
func readAll(s *Set) ([]*reading, error) {
	readings := make([]*reading, len(s.Pages))
	errs := make([]error, len(s.Pages))
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range s.Pages {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			readings[i], errs[i] = readPage(&s.Pages[i])
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err // the first in their order
		}
	}
	return readings, nil
}
