package records

import (
	"crypto/sha256"
	"fmt"
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
}

// Items are the records of a page that looks like one of a layer. A page of details
// has one, unless it lacks half of the fields of its layer.
func (r *Reader) Items(a *reading.Arrival, layer string, at corpus.Location) []*corpus.Item {
	p := pageOf(a)
	if p.Root == nil {
		return nil
	}
	e := r.reader.As(layer, p)
	item := func() *corpus.Item {
		return &corpus.Item{
			Site: a.URL.Authority(), Layer: e.Layer, Template: r.template.Name,
			SourceURL: a.Link.URL, DateFetched: corpus.Date{Time: a.At}, Learned: r.site.Version, WARC: at,
		}
	}
	if e.Layer == structure.DetailLayer {
		one := item()
		if one.URL, one.Fields = own(a), r.fields(e.Fields); e.Lacking() >= 0.5 {
			return nil
		}
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

// own is the URL of a page as it calls itself, if that is on its host.
func own(a *reading.Arrival) string {
	if u, err := urlnorm.Parse(a.Page.Canonical); err == nil && u.Authority() == a.URL.Authority() {
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

// Seen tells records that stand on several pages: those of one site and layer that are
// equal in all fields, and those with one URL and one name.
type Seen map[[16]byte]bool

// Again reports whether a record was there before, and takes notice of it.
func (s Seen) Again(i *corpus.Item, t *template.Template) bool {
	place := i.Site + " " + i.Layer
	all, _ := i.Fields.MarshalJSON()
	keys := [][16]byte{keyOf(place, string(all))}
	if i.URL != "" {
		name := ""
		for n := range t.Fields {
			if t.Fields[n].Heading {
				name += fmt.Sprint(i.Fields[n].Value)
			}
		}
		keys = append(keys, keyOf(place, i.URL+" "+name))
	}
	again := false
	for _, k := range keys {
		again = again || s[k]
		s[k] = true
	}
	return again
}

func keyOf(place, what string) [16]byte {
	sum := sha256.Sum256([]byte(place + "\x00" + what))
	return [16]byte(sum[:16])
}
