package sitefields

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sluice/shared/eval/metric"
	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// Row is the result for one field of one site.
type Row struct {
	Site  string `json:"site"`
	Field string `json:"field"`
	XPath string `json:"xpath,omitempty"` // that was found
	Tally
}

// Tally counts values. Wanted are the pages that have the field; each of them is
// right, or wrong in one of four ways (METHOD C7).
type Tally struct {
	Wanted   int `json:"wanted"`
	Right    int `json:"right"`
	Empty    int `json:"empty"`     // nothing was found
	Garbled  int `json:"garbled"`   // characters that no text has
	IllTyped int `json:"ill_typed"` // a price without a number, a date without one
	Wrong    int `json:"wrong"`     // another value
	Extra    int `json:"extra"`     // a value on a page that has none
}

func (t *Tally) add(o Tally) {
	t.Wanted += o.Wanted
	t.Right += o.Right
	t.Empty += o.Empty
	t.Garbled += o.Garbled
	t.IllTyped += o.IllTyped
	t.Wrong += o.Wrong
	t.Extra += o.Extra
}

// Count is a tally in the terms of precision and recall.
func (t *Tally) Count() metric.Count {
	return metric.Count{Right: t.Right, Taken: t.Wanted - t.Empty + t.Extra, Wanted: t.Wanted}
}

// Errors is the share of pages with the field that it is not right on.
func (t *Tally) Errors() metric.Number {
	return metric.Ratio(t.Wanted-t.Right, t.Wanted)
}

// Result is the whole evaluation.
type Result struct {
	Rows   []Row
	Fields []Row // all sites together, by field: Site is its template
	All    Tally
	Pages  int
	// Times are means for a site and a page, without parsing.
	Analysis, Extraction time.Duration
}

// Judge analyses pages of each site, reads all its pages by the paths found,
// and compares. A value is right if it is one of the true ones, or all of them
// together: letters and digits are compared; prices and dates as such.
func Judge(sites []Site) (*Result, error) {
	r := &Result{}
	for i := range sites {
		if err := r.site(&sites[i]); err != nil {
			return nil, err
		}
	}
	r.Analysis /= time.Duration(max(1, len(sites)))
	r.Extraction /= time.Duration(max(1, r.Pages))
	return r, nil
}

func (r *Result) site(s *Site) error {
	sample, err := s.sample()
	if err != nil {
		return err
	}
	begin := time.Now()
	found := field.Analyze(s.Template, sample)
	r.Analysis += time.Since(begin)
	x, err := field.NewExtractor(s.Template, found)
	if err != nil {
		return err
	}
	rows := make([]Row, 0, len(s.Truth))
	for _, f := range names(s) {
		row := Row{Site: s.Name, Field: f}
		if at := slices.IndexFunc(found, func(v field.Found) bool { return v.Name == f }); at >= 0 {
			row.XPath = found[at].XPath
		}
		rows = append(rows, row)
	}
	for i := range s.Pages {
		p, err := parse(&s.Pages[i])
		if err != nil {
			return err
		}
		begin := time.Now()
		values := x.Extract(p)
		r.Extraction += time.Since(begin)
		for k := range rows {
			value, ok := values[rows[k].Field]
			rows[k].count(fieldOf(s.Template, rows[k].Field), value, ok, s.Truth[rows[k].Field][s.Pages[i].Name])
		}
	}
	r.Pages += len(s.Pages)
	for _, row := range rows {
		r.Rows = append(r.Rows, row)
		r.All.add(row.Tally)
		r.total(s.Template.Name, row.Field, row.Tally)
	}
	return nil
}

// sample parses the pages that are analysed.
func (s *Site) sample() ([]field.Page, error) {
	n := len(s.Pages)
	if s.Sample > 0 {
		n = min(n, s.Sample)
	}
	pages := make([]field.Page, n)
	for i := range pages {
		var err error
		if pages[i], err = parse(&s.Pages[i*len(s.Pages)/n]); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

func (r *Result) total(template, name string, t Tally) {
	for i := range r.Fields {
		if r.Fields[i].Site == template && r.Fields[i].Field == name {
			r.Fields[i].add(t)
			return
		}
	}
	r.Fields = append(r.Fields, Row{Site: template, Field: name, Tally: t})
}

func names(s *Site) []string {
	var names []string
	for name := range s.Truth {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func fieldOf(t *template.Template, name string) *template.Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return &template.Field{Name: name, Type: template.Text}
}

// count judges the value of one page.
func (t *Tally) count(f *template.Field, v field.Value, found bool, truth []string) {
	switch {
	case len(truth) == 0 && found:
		t.Extra++
		return
	case len(truth) == 0:
		return
	}
	t.Wanted++
	switch {
	case !found:
		t.Empty++
	case Right(f, v, truth):
		t.Right++
	case strings.ContainsRune(v.Text, utf8.RuneError):
		t.Garbled++
	case f.Type == template.Price && v.Amount == nil:
		t.IllTyped++
	default:
		t.Wrong++
	}
}

// Right reports whether a value is one of the true ones, or all of them.
func Right(f *template.Field, v field.Value, truth []string) bool {
	got := template.Fold(v.Text)
	all := template.Fold(strings.Join(truth, " "))
	if got == all {
		return true
	}
	for _, text := range truth {
		if template.Fold(text) == got {
			return true
		}
		other, ok := field.Clean(f, text, nil)
		switch {
		case !ok:
		case v.Amount != nil && other.Amount != nil && *v.Amount == *other.Amount, v.Date != "" && v.Date == other.Date:
			return true
		case template.Fold(other.Text) == got:
			return true
		}
	}
	return false
}
