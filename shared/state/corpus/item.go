package corpus

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Item is a record of a structured crawl (METHOD C3, C4): a line of
// records/SITE/LAYER/*.jsonl.
type Item struct {
	V           int      `json:"v"`            // set by AppendJSON
	ID          string   `json:"id"`           // set by AppendJSON: stable for the page and the position
	Site        string   `json:"site"`         // host, with its port if it has one
	Layer       string   `json:"layer"`        // of the page: list or detail
	Template    string   `json:"template"`     // that names the fields
	URL         string   `json:"url"`          // of a page of details, as it calls itself; where a record of a list leads, "" if nowhere
	Position    int      `json:"position"`     // in its list, from 1; 0 for a page of details
	Fields      Fields   `json:"fields"`       //
	SourceURL   string   `json:"source_url"`   // of the page that has it
	DateFetched Date     `json:"date_fetched"` // of that page
	Learned     int      `json:"learned"`      // version of what was known of the site: of its file
	WARC        Location `json:"warc"`         // of that page
}

// Fields are the fields of a record, in the order of their template.
type Fields []ItemField

// ItemField is a field of a record. Every line has every field of the template, and a
// value has all that values of its type can have, so that readers which infer the
// columns find them in the first line.
type ItemField struct {
	Name  string
	Value any // encodes as JSON; nil where the record has none
}

// MarshalJSON implements json.Marshaler.
func (f Fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, field := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := appendLine(nil, field.Value)
		if err != nil {
			return nil, err
		}
		name, _ := json.Marshal(field.Name) // a string
		b.Write(name)
		b.WriteByte(':')
		b.Write(bytes.TrimSuffix(value, []byte("\n")))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// AppendJSON appends the record to dst as Document.AppendJSON does.
func (i *Item) AppendJSON(dst []byte) ([]byte, error) {
	rec := *i
	rec.V = Version
	rec.ID = stableID(rec.Layer + " " + escapeURI(rec.SourceURL) + " " + strconv.Itoa(rec.Position))
	for _, s := range []*string{&rec.URL, &rec.SourceURL} {
		*s = escapeURI(*s)
	}
	return appendLine(dst, &rec)
}
