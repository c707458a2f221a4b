package fidelity

import (
	"cmp"
	"maps"
	"slices"

	"sluice/shared/eval/metric"
)

// Kind is the kind of a page.
type Kind int

// Kinds of pages.
const (
	Article Kind = iota
	Media        // only a player or pictures
	Other        // list, home page
)

// Page is a page and its result.
type Page struct {
	URL, Host string
	Kind      Kind
	Document  *Document // nil of a page that was refused
	Rule      string    // that refused it
	Detail    string
	Source    *Source // of an article; nil if unknown
}

// Share counts the pages of a kind and those that were kept.
type Share struct {
	Pages int `json:"pages"`
	Kept  int `json:"kept"`
}

func (s *Share) add(kept bool) {
	s.Pages++
	if kept {
		s.Kept++
	}
}

// Characters counts those of the articles with a source.
type Characters struct {
	Source  int `json:"source"`  // of the sources of documents
	Kept    int `json:"kept"`    // of these, those in the documents
	Credits int `json:"credits"` // of the sources, in lines that name the editor
	Cut     int `json:"cut"`     // of these, those not in the documents
	Text    int `json:"text"`    // of the documents
	Own     int `json:"own"`     // of these, those in the sources
	Refused int `json:"refused"` // of the sources of articles that were refused
}

// Row is the results of the pages of a host, or of all.
type Row struct {
	Host     string `json:"host"` // "" for all
	Articles Share  `json:"articles"`
	Media    Share  `json:"media"`
	Others   Share  `json:"others"`

	Compared   int           `json:"compared"` // documents with a source
	Foreign    int           `json:"foreign"`  // of these, those with a line that the source lacks
	Characters Characters    `json:"characters"`
	Kept       metric.Number `json:"kept"`        // characters: kept of source
	KeptBody   metric.Number `json:"kept_body"`   // the same without credits
	KeptOfAll  metric.Number `json:"kept_of_all"` // kept of source and refused
	Clean      metric.Number `json:"clean"`       // own of text

	Rules map[string]int `json:"rules"` // articles refused
}

// Line is a line and in how many documents it is too much or missing.
type Line struct {
	Line      string `json:"line"`
	Documents int    `json:"documents"`
}

// Refusal is an article that was refused.
type Refusal struct {
	URL        string `json:"url"`
	Rule       string `json:"rule"`
	Detail     string `json:"detail"`
	Characters int    `json:"characters"` // of its source, 0 if unknown
}

// Table is how true the documents of a web are to their sources.
type Table struct {
	Total    Row       `json:"total"`
	Hosts    []Row     `json:"hosts"`    // by name
	Foreign  []Line    `json:"foreign"`  // the most frequent that sources lack
	Missing  []Line    `json:"missing"`  // the most frequent that documents lack
	Refusals []Refusal `json:"refusals"` // of articles, by rule and URL
}

// mostLines is how many lines a table has of a sort.
const mostLines = 20

// Judge compares the results of pages with their sources.
func Judge(pages []Page) *Table {
	t := &Table{Total: newRow(""), Hosts: []Row{}, Refusals: []Refusal{}}
	hosts := map[string]*Row{}
	foreign, missing := map[string]int{}, map[string]int{}
	for i := range pages {
		p := &pages[i]
		host := hosts[p.Host]
		if host == nil {
			row := newRow(p.Host)
			host, hosts[p.Host] = &row, &row
		}
		var c Comparison
		if p.Source != nil {
			c = p.compare()
			count(foreign, c.Foreign)
			count(missing, c.Missing)
		}
		t.Total.add(p, &c)
		host.add(p, &c)
		if p.Kind == Article && p.Document == nil {
			t.Refusals = append(t.Refusals, Refusal{p.URL, p.Rule, p.Detail, c.Source})
		}
	}
	t.Total.finish()
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		hosts[name].finish()
		t.Hosts = append(t.Hosts, *hosts[name])
	}
	t.Foreign, t.Missing = most(foreign), most(missing)
	slices.SortFunc(t.Refusals, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.URL, b.URL))
	})
	return t
}

// compare is Compare; for a refused page only the source counts.
func (p *Page) compare() Comparison {
	if p.Document == nil {
		return Comparison{Source: Compare(Document{}, p.Source).Source}
	}
	return Compare(*p.Document, p.Source)
}

func newRow(host string) Row { return Row{Host: host, Rules: map[string]int{}} }

func (r *Row) add(p *Page, c *Comparison) {
	switch p.Kind {
	case Media:
		r.Media.add(p.Document != nil)
		return
	case Other:
		r.Others.add(p.Document != nil)
		return
	}
	r.Articles.add(p.Document != nil)
	switch {
	case p.Document == nil:
		r.Rules[p.Rule]++
		r.Characters.Refused += c.Source
	case p.Source != nil:
		r.Compared++
		if len(c.Foreign) > 0 {
			r.Foreign++
		}
		r.Characters.Source += c.Source
		r.Characters.Kept += c.Kept
		r.Characters.Credits += c.Credits
		r.Characters.Cut += c.Credits - c.CreditsKept
		r.Characters.Text += c.Text
		r.Characters.Own += c.Own
	}
}

func (r *Row) finish() {
	c := &r.Characters
	r.Kept = metric.Ratio(c.Kept, c.Source)
	r.KeptBody = metric.Ratio(c.Kept-(c.Credits-c.Cut), c.Source-c.Credits)
	r.KeptOfAll = metric.Ratio(c.Kept, c.Source+c.Refused)
	r.Clean = metric.Ratio(c.Own, c.Text)
}

// count counts lines, those that a document has several times once.
func count(all map[string]int, lines []string) {
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		all[line]++
	}
}

func most(all map[string]int) []Line {
	lines := make([]Line, 0, len(all))
	for line, n := range all {
		lines = append(lines, Line{line, n})
	}
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Line, b.Line))
	})
	return lines[:min(len(lines), mostLines)]
}
