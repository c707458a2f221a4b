package records

import (
	"strings"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
	"sluice/shared/web/urlnorm"
)

// Reader reads the records of the pages of a site. It is safe for concurrent use.
type Reader struct {
	template *template.Template
	site     *site.Site
	reader   *site.Reader
	list     *structure.Model // of the site; nil if none is known
}

// Items are the records of a page of a layer; looks is what it looks like alone. A page of
// details has one, unless it lacks half of the fields of its layer, or has none but its
// name and no list leads to it.
func (r *Reader) Items(a *reading.Arrival, layer, looks string, at corpus.Location) []*corpus.Item {
	p := pageOf(a)
	if p.Root == nil {
		return nil
	}
	if r.list != nil && looks == structure.DetailLayer && a.Link.Priority != reading.RecordPriority && len(r.list.Records(p.Root)) > 0 {
		layer = structure.ListLayer // with few records
	}
	e := r.reader.As(layer, p)
	item := func() *corpus.Item {
		return &corpus.Item{
			Site: a.URL.Authority(), Layer: e.Layer, Template: r.template.Name,
			SourceURL: a.Link.URL, DateFetched: corpus.Date{Time: a.At}, Learned: r.site.Version, WARC: at,
		}
	}
	if e.Layer == structure.DetailLayer {
		short := layer == structure.ListLayer && (looks == structure.DetailLayer || a.Link.Priority == reading.PagePriority)
		if short || e.Lacking() >= 0.5 || a.Link.Priority != reading.RecordPriority && r.onlyName(e.Fields) {
			return nil
		}
		one := item()
		one.URL, one.Fields = own(a), r.fields(e.Fields)
		return []*corpus.Item{one}
	}
	var items []*corpus.Item
	to := structure.RecordLinks(e.Nodes, p.Base)
	for i, values := range e.Records {
		if len(values) == 0 {
			continue
		}
		one := item()
		one.Position, one.Fields = i+1, r.fields(values)
		if u, err := urlnorm.Parse(to[i]); err == nil {
			one.URL = u.String()
		}
		items = append(items, one)
	}
	return items
}

// onlyName reports whether values have nothing but a name.
func (r *Reader) onlyName(values site.Values) bool {
	for i := range r.template.Fields {
		if f := &r.template.Fields[i]; !f.Heading && values[f.Name].Text != "" {
			return false
		}
	}
	return true
}

// own is the URL of a page as it calls itself, if that is on its host. Sites that call all
// of their pages by the address of the first one are mistaken.
func own(a *reading.Arrival) string {
	if u, err := urlnorm.Parse(a.Page.Canonical); err == nil && u.Authority() == a.URL.Authority() && len(u.Path()+u.Query()) > 1 {
		return u.String()
	}
	return a.Link.URL
}

// price, number and date are values of these types. The others are texts.
type (
	price struct {
		Value    string   `json:"value"` // as the page has it
		Amount   *float64 `json:"amount"`
		Most     *float64 `json:"most"` // the other end of a range
		Currency string   `json:"currency"`
	}
	number struct {
		Value  string   `json:"value"`
		Amount *float64 `json:"amount"`
		Most   *float64 `json:"most"`
	}
	date struct {
		Value string `json:"value"`
		Date  string `json:"date"`
	}
)

// fields are values in the order of the template, null where there is none.
func (r *Reader) fields(values site.Values) corpus.Fields {
	all := make(corpus.Fields, len(r.template.Fields))
	for i := range r.template.Fields {
		f := &r.template.Fields[i]
		all[i].Name = f.Name
		if v, ok := values[f.Name]; ok {
			all[i].Value = encode(f.Type, v)
		}
	}
	return all
}

func encode(t template.Type, v field.Value) any {
	v.Text = strings.TrimSpace(corpus.CleanText(v.Text))
	switch t {
	case template.Price:
		return price{v.Text, v.Amount, v.Most, v.Currency}
	case template.Number:
		return number{v.Text, v.Amount, v.Most}
	case template.Date:
		return date{v.Text, v.Date}
	}
	return v.Text
}
